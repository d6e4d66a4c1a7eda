import { isLimit, type RunResult, type RunStatus } from "../src/views/run-result.ts";
import type { Usage } from "../src/vocabulary/bill.ts";
import { isCostUnknown } from "../src/vocabulary/bill.ts";
import type { Crew } from "../src/vocabulary/crew.ts";
import type { BatonEvent, EventOf, StopReason } from "../src/vocabulary/events.ts";
import { hasSucceeded } from "../src/vocabulary/events.ts";
import { eventsOfType } from "./events-of-type.ts";

/** What must be true of a run's result, told from its events by other means than the result itself is. */
export function checkResult(events: readonly BatonEvent[], result: RunResult, crew: Crew): string[] {
  return [
    ...statusIsLegal(result),
    ...fieldsAreConsistent(result),
    ...endSaysTheSame(events, result),
    ...pathMatches(events, result),
    ...usageIsTheSum(events, result),
    ...costIsTheSum(events, result, crew),
    ...signalEndedIt(events, result),
  ];
}

/** Why a run may be in a state. */
const reasons: Readonly<Record<RunStatus, readonly (StopReason | undefined)[]>> = {
  queued: [],
  running: [],
  paused: ["pause"],
  completed: ["signal", "terminal", "end_of_list", "answer", "max_handoffs", "max_rounds"],
  failed: ["error", "timeout", "quota", "max_crew_depth"],
  cancelled: ["cancelled"],
};

function statusIsLegal({ status, stopReason }: RunResult): string[] {
  return reasons[status].includes(stopReason) ? [] : [`a run cannot be ${status} because of ${stopReason}`];
}

function fieldsAreConsistent(result: RunResult): string[] {
  const { status, path, finalAgent, output } = result;
  const isStopped = status === "failed" || isLimit(result);
  const facts: readonly (readonly [boolean, string])[] = [
    [(result.error !== undefined) === isStopped, "there is an error where nothing stopped the run, or none"],
    [(result.paused !== undefined) === (status === "paused"), "it is paused and does not say what for, or says it"],
    [(result.endedAt === undefined) === (status === "paused"), "it has ended and has no time of it, or has one"],
    [result.rounds === path.length, `${result.rounds} rounds, but ${path.length} in the path`],
    [result.handoffs === result.handoffChain.length, "handoffs and their chain differ"],
    [finalAgent === "" || path.includes(finalAgent), `the final agent '${finalAgent}' is not in the path`],
    [path.length > 0 || output === "", "there is an output, and nobody answered"],
    // Unless an agent failed, and the handoff that wanted to hear of it was refused.
    [status !== "completed" || path.length > 0 || isLimit(result), "the run completed, and nobody answered"],
  ];
  return facts.flatMap(([isTrue, otherwise]) => (isTrue ? [] : [`result: ${otherwise}`]));
}

/** What the last event says of the end is what the result says. */
function endSaysTheSame(events: readonly BatonEvent[], result: RunResult): string[] {
  const end = events.at(-1);
  if (end?.type !== "run.completed" && end?.type !== "run.failed") return [];
  const { output, finalAgent, stopReason } = end.data;
  const isSame = output === result.output && finalAgent === result.finalAgent && stopReason === result.stopReason;
  return isSame ? [] : ["the last event has another output, final agent or reason than the result"];
}

/** What the guards of the crew's output make of the last answer. While they judge, it is the output. */
function passGuards(events: readonly BatonEvent[], answer: string, { status, error, output }: RunResult): string {
  const end = events.at(-1);
  // What a human has yet to let pass is not the output.
  if (end?.type === "run.paused" && end.path.startsWith("go")) return output;
  const judged = events.filter(({ type, path }) => type.startsWith("guard.") && /^go\d+$/.test(path));
  const isBlocked = status === "failed" && error?.code === "guard" && judged.at(-1)?.type === "guard.tripped";
  if (isBlocked) return "";
  const texts = eventsOfType(judged, "guard.tripped").flatMap(({ data }) => data.text ?? []);
  return status === "completed" ? (texts.at(-1) ?? answer) : answer;
}

