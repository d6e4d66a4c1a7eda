import { readdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { isInside } from "../definition/read-text.ts";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { type CrewCoverage, findShown, type ShownBy } from "./coverage.ts";
import { isNamed } from "./is-named.ts";
import { judge } from "./judge.ts";
import { type Played, playScenario } from "./play-scenario.ts";
import { parseScenario, type ReadScenario, readScenario, type Scenario } from "./read-scenario.ts";

/** The outcome of one scenario. */
export interface ScenarioReport {
  readonly file: string;
  readonly name: string;
  /** Empty if it passed. */
  readonly problems: readonly string[];
  /** Oddities that do not fail it: unused replies and answers. */
  readonly notes: readonly string[];
  /** How long it took, in milliseconds of the machine's time. */
  readonly ms: number;
}

/** The outcome of several scenarios. */
export interface ScenarioResults {
  readonly passed: number;
  readonly failed: number;
  /** In the order of the files. */
  readonly scenarios: readonly ScenarioReport[];
  /** How many were left out after a failure, with `bail`. */
  readonly notPlayed: number;
  /** How many were left out by `filter`. */
  readonly filtered: number;
  /** What the scenarios that passed show of their crews, if that was asked for. */
  readonly coverage?: readonly CrewCoverage[];
}

/** How scenarios are played. Everything has a default. */
export interface RunScenariosOptions {
  /** What paths are relative to, in and out. Default: the process's own. */
  readonly workingDirectory?: string;
  /** Words that must all be in a scenario's name or file. */
  readonly filter?: string;
  /** Stops after the first scenario that fails. */
  readonly bail?: boolean;
  /** How many scenarios play side by side. Default: 8. */
  readonly jobs?: number;
  /** Collects what the scenarios show of their crews. */
  readonly coverage?: boolean;
  /** Modules of agents' functions are imported again where they were imported with another version. */
  readonly moduleVersion?: number;
  /** Called with each outcome as soon as it is there. */
  readonly onReport?: (report: ScenarioReport, done: number, of: number) => void;
}

/** Finds the scenario files at a path: the file itself, or all files below the folder, in order. */
export function findScenarios(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.scenario\.ya?ml$/.test(name) && !name.includes("node_modules"))
    .sort()
    .map((name) => join(path, name));
}

const USUAL_JOBS = 8;

/** The outcomes of scenarios, with what the library does not tell. */
export interface PlayedScenarios {
  readonly results: ScenarioResults;
  /** What each scenario that passed shows of its crews, if that was asked for. */
  readonly shown: readonly ShownBy[];
  /** The scenarios in the order of the results, as they were played. */
  readonly outcomes: readonly ScenarioOutcome[];
}

/** Plays scenarios, with what each that passed shows of its crews, if that is asked for. */
export async function playScenarios(paths: readonly string[], options: RunScenariosOptions): Promise<PlayedScenarios> {
  const { workingDirectory = process.cwd(), filter = "", bail = false, jobs = USUAL_JOBS, onReport } = options;
  const files = new Set(paths.flatMap((path) => findScenarios(resolve(workingDirectory, path))));
  const all = [...files].map((file) => openScenario(file, workingDirectory));
  const opened = all.filter(({ name, shown }) => isWanted(`${name} ${shown}`, filter));
  const outcomes: (ScenarioOutcome | undefined)[] = opened.map(() => undefined);
  const waiting = opened.entries();
  let [hasFailed, done] = [false, 0];
  const work = async () => {
    for (const [index, each] of waiting) {
      if (bail && hasFailed) return;
      const outcome = await playOpened(each, workingDirectory, options);
      outcomes[index] = outcome;
      hasFailed ||= outcome.report.problems.length > 0;
      onReport?.(outcome.report, ++done, opened.length);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, work));
  const played = outcomes.filter((each) => each !== undefined);
  const failed = played.filter(({ report }) => report.problems.length > 0).length;
  const results = {
    passed: played.length - failed,
    failed,
    scenarios: played.map(({ report }) => report),
    notPlayed: opened.length - played.length,
    filtered: all.length - opened.length,
  };
  return { results, shown: played.flatMap(({ shown }) => shown ?? []), outcomes: played };
}

/** Reads, plays and judges one scenario. */
export async function runScenario(file: string, workingDirectory: string): Promise<ScenarioReport> {
  return (await playOpened(openScenario(file, workingDirectory), workingDirectory, {})).report;
}

