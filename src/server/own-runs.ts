import { explainUnknownRun } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { Paused } from "../vocabulary/pause.ts";
import type { Call } from "./api-route.ts";
import { isGuarded } from "./guarded-pauses.ts";
import { Refusal } from "./problem.ts";
import type { ServedCrew } from "./served-crews.ts";
import { allows } from "./token.ts";

/** The events of a run of this crew that the token started; others need the scope `answer`. */
export async function readOwnRun(
  { service, token }: Pick<Call, "service" | "token">,
  { name }: ServedCrew,
  runId: RunId,
): Promise<readonly BatonEvent[]> {
  const events = await service.store.read(runId);
  const [started] = events;
  const isOwn = started?.type === "run.started" && started.data.crew === name;
  if (!isOwn || (started.data.by !== token.name && !allows(token, "answer"))) throw explainUnknownRun(runId);
  return events;
}

/** Refuses a token that may not answer the pause, on whichever protocol: a model that calls a crew must not approve what it does. */
export function refuseGuarded({ token }: Pick<Call, "token">, { reason }: Paused): void {
  if (isGuarded(reason) && !allows(token, "answer"))
    throw new Refusal("forbidden", `answering '${reason}' needs the scope 'answer'`);
}
