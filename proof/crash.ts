import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readScenario } from "../src/scenario/read-scenario.ts";
import { type Answering, isAboutCall } from "./answers.ts";
import type { ChildReport } from "./crash-child.ts";
import { type Ending, endingIn, judgeEnding } from "./judge-point.ts";
import type { Death } from "./killing-store.ts";
import { type ChildProgram, startChild } from "./start-child.ts";

/** How much later each process is than the one before: leases have run out, and the time that a tool may take has passed. */
const LATER_MS = 600_000;

/** What became of killing the processes of a run one after the other, and going on in one more. */
export interface CrashPoint {
  readonly scenario: string;
  /** Where each process was killed; the last is the one that is new in this point. */
  readonly deaths: readonly Death[];
  readonly answering: Answering;
  /** How many answers the run was given, being cancelled included. */
  readonly decisions: number;
  /** What is wrong with how it ended; empty where all is well. */
  readonly problems: readonly string[];
}

export interface Proof {
  readonly program: ChildProgram;
  /**
   * For each process that is killed, the first, the second and so on: of how many writes it dies at one. Which ones differs
   * between the states that it begins in, so that together they are all.
   */
  readonly strides: readonly number[];
}

/**
 * Kills a run before, in and after the writes that it makes, and goes on in another process. Then kills that one likewise,
 * and the one after it: from a state of each kind, which is told by what was answered there about calls under way.
 */
export async function proveScenario(file: string, proof: Proof): Promise<CrashPoint[]> {
  const scratch = mkdtempSync(join(tmpdir(), "baton-proof-"));
  const points: CrashPoint[] = [];
  try {
    const start = join(scratch, "0");
    writeFiles(file, join(start, "crew"));
    const calm = await endFrom({ file, folder: start, deaths: [] }, "truth", proof);
    if (calm === undefined) throw new Error(`${file}: the process died without being killed`);
    let states: Broken[] = [{ file, folder: start, deaths: [], answering: "truth", writes: calm.report.writes }];
    for (const stride of proof.strides) states = await breakEach(states, stride, calm, proof, points);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return points;
}

/** A run as processes that were killed left it. */
interface State {
  readonly file: string;
  readonly folder: string;
  readonly deaths: readonly Death[];
}

/** A state from which to go on in a way, with how many writes that takes. */
interface Broken extends State {
  readonly answering: Answering;
  readonly writes: number;
}

/** Kills the next process of each, at each of its writes; gives states of each kind that was come to. */
async function breakEach(
  states: readonly Broken[],
  stride: number,
  calm: Ending,
  proof: Proof,
  points: CrashPoint[],
): Promise<Broken[]> {
  const kinds = new Map<string, Broken>();
  const onState = (state: Broken, kind: string, report: ChildReport) => {
    const answers: Answering[] = kind === "" ? ["truth"] : ["truth", "happened", "not_happened", "cancel"];
    // What is cancelled stays so.
    const ways = state.answering === "cancel" ? [state.answering] : answers;
    for (const answering of ways) {
      const key = `${answering} ${kind}`;
      if (!kinds.has(key)) kinds.set(key, { ...state, answering, writes: report.writes });
    }
  };
  for (const [index, state] of states.entries()) {
    for (let at = index % Math.min(stride, state.writes); at < state.writes; at += stride) {
      for (const when of ["before", "in", "after"] as const) {
        const point = await crash(state, { at, when }, calm, proof, onState);
        if (point !== undefined) points.push(point);
      }
    }
  }
  return [...kinds.values()];
}

/** Kills one more process, and lets another go on to the end. */
async function crash(
  before: Broken,
  death: Death,
  calm: Ending,
  proof: Proof,
  onState: (state: Broken, kind: string, report: ChildReport) => void,
): Promise<CrashPoint | undefined> {
  const deaths = [...before.deaths, death];
  const state: Broken = {
    ...before,
    folder: `${before.folder}.${deaths.length}${before.answering}${death.at}${death.when}`,
    deaths,
  };
  cpSync(before.folder, state.folder, { recursive: true });
  const { file, answering } = before;
  const laterMs = before.deaths.length * LATER_MS;
  const lived = await startChild(proof.program, { scenario: file, folder: state.folder, answering, death, laterMs });
  // Writes that only a slow machine makes, such as saying that it is alive, may not come again.
  if (lived !== undefined) return undefined;
  const ending = await endFrom(state, answering, proof);
  if (ending === undefined) throw new Error(`${file}: a process died without being killed`);
  const { report } = ending;
  const about = report.events.flatMap((event) =>
    event.type === "run.resumed" && isAboutCall(event) ? [`${event.data.decision} ${event.path}`] : [],
  );
  onState(state, about.join(), report);
  const decisions = report.events.filter(({ type }) => type === "run.resumed" || type === "run.cancelled").length;
  return { scenario: file, deaths, answering, decisions, problems: judgeEnding(calm, ending, answering) };
}

/** Goes on in a copy of the folder, so that others can go on from the same state. */
async function endFrom(state: State, answering: Answering, { program }: Proof): Promise<Ending | undefined> {
  const folder = `${state.folder}.end`;
  cpSync(state.folder, folder, { recursive: true });
  try {
    const laterMs = state.deaths.length * LATER_MS;
    const report = await startChild(program, { scenario: state.file, folder, answering, laterMs });
    return report && endingIn(folder, report);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeFiles(file: string, folder: string): void {
  const read = readScenario(file, () => file);
  if ("diagnostics" in read) throw new Error(read.diagnostics.map(({ message }) => message).join("\n"));
  for (const [name, text] of read.scenario.files ?? []) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