function pathMatches(events: readonly BatonEvent[], result: RunResult): string[] {
  const { path, output } = result;
  const answers = events.flatMap((event) => {
    if (!/^\d+$/.test(event.path)) return [];
    if (event.type === "agent.completed") return [{ name: event.agent, output: event.data.shown ?? event.data.answer }];
    if (event.type !== "parallel.joined") return [];
    const isGiven = hasSucceeded(event.data.outcomes);
    return isGiven ? [{ name: event.data.group, output: event.data.shown ?? event.data.output }] : [];
  });
  return [
    ...(answers.map(({ name }) => name).join() === path.join() ? [] : [`the path is ${path.join()}`]),
    ...(passGuards(events, answers.at(-1)?.output ?? "", result) === output
      ? []
      : ["the output is not the last answer"]),
  ];
}

const kinds = ["input", "output", "cacheRead", "cacheWrite", "reasoning", "total"] as const;

type EndOfCall = EventOf<"model.completed"> | EventOf<"model.failed">;

/** Calls that the provider may have counted: those that brought something, and those of which nobody knows. */
function countedCalls(events: readonly BatonEvent[]): EndOfCall[] {
  return [
    ...eventsOfType(events, "model.completed"),
    ...eventsOfType(events, "model.failed").filter(({ data }) => data.usage !== undefined || isCostUnknown(data.code)),
  ];
}

/**
 * Every call belongs to one agent's session, and the sessions add up to the run. One reply without a count makes the sum unknown, and
 * so do failed attempts that nobody counted if there is nothing else to add up.
 */
function usageIsTheSum(events: readonly BatonEvent[], { usage }: RunResult): string[] {
  const ends = countedCalls(events);
  const sessions = eventsOfType(events, "agent.started").map(({ path }) =>
    ends.filter((call) => /^(.*)\/t\d+\/m\d+$/.exec(call.path)?.[1] === path),
  );
  const calls = sessions.flat();
  const sum = (of: readonly EndOfCall[], kind: keyof Usage) =>
    of.reduce((total, { data }) => total + (data.usage?.[kind] ?? 0), 0);
  const isKnown = ({ type, data }: EndOfCall) =>
    data.usage !== undefined || (type === "model.failed" && !isCostUnknown(data.code));
  const all = [...eventsOfType(events, "model.completed"), ...eventsOfType(events, "model.failed")];
  const isCounted =
    calls.every(({ type, data }) => type === "model.failed" || data.usage !== undefined) &&
    (all.length === 0 || all.some(isKnown));
  return kinds.flatMap((kind) => {
    const total = sessions.reduce((all, session) => all + sum(session, kind), 0);
    return (isCounted ? total : null) === usage[kind] && sum(calls, kind) === total
      ? []
      : [`usage.${kind} is not the sum of its leaves`];
  });
}

function costIsTheSum(events: readonly BatonEvent[], { cost }: RunResult, crew: Crew): string[] {
  const costs = countedCalls(events).map(({ agent = "", data: { usage } }) => {
    const prices = crew.agents.get(agent)?.prices;
    const [input, output] = [prices?.inputPerMillionUsd, prices?.outputPerMillionUsd];
    if (input === 0 && output === 0) return 0;
    if (usage === undefined || input === undefined || output === undefined) return undefined;
    return (usage.input * input + usage.output * output) / 1e6;
  });
  const unknown = costs.filter((each) => each === undefined).length;
  const total = costs.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  const isFine =
    unknown === cost.unknownCalls && (unknown > 0 ? cost.usd === null : Math.abs((cost.usd ?? -1) - total) < 1e-9);
  return isFine ? [] : [`the cost is ${cost.usd} with ${cost.unknownCalls} unknown, not ${total} with ${unknown}`];
}

/** A run that a signal ended names one that its last agent emitted at the end. */
function signalEndedIt(events: readonly BatonEvent[], { stopReason, finalAgent }: RunResult): string[] {
  const end = events.at(-1);
  if (end?.type !== "run.completed" || stopReason !== "signal") return [];
  const last = events.findLast(({ type, path }) => type === "agent.completed" && /^\d+$/.test(path))?.path;
  const isEmitted = eventsOfType(events, "signal.emitted").some(
    ({ path, agent, data }) => path === last && agent === finalAgent && data.signal === end.data.signal,
  );
  return isEmitted ? [] : [`the run was ended by ${end.data.signal}, which was not emitted`];
}
