import type { History } from "../context/history.ts";
import { renameAgents } from "../context/summarize-history.ts";
import type { Budget } from "../run/budget.ts";
import { type Scope, ScopeClosed } from "../run/scope.ts";
import type { SubCrew } from "../vocabulary/crew.ts";
import type { Composition } from "../vocabulary/event-data.ts";
import type { EventData, EventPlace, Failure, StopReason } from "../vocabulary/events.ts";
import { type CrewOutcome, type CrewRun, type ShownText, shownIn, type Within } from "./crew-run.ts";
import { inputProblem } from "./input-problem.ts";
import { limitCrew } from "./limit-crew.ts";
import { depthProblem, pathOfCallee } from "./limits.ts";
import { openCrewRun } from "./open-crew-run.ts";
import { grantsFor } from "./shared-memory.ts";
import { isAtLimit } from "./sub-crew-failure.ts";

/** One call of a sub-crew. */
export interface CrewCall {
  /** Its key in `sub_crews`. */
  readonly name: string;
  readonly input: string;
  /** What its agents see of what was said before. */
  readonly history: History | undefined;
  /** What the call is closed with. */
  readonly scope: Scope;
  readonly place: EventPlace;
  /** What its calls count in besides its own quotas. */
  readonly budget: Budget | undefined;
  readonly timeoutMs: number;
  /** The crew, where an agent has put it together out of the caller's agents. */
  readonly composed?: { readonly composition: Composition; conduct(crewRun: CrewRun): Promise<CrewOutcome> };
}

export type LeftCrew =
  | { readonly type: "completed"; readonly output: string; readonly shown: string }
  | {
      readonly type: "failed";
      readonly failure: Failure;
      /** Whether it was called at all. */
      readonly hasBegun: boolean;
      /** What it said last before it reached a limit. */
      readonly lastAnswer: Required<ShownText>;
    };

/** Runs a crew within another, in a scope of its own: it ends, fails or takes too long without its caller ending. */
export async function enterCrew(caller: CrewRun, call: CrewCall): Promise<LeftCrew> {
  const { name, input, place, composed } = call;
  const { run } = caller.world;
  const subCrew = composed === undefined ? caller.crew.subCrews.get(name) : undefined;
  if (subCrew === undefined && composed === undefined)
    return notBegun({ code: "unknown_crew", message: `sub-crew ${name} not found`, isLasting: true });
  const tooDeep = depthProblem(caller, name);
  if (tooDeep !== undefined) return notBegun(tooDeep);
  call.scope.throwIfClosed();
  const scope = call.scope.open();
  const crewRun = openSubCrew(caller, call, subCrew, scope);
  const entered = { crew: name, input, depth: crewRun.depth };
  run.emit(place, "crew.entered", composed === undefined ? entered : { ...entered, composed: composed.composition });
  let late: Failure | undefined;
  const tell = (how: Pick<EventData["crew.left"], "status" | "stopReason" | "signal" | "error">) => {
    const { output, shown, finalAgent, handoffs } = crewRun;
    run.emit(place, "crew.left", { crew: name, output, ...shownIn(output, shown), finalAgent, handoffs, ...how });
  };
  // Said as the scope is closed and not as the crew unwinds: only the former has an order that a second run repeats.
  const closable = {
    close: (_: string, limit?: Failure) => tell(describeClosing(late, crewRun.stopped, limit)),
  };
  scope.add(closable);
  const timeoutMs = Math.min(call.timeoutMs, crewRun.crew.settings.timeoutMs);
  const deadline = run.deadline({ place, scope, ms: timeoutMs, what: "crew" }, () => {
    late = { code: "timeout", message: `took longer than ${timeoutMs / 1000} s` };
    const reason = `sub-crew ${name} took longer than ${timeoutMs / 1000} s`;
    scope.close(reason, { ...late, message: reason });
  });
  let outcome: CrewOutcome | undefined;
  try {
    outcome = await conducted(caller, crewRun, call);
  } catch (error) {
    if (!(error instanceof ScopeClosed)) throw error;
  }
  call.scope.throwIfClosed();
  const ownEnd = late ?? crewRun.stopped;
  if (ownEnd !== undefined) return failedBy(ownEnd, crewRun);
  if (outcome === undefined) throw new ScopeClosed(scope.reason);
  deadline.callOff();
  scope.remove(closable);
  tell(describeEnding(outcome));
  scope.close("the sub-crew has ended");
  if (outcome.type === "failed") return failedBy(outcome.failure, isAtLimit(outcome.failure) ? crewRun : undefined);
  if (outcome.error !== undefined) return failedBy(outcome.error, crewRun);
  caller.results ??= new Map();
  caller.results.set(name, crewRun.output);
  caller.lastResult = crewRun.output;
  return { type: "completed", output: crewRun.output, shown: crewRun.shown };
}

