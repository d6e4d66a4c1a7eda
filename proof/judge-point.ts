import { checkAnyRun } from "../fuzz/check-run.ts";
import { buildResult } from "../src/views/run-result.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { type Answering, isAboutCall } from "./answers.ts";
import type { ChildReport } from "./crash-child.ts";
import { nameOfCall, readCall, readFiles, readWorld, type WorldLine } from "./world.ts";

/** How a run ended, and what it did to the world. */
export interface Ending {
  readonly report: ChildReport;
  readonly calls: number;
  readonly effects: readonly WorldLine[];
  readonly answers: readonly WorldLine[];
  /** The files in the folder of the crew, by name. */
  readonly files: Readonly<Record<string, string>>;
}

export function endingIn(folder: string, report: ChildReport): Ending {
  const [effects, answers] = [readWorld(folder, "effects"), readWorld(folder, "answers")];
  return { report, calls: readWorld(folder, "calls").length, effects, answers, files: readFiles(folder) };
}

/** What is wrong with how a run ended that was killed, against one that was not. */
export function judgeEnding(calm: Ending, ending: Ending, answering: Answering): string[] {
  const { events, replayed } = ending.report;
  const isCancelled = answering === "cancel" && buildResult(events).status === "cancelled";
  return [
    ...(isCancelled ? [] : compareResults(calm.report.events, events)),
    ...(events.every(({ seq }, index) => seq === index) ? [] : ["the events have a gap"]),
    ...checkAnyRun(events),
    ...judgeModelCalls(calm, ending, isCancelled),
    ...judgeEffects(calm, ending),
    ...(isCancelled ? [] : judgeTraces(calm, ending)),
    ...judgeKeys(ending),
    ...judgeIntents(events),
    ...judgeWords(ending),
    ...(replayed ? [] : ["the run cannot be replayed"]),
  ];
}

function compareResults(calm: readonly BatonEvent[], events: readonly BatonEvent[]): string[] {
  const [expected, actual] = [buildResult(calm), buildResult(events)];
  const same = ["status", "stopReason", "output", "finalAgent", "path", "handoffs", "rounds", "usage"] as const;
  const differing = same.filter((key) => JSON.stringify(expected[key]) !== JSON.stringify(actual[key]));
  const lost = countLost(events);
  return [
    ...differing.map((key) => `${key} is ${JSON.stringify(actual[key])}, not ${JSON.stringify(expected[key])}`),
    ...(actual.cost.unknownCalls === expected.cost.unknownCalls + lost ? [] : ["a lost call is not in the accounts"]),
  ];
}

function judgeModelCalls(calm: Ending, { report: { events }, calls }: Ending, isCancelled: boolean): string[] {
  const lost = countLost(events);
  const results = events.filter(({ type }) => type === "model.completed" || type === "model.failed").length;
  // Where a run is cancelled, calls that nobody made are closed too.
  const least = isCancelled ? 0 : results - lost;
  return [
    ...(calls <= results ? [] : [`the provider saw ${calls} calls, and the journal has ${results}`]),
    ...(calls >= least ? [] : [`the journal has ${results} calls, ${lost} lost, and the provider saw ${calls}`]),
    ...(calls <= calm.calls + lost ? [] : [`${calls} calls where ${calm.calls} and ${lost} lost are due`]),
  ];
}

/** A call that must not be made twice is made once, but for what somebody said of it that was not so. */
function judgeEffects(calm: Ending, { report: { events }, effects, answers }: Ending): string[] {
  const due = countByCall(calm.effects);
  const had = countByCall(effects);
  const lies = answers.filter(({ isTrue }) => isTrue === false);
  const denied = countByCall(lies.filter(({ decision }) => decision === "not_happened"));
  const claimed = countByCall(lies.filter(({ decision }) => decision === "happened"));
  const intents = countByCall(events.flatMap((event) => readCall(event, events) ?? []));
  const isCancelled = events.at(-1)?.type === "run.cancelled";
  return [...new Set([...due.keys(), ...had.keys()])].flatMap((call) => {
    const [count = 0, expected = 0] = [had.get(call), due.get(call)];
    const most = expected + (denied.get(call) ?? 0);
    const least = isCancelled ? 0 : expected - (claimed.get(call) ?? 0);
    return [
      ...(count <= most && count >= least ? [] : [`${call} was called ${count} times, not ${least} to ${most}`]),
      ...(count <= (intents.get(call) ?? 0) ? [] : [`${call} was called more often than it is on record`]),
    ];
  });
}

