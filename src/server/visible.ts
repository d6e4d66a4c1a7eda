import { readObject } from "../library/read-object.ts";
import { buildResult, type RunResult } from "../views/run-result.ts";
import { BatonError, explainUnknownRun } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { type RunId, toRunId } from "../vocabulary/ids.ts";
import type { Call } from "./api-route.ts";
import type { ServedCrew } from "./served-crews.ts";
import { mayUseCrew } from "./token.ts";

/** A run that the token may see. */
export interface VisibleRun {
  readonly runId: RunId;
  readonly events: readonly BatonEvent[];
  readonly served: ServedCrew;
}

/** The crew that a path names. A crew that the token may not use looks exactly like a crew that does not exist. */
export function findCrew({ service, token, params }: Call): ServedCrew {
  const { crew: name = "" } = params;
  const served = mayUseCrew(token, name) ? service.crews.get(name) : undefined;
  if (served === undefined) throw new BatonError("unknown-crew", `there is no crew '${name}'`);
  return served;
}

/** The run that a path names, with its crew. A run of a crew that the token may not use looks like a run that does not exist. */
export async function findVisibleRun(call: Call): Promise<VisibleRun> {
  const { service, token, params } = call;
  const { id = "" } = params;
  const runId = toRunId(id);
  const events = await service.store.read(runId);
  const [started] = events;
  if (started?.type !== "run.started" || !mayUseCrew(token, started.data.crew)) throw explainUnknownRun(id);
  const served = service.crews.get(started.data.crew);
  if (served === undefined) throw explainUnknownRun(id);
  call.about(runId);
  return { runId, events, served };
}

/** The crews whose runs a token may see. */
export function listVisibleCrews({ service, token }: Call): readonly string[] {
  return service.crews.list().flatMap(({ name }) => (mayUseCrew(token, name) ? [name] : []));
}

/** The result of a run as it stands, with the object of a JSON answer. */
export function readResult({ events, served }: Pick<VisibleRun, "events" | "served">): RunResult {
  const result = buildResult(events);
  if (result.status !== "completed" || result.error !== undefined) return result;
  return { ...result, object: readObject(result, served.crew.definition) };
}
