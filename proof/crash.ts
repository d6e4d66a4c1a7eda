import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Chance, createChance } from "../fuzz/chance.ts";
import { readScenario } from "../src/scenario/read-scenario.ts";
import { type Answering, isAboutCall } from "./answers.ts";
import type { ChildReport } from "./crash-child.ts";
import { draw, sharePoints } from "./draw-points.ts";
import { type Ending, endingIn, judgeEnding } from "./judge-point.ts";
import type { Death } from "./killing-store.ts";
import { filePlaces, type Places } from "./places.ts";
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
  /** What kind of store the runs are in. */
  readonly places: Places;
  /** Draws the states that later processes begin in, and the deaths of third processes. */
  readonly seed: number;
  /** How many points are tried; all of them where it is absent. */
  readonly points?: number | undefined;
  /** How many deaths of third processes are tried where all others are. */
  readonly thirds: number;
  /** How many points are tried at once. */
  readonly atOnce: number;
  readonly onPoint: (point: CrashPoint) => void;
}

/**
 * Kills a run before, in and after each write that it makes, and continues in another process, in a state of every kind with
 * every answer (kinds differ in what is asked about calls under way). Then kills that process at each of its writes: the one
 * that answers what is true, and one of the others. Of the deaths of the process after that, some are drawn.
 */
export async function proveScenario(file: string, proof: Proof): Promise<void> {
  const chance = createChance(proof.seed);
  await fromCalm(file, proof, async (start, calm) => {
    const shares = sharePoints(proof);
    const first = draw(listAttempts([start], chance), shares.first);
    const afterOne = draw(await tryAll(first, calm, proof), shares.states);
    const second = listAttempts(await answerAll(afterOne, calm, proof, chance), chance);
    const afterTwo = draw(await tryAll(draw(second, shares.second), calm, proof), shares.states);
    const third = listAttempts(await answerAll(afterTwo, calm, proof, chance), chance);
    await tryAll(draw(third, shares.third), calm, proof);
  });
}

/** Kills one process after the other at the given writes, and continues in one more: a single point. */
export async function proveDeaths(
  file: string,
  deaths: readonly Death[],
  answering: Answering,
  program: ChildProgram,
  places: Places = filePlaces,
): Promise<CrashPoint> {
  const means = { program, places };
  return fromCalm(file, means, async (start, calm) => {
    let state: Broken | undefined = { ...start, answering };
    for (const death of deaths) state = state && (await kill(state, death, means));
    if (state === undefined) throw new Error(`${file}: there are not so many writes`);
    return (await goOn(state, calm, means)).point;
  });
}

/** The program that runs and continues runs, and where those are. */
type Means = Pick<Proof, "program" | "places">;

async function fromCalm<Value>(
  file: string,
  means: Means,
  go: (start: Broken, calm: Ending) => Promise<Value>,
): Promise<Value> {
  const scratch = mkdtempSync(join(SCRATCH, "baton-proof-"));
  try {
    const start: State = { file, folder: join(scratch, "0"), deaths: [] };
    writeFiles(file, join(start.folder, "crew"));
    const calm = await endFrom(start, "truth", means);
    return await go({ ...start, answering: "truth", from: 0, writes: calm.report.writes }, calm);
  } finally {
    await means.places.removeAll(scratch);
  }
}

/** A run as processes that were killed left it. */
interface State {
  readonly file: string;
  readonly folder: string;
  readonly deaths: readonly Death[];
}

/** A state and a way to answer in it. The next process may die at each of the writes from `from` up to `writes`. */
interface Broken extends State {
  readonly answering: Answering;
  readonly from: number;
  readonly writes: number;
}

/** A process to kill. Ranks are drawn beforehand, so choices by rank do not depend on which process is faster. */
interface Attempt {
  readonly before: Broken;
  readonly death: Death;
  readonly rank: number;
}

const whens = ["before", "in", "after"] as const;

/** All deaths that the next process can die in each of the states. */
function listAttempts(states: readonly Broken[], chance: Chance): Attempt[] {
  return states.flatMap((before) =>
    Array.from({ length: before.writes - before.from }, (_, index) => before.from + index).flatMap((at) =>
      whens.map((when) => ({ before, death: { at, when }, rank: chance.below(2 ** 31) })),
    ),
  );
}

/** A state that was reached, and what was answered about calls when it was continued. */
interface Reached {
  readonly state: Broken;
  readonly kind: string;
  readonly report: ChildReport;
}

type Ranked = Reached & { readonly rank: number };

/** Tries the attempts; gives a state of each kind that was reached. */
async function tryAll(attempts: readonly Attempt[], calm: Ending, proof: Proof): Promise<readonly Ranked[]> {
  const kinds = new Map<string, Ranked>();
  await mapAll(attempts, proof.atOnce, async (attempt) => {
    const reached = await tryOnce(attempt, calm, proof);
    if (reached === undefined) return;
    const key = `${reached.state.answering === "cancel"} ${kindOf(reached, attempt)}`;
    const known = kinds.get(key);
    const isChosen = known === undefined || attempt.rank < known.rank;
    if (isChosen) kinds.set(key, { ...reached, rank: attempt.rank });
    const unused = isChosen ? known : reached;
    if (unused !== undefined) await proof.places.remove(unused.state.folder);
  });
  return [...kinds.values()];
}