/** The same with the text of a scenario that is not stored, and the file that it would have. Its crew must be in the folder. */
export async function runScenarioText(file: string, text: string, workingDirectory: string): Promise<ScenarioReport> {
  const read = refuseForeign(parseScenario(file, text), file, workingDirectory);
  const shown = relative(workingDirectory, file);
  const name = ("scenario" in read ? read.scenario.name : undefined) ?? shown;
  return (await playOpened({ shown, name, read }, workingDirectory, {})).report;
}

/** Whoever sends a text may be somebody who must not read other files of this machine, or run code on it. */
function refuseForeign(read: ReadScenario, file: string, folder: string): ReadScenario {
  if ("diagnostics" in read) return read;
  const { run = ".", files } = read.scenario;
  if (!isInside(resolve(dirname(file), run), folder))
    throw new BatonError("outside-root", `'run' of the scenario leads out of the crew's folder: ${run}`);
  const code = [...(files?.keys() ?? [])].find((name) => !/\.(?:ya?ml|md|ai|json|txt)$/.test(name));
  if (code === undefined) return read;
  throw new BatonError("outside-root", `'files' of a scenario that is not stored are texts, and '${code}' may be code`);
}

interface OpenedScenario {
  readonly shown: string;
  readonly name: string;
  readonly read: ReadScenario;
}

export interface ScenarioOutcome {
  readonly report: ScenarioReport;
  readonly shown?: ShownBy;
  /** Absent if the file could not be read, or the run broke. */
  readonly scenario?: Scenario;
  readonly played?: Played;
}

function openScenario(file: string, workingDirectory: string): OpenedScenario {
  const shown = relative(workingDirectory, file);
  const read = readScenario(file, (each) => relative(workingDirectory, each));
  return { shown, read, name: ("scenario" in read ? read.scenario.name : undefined) ?? shown };
}

/** Every word must be somewhere in the text. */
function isWanted(text: string, filter: string): boolean {
  const lower = text.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

async function playOpened(
  { shown: file, name, read }: OpenedScenario,
  workingDirectory: string,
  { coverage = false, moduleVersion: version }: RunScenariosOptions,
): Promise<ScenarioOutcome> {
  const from = performance.now();
  const report = (problems: readonly string[], notes: readonly string[] = []): ScenarioReport => ({
    file,
    name,
    problems,
    notes,
    ms: Math.round((performance.now() - from) * 100) / 100,
  });
  if ("diagnostics" in read) return { report: report(read.diagnostics.map(describe)) };
  const { scenario } = read;
  try {
    const played = await playScenario(scenario, { version });
    const problems =
      scenario.expect === undefined
        ? ["the scenario expects nothing: say what must happen under 'expect', or let --update write what happens"]
        : judge(played, scenario.expect, scenario.script);
    const notes = [
      ...(scenario.unfilled ? ["unfilled: write real words, check what it expects, and delete 'unfilled'"] : []),
      ...played.refusals,
      ...listLeftovers(scenario, played.events ?? [], played.refusals.length),
    ];
    const isCounted = coverage && problems.length === 0;
    return {
      report: report(problems, notes),
      scenario,
      played,
      ...(isCounted && { shown: collectShown(file, scenario, played, workingDirectory) }),
    };
  } catch (error) {
    // Whatever goes wrong with one scenario, the others are played.
    return { report: report([explainError(error)]), scenario };
  }
}

function collectShown(file: string, scenario: Scenario, played: Played, workingDirectory: string): ShownBy {
  return { file, isUnfilled: scenario.unfilled === true, crews: findShown(scenario, played, workingDirectory) };
}

function explainError(error: unknown): string {
  if (error instanceof BatonError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Replies of the script and answers to pauses that the run did not use. */
function listLeftovers({ script, resume }: Scenario, events: readonly BatonEvent[], refused: number): string[] {
  const calls = (name: string) =>
    events.filter((event) => /^(model|function)\.called$/.test(event.type) && isNamed(event, name)).length;
  const replies = [...(script ?? [])].flatMap(([name, all]) => {
    const left = all.length - calls(name);
    return left > 0 ? [`${left} of ${formatAmount(all.length, "reply", "replies")} of ${name} left over`] : [];
  });
  const answers = (resume?.length ?? 0) - refused - events.filter(({ type }) => type === "run.resumed").length;
  return [
    ...replies,
    ...(answers > 0 && events.length > 0 ? [`${formatAmount(answers, "answer")} under resume left over`] : []),
  ];
}

function describe({ line, column, code, message }: Diagnostic): string {
  return `${line}:${column} ${code} ${message}`;
}