/** A composed crew has its caller's agents, and so what they may use, and what they count in, is theirs. */
function openSubCrew(
  caller: CrewRun,
  { name, place, budget }: CrewCall,
  subCrew: SubCrew | undefined,
  scope: Scope,
): CrewRun {
  const inner = { path: place.path, crew: pathOfCallee(caller, name) };
  const within: Within = {
    budget,
    depth: caller.depth + 1,
    maxDepth: caller.maxDepth,
    depthLimit: caller.depthLimit,
    shared: caller.shared,
    grants: subCrew === undefined ? caller.grants : grantsFor(caller, subCrew),
    ...(subCrew === undefined && { composer: caller }),
  };
  const { crew, quotas } = subCrew ?? { crew: caller.crew, quotas: [] };
  const crewRun = openCrewRun(crew, caller.world, scope, inner, within);
  if (quotas.length > 0) limitCrew(crewRun, quotas, `${caller.crew.name}/crew ${name}`);
  return crewRun;
}

function conducted(caller: CrewRun, crewRun: CrewRun, call: CrewCall): Promise<CrewOutcome> {
  const { crew, world } = crewRun;
  const { input, composed } = call;
  const failure = inputProblem(input, crew);
  if (failure !== undefined) return Promise.resolve({ type: "failed", stopReason: "error", failure });
  if (composed !== undefined) return composed.conduct(crewRun);
  // An agent must not take the words of a namesake for its own.
  const renameCallee = (agent: string) => (crew.agents.has(agent) ? `${caller.crew.name}/${agent}` : agent);
  return world.beginCrew(crewRun, input, renameAgents(call.history, renameCallee));
}

/** How a crew is closed: by a limit of its own, by `outer`, the limit of a crew around it or of the run, or by whoever needs it no more. */
function describeClosing(late: Failure | undefined, stopped: Failure | undefined, outer: Failure | undefined) {
  const error = late ?? stopped ?? outer;
  if (error === undefined) return { status: "cancelled", stopReason: "cancelled" } as const;
  const status = late === undefined && stopped === undefined ? "cancelled" : "failed";
  return { status, stopReason: findStopReason(error), error } as const;
}

function findStopReason({ code }: Failure): StopReason {
  return code === "timeout" || code === "quota" || code === "max_handoffs" ? code : "error";
}

/** A crew that reached a limit has failed, whatever it said last. */
function describeEnding(outcome: CrewOutcome) {
  const { type: status, stopReason } = outcome;
  if (outcome.type === "failed") return { status, stopReason, error: outcome.failure };
  if (outcome.error !== undefined) return { status: "failed", stopReason, error: outcome.error } as const;
  return { status, stopReason, ...(outcome.signal !== undefined && { signal: outcome.signal }) };
}

const nothing = { text: "", shown: "" };

function notBegun(failure: Failure): LeftCrew {
  return { type: "failed", failure, hasBegun: false, lastAnswer: nothing };
}

function failedBy(failure: Failure, stopped?: CrewRun): LeftCrew {
  const lastAnswer = stopped === undefined ? nothing : { text: stopped.output, shown: stopped.shown };
  return { type: "failed", failure, hasBegun: true, lastAnswer };
}