/** States in which nothing is asked about a call differ in how far the run had come, in quarters. */
function kindOf({ kind }: Reached, { before, death }: Attempt): string {
  return kind === "" ? `quarter ${Math.floor((4 * death.at) / before.writes)}` : kind;
}

/** Continues each state with every other answer; gives the states with the answer they had, and with one of the others. */
async function answerAll(
  reached: readonly Reached[],
  calm: Ending,
  proof: Proof,
  chance: Chance,
): Promise<readonly Broken[]> {
  const begun = reached.map(({ state, report }) => ({ ...state, from: 0, writes: report.writes }));
  const others = reached.flatMap(({ state, kind }) => {
    const answers = otherAnswers(state, kind);
    const drawn = chance.anyOf(answers);
    return answers.map((answering) => ({ ...state, answering, isDrawn: answering === drawn }));
  });
  const otherwise = await mapAll(others, proof.atOnce, async ({ isDrawn, ...state }) => {
    const end = await watch(state, proof, () => goOn(state, calm, proof));
    if (end === undefined || !isDrawn) return [];
    const { writes, writesBeforeAnswer = writes } = end.report;
    // Until it is answered the next process does the same as with every other answer.
    return [{ ...state, from: writesBeforeAnswer, writes }];
  });
  return [...begun, ...otherwise.flat()];
}

/** A cancelled run stays cancelled, and where nothing is asked about a call all answers are the same. */
function otherAnswers({ answering }: Broken, kind: string): readonly Answering[] {
  if (answering === "cancel" || kind === "") return [];
  return (["truth", "happened", "not_happened", "cancel"] as const).filter((other) => other !== answering);
}

/** Kills one more process, and lets another continue. */
async function tryOnce({ before, death }: Attempt, calm: Ending, proof: Proof): Promise<Reached | undefined> {
  return watch({ ...before, deaths: [...before.deaths, death] }, proof, async () => {
    const state = await kill(before, death, proof);
    // Writes that only a slow machine makes, such as saying that it is alive, may not come again.
    return state && goOn(state, calm, proof);
  });
}

/** Tells of the point that is tried. A process that fails in another way is a problem too. */
async function watch(
  { file, deaths, answering }: Broken,
  { onPoint }: Proof,
  tries: () => Promise<(Reached & { readonly point: CrashPoint }) | undefined>,
): Promise<Reached | undefined> {
  try {
    const reached = await tries();
    if (reached !== undefined) onPoint(reached.point);
    return reached;
  } catch (error) {
    const problems = [error instanceof Error ? error.message : String(error)];
    onPoint({ scenario: file, deaths, answering, decisions: 0, problems });
    return undefined;
  }
}

/** Acts on all items, several at once; the results are in the order of the items. */
async function mapAll<Item, Value>(
  items: readonly Item[],
  atOnce: number,
  act: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const results: Value[] = [];
  const waiting = [...items.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, item] = next;
      results[index] = await act(item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

/** Kills one more process; undefined where it lived. */
async function kill(before: Broken, death: Death, { program, places }: Means): Promise<Broken | undefined> {
  const { file, answering } = before;
  const deaths = [...before.deaths, death];
  const folder = `${before.folder}.${deaths.length}${answering}${death.at}${death.when}`;
  await places.copy(before.folder, folder);
  const laterMs = before.deaths.length * LATER_MS;
  const store = places.nameStore(folder);
  const lived = await startChild(program, { scenario: file, folder, store, answering, death, laterMs });
  return lived === undefined ? { ...before, folder, deaths } : undefined;
}

/** Lets one more process go on to the end. */
async function goOn(state: Broken, calm: Ending, means: Means) {
  const { file, deaths, answering } = state;
  const ending = await endFrom(state, answering, means);
  const { events } = ending.report;
  const aboutCalls = events.flatMap((event) =>
    event.type === "run.resumed" && isAboutCall(event) ? [`${event.data.decision} ${event.path}`] : [],
  );
  const decisions = events.filter(({ type }) => type === "run.resumed" || type === "run.cancelled").length;
  const problems = judgeEnding(calm, ending, answering);
  const point: CrashPoint = { scenario: file, deaths, answering, decisions, problems };
  return { point, state, kind: aboutCalls.join(), report: ending.report };
}

/** Goes on in a copy of the folder, so that others can go on from the same state. */
async function endFrom(state: State, answering: Answering, { program, places }: Means): Promise<Ending> {
  const folder = `${state.folder}.end${answering}`;
  await places.copy(state.folder, folder);
  try {
    const laterMs = state.deaths.length * LATER_MS;
    const store = places.nameStore(folder);
    const report = await startChild(program, { scenario: state.file, folder, store, answering, laterMs });
    if (report === undefined) throw new Error(`${state.file}: a process died without being killed`);
    return endingIn(folder, report);
  } finally {
    await places.remove(folder);
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
