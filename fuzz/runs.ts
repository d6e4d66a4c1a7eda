import { loadTexts } from "../src/definition/load-definition.ts";
import { planOf } from "../src/flow/plan/plan-of.ts";
import { createVirtualClock } from "../src/run/virtual-clock.ts";
import { continuationEvent } from "../src/runtime/continuation-events.ts";
import { buildResult } from "../src/views/run-result.ts";
import type { Crew } from "../src/vocabulary/crew.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { checkAgUi } from "./check-ag-ui.ts";
import { checkCrews } from "./check-crews.ts";
import { checkPlan } from "./check-plan.ts";
import { checkRun } from "./check-run.ts";
import { damageJournal } from "./damage-journal.ts";
import type { Keep } from "./keep-in-postgres.ts";
import { playCrew, playLeg } from "./play-crew.ts";
import { isFunction, type RandomCrew, randomCrew } from "./random-crew.ts";
import { randomCrews } from "./random-crews.ts";
import type { Crash } from "./random-surroundings.ts";
import { RECALL } from "./random-world.ts";
import { quiescence } from "./watched-clock.ts";
import { withoutContinued, withoutLost } from "./without-lost.ts";

export interface RunsOptions {
  readonly count: number;
  readonly seed: number;
  readonly onProgress?: (done: number) => void;
  /** Stores each run; what is read back is gone over and continued in place of what was written. */
  readonly keep?: Keep | undefined;
}

export interface RunsResult {
  readonly count: number;
  readonly failures: readonly { readonly seed: number; readonly problems: readonly string[] }[];
  readonly events: number;
  /** How often runs came to each end, such as `completed max_handoffs`. */
  readonly ends: ReadonlyMap<string, number>;
}

/** Runs random crews, each from a seed of its own: whatever happens in them, certain things must be true. */
export function fuzzRuns(options: RunsOptions): Promise<RunsResult> {
  return fuzzEach(options, (seed) => tryCrew(randomCrew(seed), keepAs(options, seed)));
}

/** The same with crews that call crews. */
export function fuzzCrews(options: RunsOptions): Promise<RunsResult> {
  return fuzzEach(options, (seed) => {
    const { random, crew } = randomCrews(seed, loadSurely);
    return tryLoaded(random, crew, checkCrews, keepAs(options, seed));
  });
}

type KeepRun = (events: readonly BatonEvent[]) => Promise<readonly BatonEvent[]>;

function keepAs({ keep }: RunsOptions, seed: number): KeepRun {
  return async (events) => (keep === undefined ? events : keep(events, seed));
}

function loadSurely(random: RandomCrew): Crew {
  const crew = load(random);
  if (typeof crew === "string") throw new Error(crew);
  return crew;
}

/** Random crews, alone and within each other, are planned and run once: no run exceeds its plan. */
export function fuzzPlans(options: RunsOptions): Promise<RunsResult> {
  return fuzzEach(options, async (seed) => {
    const { random, crew } = seed % 4 === 0 ? randomCrews(seed, loadSurely) : surelyLoaded(randomCrew(seed));
    return tryPlan(random, crew);
  });
}

/** Random crews, alone and within each other, are run once and told as AG-UI tells them: its own client takes every part. */
export function fuzzAgUi(options: RunsOptions): Promise<RunsResult> {
  return fuzzEach(options, async (seed) => {
    const { random, crew } = seed % 4 === 0 ? randomCrews(seed, loadSurely) : surelyLoaded(randomCrew(seed));
    const { events, problems } = await playCrew(crew, random, [], random.answers, random.interruptions);
    return { events, problems: [...problems, ...(await checkAgUi(events))] };
  });
}

function surelyLoaded(random: RandomCrew): { readonly random: RandomCrew; readonly crew: Crew } {
  return { random, crew: loadSurely(random) };
}

async function tryPlan(random: RandomCrew, crew: Crew): Promise<Tried> {
  const plan = planOf(crew, { input: random.input, suggests: false });
  const { events, problems } = await playCrew(crew, random, [], random.answers, random.interruptions);
  return { events, problems: [...problems, ...checkPlan(events, plan)] };
}

type Tried = { readonly events: readonly BatonEvent[]; readonly problems: readonly string[] };

async function fuzzEach(
  { count, seed, onProgress }: RunsOptions,
  tryIt: (seed: number) => Promise<Tried>,
): Promise<RunsResult> {
  const failures: RunsResult["failures"][number][] = [];
  const ends = new Map<string, number>();
  let events = 0;
  for (let run = 0; run < count; run++) {
    const tried = await tryIt(seed + run);
    if (tried.problems.length > 0) failures.push({ seed: seed + run, problems: tried.problems });
    events += tried.events.length;
    const end = tried.events.length === 0 ? "nothing" : endOf(tried.events);
    ends.set(end, (ends.get(end) ?? 0) + 1);
    onProgress?.(run + 1);
  }
  return { count, failures, events, ends };
}

