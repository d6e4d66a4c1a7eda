import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type LocatedDefinition, locateDefinition } from "../definition/load-definition.ts";
import { openMemoryStore } from "../journal/memory-store.ts";
import type { World } from "../orchestration/crew-run.ts";
import { buildScript } from "../prepare/build-script.ts";
import { collectTeamKinds } from "../prepare/collect-team-kinds.ts";
import { prepareFunctions } from "../prepare/prepare-functions.ts";
import { prepareScript } from "../prepare/prepare-models.ts";
import { createRedactor } from "../redaction/redactor.ts";
import { sleep } from "../run/clock.ts";
import { createVirtualClock, type VirtualClock } from "../run/virtual-clock.ts";
import { checkAnswer, refuseUnfitArguments } from "../runtime/check-answer.ts";
import { answerEvent } from "../runtime/continuation-events.ts";
import { execute } from "../runtime/execute.ts";
import { openMemory } from "../runtime/open-memory.ts";
import { answerAtDeadline } from "../runtime/pause-deadline.ts";
import { matchServerPattern } from "../tools/server-pattern.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent, EventOf } from "../vocabulary/events.ts";
import { toRunId } from "../vocabulary/ids.ts";
import type { RecordedAnswer, ResumeAnswer } from "../vocabulary/pause.ts";
import type { Scenario } from "./read-scenario.ts";
import { openScenarioFiles, type ScenarioFiles } from "./scenario-files.ts";
import { createScenarioTools, listApprovals } from "./scenario-tools.ts";

/** The result of a scenario: the crew was loaded and run, or it could not be loaded. */
export interface Played {
  /** As much of the crew as could be loaded. */
  readonly crew: Crew | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Where things stand in the crew's files. */
  readonly definition: LocatedDefinition;
  /** The folder that the files' names are relative to; a crew inline was written there and is gone. */
  readonly folder: string;
  readonly events: readonly BatonEvent[] | undefined;
  /** Why answers under `resume` were refused. */
  readonly refusals: readonly string[];
  /** A text with the content of the text files that it refers to. */
  readonly expand?: (text: string) => string;
}

const noEvents = { events: undefined, refusals: [] };

/** What players may share. */
export interface PlayOptions {
  /** The crew as it was loaded, for whoever plays it many times. */
  readonly loaded?: LocatedDefinition;
  /** Modules of agents' functions are imported again where they were imported with another version. */
  readonly version?: number | undefined;
}

/** Loads the crew of a scenario, runs it on the script, and answers its pauses. It calls nothing outside. */
export async function playScenario(scenario: Scenario, { loaded, version }: PlayOptions = {}): Promise<Played> {
  const folder = scenario.files === undefined ? undefined : writeFiles(scenario.files);
  try {
    const base = folder ?? dirname(scenario.file);
    const definition =
      loaded ??
      locateDefinition(resolve(base, scenario.run ?? "."), {
        workingDirectory: base,
        tools: [...(scenario.tools?.keys() ?? [])],
        approvals: listApprovals(scenario.tools),
        ...(folder !== undefined && { root: folder }),
      });
    const { crew, diagnostics } = definition;
    const isInvalid = crew === undefined || diagnostics.some(({ severity }) => severity === "error");
    const played = isInvalid ? noEvents : await play(crew, scenario, version, openScenarioFiles(scenario, base));
    return { crew, diagnostics, definition, folder: base, ...played };
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true });
  }
}

async function play(
  crew: Crew,
  scenario: Scenario,
  version: number | undefined,
  files: ScenarioFiles,
): Promise<Pick<Played, "events" | "refusals" | "expand">> {
  const teamKinds = collectTeamKinds(crew, undefined);
  const clock = createVirtualClock();
  const script = buildScript(scenario.script);
  const models = await prepareScript(crew, script, clock);
  const findFunction = await prepareFunctions(crew, { script, version }, clock);
  const tools = createScenarioTools(scenario.tools, (ms, signal) => sleep(clock, ms, signal), files.readResult);
  // What a scenario remembers is gone when it ends.
  const memory = openMemory(openMemoryStore({ clock }), clock, {});
  const runId = toRunId("run_scenario");
  const refusals: string[] = [];
  const attachments = await files.bring(scenario.attachments, crew);
  const start = { input: scenario.input ?? "", ...(attachments.length > 0 && { attachments }) };
  let recorded: BatonEvent[] = [];
  for (const [index, answer] of [undefined, ...(scenario.resume ?? [])].entries()) {
    const paused = recorded.at(-1);
    if (answer !== undefined) {
      if (paused?.type !== "run.paused") break;
      const given = answer.expired
        ? expire(paused, clock)
        : answerEvent(paused, await buildAnswer(answer, files, crew), clock);
      const refusal = typeof given === "string" ? given : await readRefusal(paused, given, crew, tools);
      if (typeof given === "string" || refusal !== undefined) {
        refusals.push(`resume ${index} was refused, and the run stayed paused: ${refusal}`);
        continue;
      }
      recorded = [...recorded, given];
    }
    const events = [...recorded];
    await execute(
      {
        crew,
        clock,
        models,
        findFunction,
        memory,
        redactor: createRedactor({}),
        tool: tools,
        serverTools: (pattern) => matchServerPattern(pattern, scenario.tools?.keys() ?? []),
        external: async () => ({ failures: [] }),
        teamKinds,
      },
      {
        id: runId,
        start,
        recorded,
        blobs: files.blobs,
        root: files.folder,
        onEvent: (event) => void (event.seq !== undefined && events.push(event)),
      },
    );
    recorded = events;
  }
  return { events: recorded, refusals, expand: (text) => files.expand(text, recorded) };
}

/** A refused answer changes nothing: the run stays paused. */
async function readRefusal(
  paused: EventOf<"run.paused">,
  answer: EventOf<"run.resumed">,
  crew: Crew,
  tools: World["tool"],
): Promise<string | undefined> {
  try {
    if (answer.data.by === undefined) checkAnswer(paused.data, withoutFiles(answer.data), crew);
    await refuseUnfitArguments(paused, answer, crew, tools);
    return undefined;
  } catch (error) {
    if (error instanceof BatonError) return error.message;
    throw error;
  }
}

function withoutFiles({ attachments: _, ...answer }: RecordedAnswer): ResumeAnswer {
  return answer;
}

/** Lets the pause expire without an answer, or says why it has no deadline. */
function expire(paused: EventOf<"run.paused">, clock: VirtualClock): EventOf<"run.resumed"> | string {
  const { expiresAt } = paused.data;
  if (expiresAt === undefined) return "the pause has no deadline that could pass: set 'pause_timeout'";
  clock.passUntil(Date.parse(expiresAt));
  return answerEvent(paused, answerAtDeadline(paused.data), clock);
}

type AnswerKeys = NonNullable<Scenario["resume"]>[number];

async function buildAnswer(
  { attachments, ...keys }: AnswerKeys,
  files: ScenarioFiles,
  crew: Crew,
): Promise<RecordedAnswer> {
  const given = Object.fromEntries(
    Object.entries(keys).filter(([key, value]) => value !== undefined && key !== "expired"),
  );
  return attachments === undefined ? given : { ...given, attachments: await files.bring(attachments, crew) };
}

function writeFiles(files: ReadonlyMap<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "baton-scenario-"));
  for (const [name, text] of files) {
    const file = resolve(folder, name);
    if (!file.startsWith(folder)) throw new BatonError("outside-root", `the file '${name}' leads out of the scenario`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return folder;
}