/** What a run leaves behind is the same however often it was killed, but for what somebody said that was not so. */
function judgeTraces(calm: Ending, { report, files, answers }: Ending): string[] {
  if (answers.some(({ isTrue }) => isTrue === false)) return [];
  const names = [...new Set([...Object.keys(calm.files), ...Object.keys(files)])];
  const changed = names.filter((name) => calm.files[name] !== files[name]);
  const [kept, expected] = [report, calm.report].map((each) =>
    [...each.memories, ...listShared(each.events)].join(", "),
  );
  return [
    ...changed.map((name) => `${name} is ${JSON.stringify(files[name])}, not ${JSON.stringify(calm.files[name])}`),
    ...(kept === expected ? [] : [`the memory has ${kept}, not ${expected}`]),
  ];
}

/** What the crews of a run keep for each other at its end. */
function listShared(events: readonly BatonEvent[]): string[] {
  const last = new Map(events.flatMap(({ type, data }) => (type === "memory.set" ? [[data.key, data] as const] : [])));
  return [...last.values()].map(({ key, value, version }) => `${key}: ${JSON.stringify(value)} (${version})`).sort();
}

/** Each attempt at a call has the key of the call, which no other call has, and a number above those before. */
function judgeKeys({ effects }: Ending): string[] {
  const told = effects.flatMap(({ callId, idempotencyKey, attempt }) =>
    callId === undefined || idempotencyKey === undefined || attempt === undefined
      ? []
      : [{ callId, idempotencyKey, attempt }],
  );
  return told.flatMap(({ callId, idempotencyKey, attempt }, index) => {
    const before = told.slice(0, index);
    const isOdd = before.some((other) => (other.callId === callId) !== (other.idempotencyKey === idempotencyKey));
    const isBehind = before.some((other) => other.callId === callId && other.attempt >= attempt);
    return [
      ...(isOdd ? [`the key of ${callId} is that of another call, or was another one before`] : []),
      ...(isBehind ? [`attempt ${attempt} at ${callId} is not the first with this number`] : []),
    ];
  });
}

/** No call is on record again without an answer that allows it. */
function judgeIntents(events: readonly BatonEvent[]): string[] {
  const paths = new Set(events.filter(isAboutCall).map(({ path }) => path.replace(/\/happened\d+$/, "")));
  return [...paths].flatMap((path) => {
    const calls = events.filter((event) => isCall(event) && event.path === path).length;
    const denials = events.filter((event) => isDenialOf(event, path)).length;
    return calls <= 1 + denials ? [] : [`${path} is called ${calls} times on record, with ${denials} denials`];
  });
}

/** The words last given for a call that happened are its result. */
function judgeWords({ report: { events }, answers }: Ending): string[] {
  const last = new Map(answers.map((answer) => [nameOfCall(answer), answer]));
  const paths = events.flatMap((event) =>
    event.type === "run.resumed" && isAboutCall(event) && event.data.decision === "happened"
      ? [event.path.replace(/\/happened\d+$/, "")]
      : [],
  );
  return paths.flatMap((path) => {
    const here = events.filter((event) => event.path === path);
    const call = readCall(here.find(isCall), events);
    const ended = here.find(({ type }) => type === "tool.completed" || type === "function.completed");
    const result =
      ended?.type === "tool.completed" || ended?.type === "function.completed" ? ended.data.result : undefined;
    const words = call && last.get(nameOfCall(call))?.words;
    return result === words || result === undefined
      ? []
      : [`the result of ${path} is ${result}, and ${words} was given`];
  });
}

function isCall({ type }: BatonEvent): boolean {
  return type === "tool.called" || type === "function.called";
}

function isDenialOf(event: BatonEvent, path: string): boolean {
  const isHere = isAboutCall(event) && event.path.startsWith(`${path}/happened`);
  return isHere && event.type === "run.resumed" && event.data.decision === "not_happened";
}

function countLost(events: readonly BatonEvent[]): number {
  return events.filter((event) => event.type === "model.failed" && event.data.code === "lost").length;
}

function countByCall(lines: readonly WorldLine[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(nameOfCall(line), (counts.get(nameOfCall(line)) ?? 0) + 1);
  return counts;
}
