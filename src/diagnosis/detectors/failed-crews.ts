import type { Crew, SubCrewCall } from "../../vocabulary/crew.ts";
import type { EventOf } from "../../vocabulary/events.ts";
import { mayPass } from "../../vocabulary/may-pass.ts";
import type { Found } from "../finding.ts";
import { type Detector, locateCrewKey, quoteEvent, type Scene } from "../scene.ts";

type LeftCrew = EventOf<"crew.left">;

/** Finds sub-crews that failed, and says what their caller can do about it where the caller says what follows a failure. */
export const findFailedCrews: Detector = ({ story, findCrew }) => {
  const left = story.events.filter((event): event is LeftCrew => event.type === "crew.left");
  const failed = left.filter(({ data }) => data.status === "failed");
  const helped = new Set(left.flatMap(({ path, data }) => (data.status === "completed" ? [pathOfCall(path)] : [])));
  /** Which agent of a crew called sub-crews by a signal last, by the crew's path. */
  const callers = new Map<string | undefined, string>();
  return story.events.flatMap((event): Found[] => {
    if (event.type === "handoff" && event.data.via === "sub_crew") callers.set(event.crew, event.data.from);
    if (event.type !== "crew.left" || !hasFailed(event) || isPassedOn(event, failed, story)) return [];
    const agent = isCalledBySignal(event) ? callers.get(event.crew) : undefined;
    const call = agent === undefined ? undefined : findCall(findCrew(event.crew), event.data.crew, agent);
    return [describeFailedCrew(event, call, helped.has(pathOfCall(event.path)))];
  });
};

/** Attempts of one call, retries and the fallback, are at its path with a number behind it. */
function pathOfCall(path: string): string {
  return path.replace(/\.\d+$/, "");
}

/** A crew that reached one of its limits has a finding of its own. */
function hasFailed({ data: { status, stopReason } }: LeftCrew): boolean {
  return status === "failed" && stopReason !== "max_handoffs" && stopReason !== "max_rounds";
}

/** Whether a crew only failed because a crew that it called failed, or could not be called. One finding is enough. */
function isPassedOn({ crew, data }: LeftCrew, failed: readonly LeftCrew[], { ending }: Scene["story"]): boolean {
  const message = data.error?.message ?? "";
  const isIn = (inner: LeftCrew) =>
    inner.crew === (crew === undefined ? data.crew : `${crew}/${data.crew}`) &&
    message.includes(inner.data.error?.message ?? inner.data.crew);
  const isRuns = ending?.type === "run.failed" && ending.data.error.code === "max_crew_depth";
  return failed.some(isIn) || (isRuns && data.error?.code === "max_crew_depth");
}

/** Members of groups and crews that a tool calls have no policy of their own: who called them is told. */
function isCalledBySignal({ path }: LeftCrew): boolean {
  return /\/k\d+(\.\d+)?$/.test(path) && !/\/c\d+\/k0$/.test(path);
}

/** A binding that calls a crew. */
interface FoundCall {
  readonly agent: string;
  readonly index: number;
  readonly call: SubCrewCall;
}

/** The binding by which an agent called a crew, or which names the crew as a fallback. */
function findCall(caller: Crew | undefined, name: string, agent: string): FoundCall | undefined {
  for (const [index, { move }] of (caller?.bindings.get(agent) ?? []).entries()) {
    if (move.type !== "sub_crew") continue;
    if (move.crews.includes(name) || move.fallbackCrew === name) return { agent, index, call: move };
  }
  return undefined;
}

function describeFailedCrew(event: LeftCrew, found: FoundCall | undefined, isHelped: boolean): Found {
  const { crew, error, stopReason } = event.data;
  const place = found === undefined ? ["sub_crews", crew] : ["routing", "signals", found.agent, found.index];
  return {
    code: "branch-failed",
    severity: isHelped ? "low" : "medium",
    confidence: "certain",
    title: `the sub-crew ${crew} failed`,
    agents: error?.agent === undefined ? [] : [error.agent],
    evidence: [quoteEvent(event, error?.message ?? "")],
    why: `It ended with ${error?.code ?? stopReason ?? "a failure"}: ${error?.message ?? ""}`,
    where: locateCrewKey(event.crew, ...place),
    advice: adviseOn(event, found?.call, isHelped),
  };
}

function adviseOn({ data: { error } }: LeftCrew, call: SubCrewCall | undefined, isHelped: boolean): string {
  if (call === undefined) return "see why it failed; its caller got the failure";
  const { onError, returnTo } = call;
  if (isHelped) return "nothing, unless it happens often: 'on_error' helped";
  if (onError.includes("continue")) return `see why it failed; '${returnTo}' was told, and went on`;
  if (onError.length > 0) {
    const tried = `on_error: [${onError.join(", ")}]`;
    return `see why it failed; '${tried}' did not help, and with 'continue' at its end '${returnTo}' would be told and go on`;
  }
  const lasts = error !== undefined && !mayPass(error);
  const policies = lasts ? "fallback or continue; a retry would fail in the same way" : "retry, fallback or continue";
  return `say with 'on_error' what is to follow: ${policies}`;
}