function endOf(events: readonly BatonEvent[]): string {
  const { status, stopReason } = buildResult(events);
  return `${status} ${stopReason}`;
}

/** Runs one crew, goes over it again, and lets it die in the middle; gives its events and all that is wrong. */
export async function tryCrew(random: RandomCrew, keep: KeepRun = async (events) => events): Promise<Tried> {
  const crew = load(random);
  if (typeof crew === "string") return { events: [], problems: [crew] };
  return tryLoaded(random, crew, checkRun, keep);
}

async function tryLoaded(random: RandomCrew, crew: Crew, check: typeof checkRun, keep: KeepRun): Promise<Tried> {
  const uncaught: string[] = [];
  const onThrown = (reason: unknown) => void uncaught.push(`nobody caught ${String(reason)}`);
  process.on("unhandledRejection", onThrown);
  process.on("uncaughtException", onThrown);
  try {
    const first = await playCrew(crew, random, [], random.answers, random.interruptions);
    const events = first.problems.length === 0 ? await keep(first.events) : first.events;
    const problems = [
      ...(JSON.stringify(events) === JSON.stringify(first.events) ? [] : ["what was stored is not what was written"]),
      ...first.problems,
      ...(first.problems.length === 0 ? check(events, crew, { isTimed: true }) : []),
    ];
    if (problems.length === 0) problems.push(...(await goOverAgain(crew, random, events)));
    if (problems.length === 0) {
      problems.push(...(await goOverDamaged(crew, random, events)));
      for (const crash of random.crashes) problems.push(...(await goOnAfterCrash(crew, random, events, crash, check)));
    }
    await quiescence();
    return { events, problems: [...uncaught, ...problems] };
  } finally {
    process.off("unhandledRejection", onThrown);
    process.off("uncaughtException", onThrown);
  }
}

/** The crew, or why it does not load. */
function load({ crew, agents, tools }: RandomCrew): Crew | string {
  const texts = agents.map((agent) => ({ id: String(agent["id"]), text: JSON.stringify(agent, undefined, 2) }));
  const givenFunctions = agents.filter(isFunction).map(({ id }) => String(id));
  const options = { workingDirectory: process.cwd(), tools: Object.keys(tools), givenFunctions };
  const loaded = loadTexts(JSON.stringify(crew, undefined, 2), texts, options);
  const error = loaded.diagnostics.find(({ severity }) => severity === "error");
  if (error !== undefined) return `the crew does not load: ${error.code}: ${error.message}`;
  return loaded.crew ?? "the crew does not load";
}

/** A journal replayed gives itself, and calls nothing. */
async function goOverAgain(crew: Crew, random: RandomCrew, events: readonly BatonEvent[]): Promise<string[]> {
  const again = await playLeg(crew, random, events);
  const problems = [...again.problems];
  if (again.calls.length > 0) problems.push(`${again.calls[0]} is called again`);
  if (again.events.length > events.length) problems.push(`${again.events[events.length]?.type} is new`);
  return problems.map((problem) => `replayed: ${problem}`);
}

/** A journal that is not the run's own may be told apart, or not; it never makes the run hang or throw where nobody catches. */
async function goOverDamaged(crew: Crew, random: RandomCrew, events: readonly BatonEvent[]): Promise<string[]> {
  const { problems } = await playLeg(crew, random, damageJournal(events, random.damage));
  return problems
    .filter((problem) => !/^the run threw (Divergence|Error): the journal/.test(problem))
    .map((problem) => `replayed with event ${random.damage.how}: ${problem}`);
}

