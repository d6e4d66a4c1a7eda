import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

/** What a killed process has written stays in memory as on a disk, and thousands of processes do not wait for a disk. */
const SCRATCH = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

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
  return fromCalm(file, proof, async (start, calm) => {
    const points: CrashPoint[] = [];
    let states = [start];
    for (const stride of proof.strides) states = await breakEach(states, stride, calm, proof, points);
    return points;
  });
}

/** Kills one process after the other where it is said, and goes on in one more: a single point. */
export async function proveDeaths(
  file: string,
  deaths: readonly Death[],
  answering: Answering,
  program: ChildProgram,
): Promise<CrashPoint> {
  const proof = { program, strides: [] };
  return fromCalm(file, proof, async (start, calm) => {
    let state: Broken | undefined = { ...start, answering };
    for (const death of deaths) state = state && (await kill(state, death, proof));
    if (state === undefined) throw new Error(`${file}: there are not so many writes`);
    return (await goOn(state, calm, proof)).point;
  });
}

async function fromCalm<Value>(
  file: string,
  proof: Proof,
  go: (start: Broken, calm: Ending) => Promise<Value>,
): Promise<Value> {
  const scratch = mkdtempSync(join(SCRATCH, "baton-proof-"));
  try {
    const start: State = { file, folder: join(scratch, "0"), deaths: [] };
    writeFiles(file, join(start.folder, "crew"));
    const calm = await endFrom(start, "truth", proof);
    return await go({ ...start, answering: "truth", writes: calm.report.writes }, calm);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
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
  for (const [index, before] of states.entries()) {
    for (let at = index % Math.min(stride, before.writes); at < before.writes; at += stride) {
      for (const when of ["before", "in", "after"] as const) {
        const broken = await breakOnce(before, { at, when }, calm, proof);
        if (broken === undefined) continue;
        points.push(broken.point);
        if (broken.end !== undefined) onState(broken.end.state, broken.end.kind, broken.end.report);
      }
    }
  }
  return [...kinds.values()];
}

/** Kills one more process, and lets another go on. That either fails otherwise is a problem too. */
async function breakOnce(before: Broken, death: Death, calm: Ending, proof: Proof) {
  try {
    const state = await kill(before, death, proof);
    // Writes that only a slow machine makes, such as saying that it is alive, may not come again.
    if (state === undefined) return undefined;
    const { point, kind, report } = await goOn(state, calm, proof);
    return { point, end: { state, kind, report } };
  } catch (error) {
    const { file, answering } = before;
    const problems = [error instanceof Error ? error.message : String(error)];
    const point = { scenario: file, deaths: [...before.deaths, death], answering, decisions: 0, problems };
    return { point, end: undefined };
  }
}

/** Kills one more process; undefined where it lived. */
async function kill(before: Broken, death: Death, { program }: Proof): Promise<Broken | undefined> {
  const { file, answering } = before;
  const deaths = [...before.deaths, death];
  const folder = `${before.folder}.${deaths.length}${answering}${death.at}${death.when}`;
  cpSync(before.folder, folder, { recursive: true });
  const laterMs = before.deaths.length * LATER_MS;
  const lived = await startChild(program, { scenario: file, folder, answering, death, laterMs });
  return lived === undefined ? { ...before, folder, deaths } : undefined;
}

/** Lets one more process go on to the end. */
async function goOn(state: Broken, calm: Ending, proof: Proof) {
  const { file, deaths, answering } = state;
  const ending = await endFrom(state, answering, proof);
  const { events } = ending.report;
  const aboutCalls = events.flatMap((event) =>
    event.type === "run.resumed" && isAboutCall(event) ? [`${event.data.decision} ${event.path}`] : [],
  );
  const decisions = events.filter(({ type }) => type === "run.resumed" || type === "run.cancelled").length;
  const problems = judgeEnding(calm, ending, answering);
  const point: CrashPoint = { scenario: file, deaths, answering, decisions, problems };
  return { point, kind: aboutCalls.join(), report: ending.report };
}

/** Goes on in a copy of the folder, so that others can go on from the same state. */
async function endFrom(state: State, answering: Answering, { program }: Proof): Promise<Ending> {
  const folder = `${state.folder}.end`;
  cpSync(state.folder, folder, { recursive: true });
  try {
    const laterMs = state.deaths.length * LATER_MS;
    const report = await startChild(program, { scenario: state.file, folder, answering, laterMs });
    if (report === undefined) throw new Error(`${state.file}: a process died without being killed`);
    return endingIn(folder, report);
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
