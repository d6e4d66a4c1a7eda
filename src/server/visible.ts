import { readObject } from "../library/read-object.ts";
import { buildResult, type RunResult } from "../views/run-result.ts";
import { BatonError, explainUnknownRun } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { type RunId, toRunId } from "../vocabulary/ids.ts";
import type { Call } from "./api-route.ts";
import type { ServedCrew } from "./served-crews.ts";
import type { Service } from "./service.ts";
import { mayUseCrew, type Token } from "./token.ts";

/** A run that the token may see. */
interface VisibleRun {
  readonly runId: RunId;
  readonly served: ServedCrew;
}

/** A run with all its events. */
interface ReadRun extends VisibleRun {
  readonly events: readonly BatonEvent[];
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
  const { params, service } = call;
  const runId = toRunId(params["id"] ?? "");
  return admit(call, runId, await service.store.read(runId, 0, 1));
}

/** The same with the run's events, for what is made of all of them. */
export async function readVisibleRun(call: Call): Promise<ReadRun> {
  const { params, service } = call;
  const runId = toRunId(params["id"] ?? "");
  const events = await service.store.read(runId);
  return { ...admit(call, runId, events), events };
}

function admit(call: Call, runId: RunId, [started]: readonly BatonEvent[]): VisibleRun {
  const { service, token } = call;
  if (started?.type !== "run.started" || !mayUseCrew(token, started.data.crew)) throw explainUnknownRun(runId);
  const served = service.crews.get(started.data.crew);
  if (served === undefined) throw explainUnknownRun(runId);
  call.about(runId);
  return { runId, served };
}

interface Visible {
  readonly token: Token;
  readonly service: Pick<Service, "crews">;
}

/** The crews whose runs a token may see. */
export function listVisibleCrews({ service, token }: Visible): readonly string[] {
  return service.crews.list().flatMap(({ name }) => (mayUseCrew(token, name) ? [name] : []));
}

/** The result of a run as it stands, with the object of a JSON answer. */
export function readResult({ events, served }: Pick<ReadRun, "events" | "served">): RunResult {
  const result = buildResult(events);
  if (result.status !== "completed" || result.error !== undefined) return result;
  return { ...result, object: readObject(result, served.crew.definition) };
}