/** A run whose process dies goes on where it was: nothing that is recorded happens again, and all is as it must be. */
async function goOnAfterCrash(
  crew: Crew,
  random: RandomCrew,
  events: readonly BatonEvent[],
  { at, interruptions }: Crash,
  check: typeof checkRun,
): Promise<string[]> {
  const cut = 1 + Math.floor((at * (events.length - 1)) / 1000);
  // A call that was let through before its process died counts as of then.
  const before = events.slice(0, cut);
  const called = new Set(before.flatMap(({ type, path }) => (type === "model.called" ? [path] : [])));
  const isLetThrough = before.some(({ type, path }) => type === "quota.warning" && !called.has(path));
  const deadMs = at % 2 === 0 || isLetThrough ? 0 : DEAD_MS;
  const recorded = afterDeath(before, deadMs);
  const answers = events.slice(cut).flatMap((event) => (event.type === "run.resumed" ? [event.data] : []));
  const again = await playCrew(crew, random, recorded, answers, interruptions);
  const problems = [...again.problems];
  if (problems.length === 0) {
    problems.push(...check(again.events, crew, { isTimed: false }));
    problems.push(...repeats(recorded, again.events, again.calls));
    // What is written of the time of day, and may be called in a minute, is another after an hour.
    const isLeftAlone = random.interruptions.length + interruptions.length + deadMs === 0;
    const [whole, mended] = [withoutLost(events), withoutLost(again.events)];
    const followed = withoutContinued(again.events);
    const isWhole = mended.length === followed.length;
    if (isLeftAlone && isWhole) problems.push(...followsAgain(cut, events, followed));
    // A call that was lost counts in quotas, so that the run may come to another end.
    const mustBeSame = isWhole || !hasQuotas(crew);
    if (isLeftAlone && mustBeSame && isStraight(events) && isStraight(mended) && factsOf(mended) !== factsOf(whole))
      problems.push(difference(whole, mended));
    problems.push(...(await goOverAgain(crew, random, again.events)));
  }
  return problems.map((problem) => `after a crash at event ${cut}: ${problem}`);
}

function hasQuotas({ settings, agents, subCrews }: Crew): boolean {
  const isLimited = settings.quotas.length > 0 || [...agents.values()].some(({ quotas }) => quotas.length > 0);
  return isLimited || [...subCrews.values()].some(({ crew }) => hasQuotas(crew));
}

/** How long a run may lie there whose process died. */
const DEAD_MS = 3_600_000;

/** What is recorded of a run that somebody continues after its process died. */
function afterDeath(events: readonly BatonEvent[], deadMs: number): readonly BatonEvent[] {
  const last = events.at(-1);
  if (last === undefined || buildResult(events).status !== "running") return events;
  return [...events, continuationEvent(last, "recovered", createVirtualClock(last.ts + deadMs))];
}

/** What follows from the journal, until something new comes from outside, is what followed before. */
function followsAgain(from: number, events: readonly BatonEvent[], again: readonly BatonEvent[]): string[] {
  const until = events.findIndex((event, index) => index >= from && isFromOutside(event));
  const [before, now] = [events, again].map((each) => each.slice(from, until === -1 ? undefined : until));
  return before === undefined || now === undefined || factsOf(before) === factsOf(now) ? [] : [difference(before, now)];
}

const isFromOutside = (event: BatonEvent) =>
  isResult(event) || /^run\.(paused|resumed)$|^deadline|^memory\.recalled$/.test(event.type);
const isCall = ({ type }: BatonEvent) => /^((model|tool|function)\.called|external\.emitted)$/.test(type);
const isResult = ({ type }: BatonEvent) =>
  /^((model|tool|function)\.(completed|failed)|external\.delivered)$/.test(type);

/** What has a result in the journal is not called again. */
function repeats(recorded: readonly BatonEvent[], events: readonly BatonEvent[], calls: readonly string[]): string[] {
  const most = events.filter(isCall).length - recorded.filter(isResult).length;
  const made = calls.filter((call) => call !== RECALL);
  return made.length <= most ? [] : [`${made.length} calls were made, where ${most} had no result`];
}

/** Whether nothing in a run depends on what was faster, so that it must come to the same end from wherever it was interrupted. */
function isStraight(events: readonly BatonEvent[]): boolean {
  return events.every(
    (event) =>
      event.type !== "parallel.started" &&
      event.type !== "crews.joined" &&
      event.type !== "crew.entered" &&
      event.type !== "advisors.started" &&
      event.type !== "team.cycle" &&
      event.type !== "deadline.passed" &&
      event.type !== "run.cancelling" &&
      // A guard beside the first model call.
      !/(^|\/)gi\d+r1(\/|$)/.test(event.path) &&
      (event.type !== "model.failed" || event.data.code !== "timeout") &&
      (event.type !== "model.completed" || event.data.toolCalls.length < 2),
  );
}

function factsOf(events: readonly BatonEvent[]): string {
  return JSON.stringify(events.map(({ seq, type, path, agent, data }) => ({ seq, type, path, agent, data })));
}

function difference(events: readonly BatonEvent[], again: readonly BatonEvent[]): string {
  const at = events.findIndex((event, index) => factsOf([event]) !== factsOf(again.slice(index, index + 1)));
  return `event ${at} is ${factsOf(again.slice(at, at + 1))}, and was ${factsOf(events.slice(at, at + 1))}`;
}
