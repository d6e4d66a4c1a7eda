import { ScopeClosed } from "../run/scope.ts";
import type { EventPlace, Failure } from "../vocabulary/events.ts";
import type { CrewOutcome, CrewRun } from "./crew-run.ts";

/** A limit of handoffs that is used up: the crew's own, or that of the whole run. */
interface SpentHandoffs {
  readonly setting: "max_handoffs" | "max_run_handoffs";
  readonly limit: number;
}

/** Which limit leaves the crew no handoff; undefined while there are some. */
export function spentHandoffs({ handoffs, maxHandoffs, shared }: CrewRun): SpentHandoffs | undefined {
  if (handoffs >= maxHandoffs) return { setting: "max_handoffs", limit: maxHandoffs };
  const { maxRunHandoffs: limit } = shared;
  return shared.handoffs >= limit ? { setting: "max_run_handoffs", limit } : undefined;
}

/** What is told of the limit in `handoff.refused`. */
export function refusalBy({ setting, limit }: SpentHandoffs) {
  return setting === "max_handoffs" ? { limit } : { limit, setting, message: `max_run_handoffs is ${limit}` };
}

/** The end of a crew that may hand over no more. The limit of the whole run ends the run, however deep the crew is in it. */
export function endAtHandoffs(
  crewRun: CrewRun,
  spent: SpentHandoffs,
  { from, to }: { readonly from: string; readonly to: string },
): CrewOutcome {
  const { setting, limit } = spent;
  const { shared, world, depth } = crewRun;
  const refused = `the handoff from '${from}' to '${to}' was refused`;
  if (setting === "max_handoffs") {
    const message = `reached max_handoffs (${limit}) of crew '${pathOfCrew(crewRun)}': ${refused}`;
    return endAtLimit("max_handoffs", message, crewRun.place);
  }
  const where = depth === 0 ? "" : ` in crew '${pathOfCrew(crewRun)}'`;
  const outcome = endAtLimit("max_handoffs", `reached max_run_handoffs (${limit}) of the run: ${refused}${where}`, {});
  if (depth === 0) return outcome;
  shared.ended = outcome;
  crewRun.stopped = outcome.error;
  world.run.scope.close(outcome.error.message, outcome.error);
  throw new ScopeClosed(outcome.error.message);
}

/** The end of the crew's run where no further answer is allowed. */
export function checkRounds(crewRun: CrewRun): CrewOutcome | undefined {
  const { maxRounds, path, place } = crewRun;
  if (path.length < maxRounds) return undefined;
  return endAtLimit("max_rounds", `reached max_rounds (${maxRounds}) of crew '${pathOfCrew(crewRun)}'`, place);
}

/** Why a crew calls no further crew, if so. */
export function depthProblem(caller: CrewRun, name: string): Failure | undefined {
  const { depth, maxDepth, depthLimit, shared } = caller;
  if (depth < maxDepth) return undefined;
  const { limit, crew } = depthLimit;
  const owner = `max_crew_depth of crew '${crew ?? shared.rootName}' is ${limit}`;
  const message = `max crew nesting depth exceeded: ${owner}, and ${shared.rootName}/${pathOfCallee(caller, name)} is deeper`;
  return { code: "max_crew_depth", message, ...(crew !== undefined && { crew }) };
}

/** A sub-crew's name with those of all crews around it. */
export function pathOfCallee({ place: { crew } }: CrewRun, name: string): string {
  return crew === undefined ? name : `${crew}/${name}`;
}

function pathOfCrew({ place, crew }: CrewRun): string {
  return place.crew ?? crew.name;
}

function endAtLimit(code: "max_handoffs" | "max_rounds", message: string, { crew }: Pick<EventPlace, "crew">) {
  const error: Failure = { code, message, ...(crew !== undefined && { crew }) };
  return { type: "completed", stopReason: code, error } as const;
}
