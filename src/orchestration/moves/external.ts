import type { Agent } from "../../vocabulary/crew.ts";
import type { EventPlace } from "../../vocabulary/events.ts";
import type { Answer } from "../agent-call.ts";
import type { CrewRun, ExternalDelivery } from "../crew-run.ts";
import { nameInCrew } from "./ask-human.ts";

export const noResponses: ReadonlyMap<string, unknown> = new Map();

export function hasExternals({ found }: Answer): boolean {
  return found.some(({ signal }) => signal.binding?.move.type === "external");
}

/** Tells the world of the external signals in an answer; gives what handlers answered at once, by signal. */
export async function emitExternals(
  crewRun: CrewRun,
  answer: Answer,
  agent: Agent,
  place: EventPlace,
): Promise<ReadonlyMap<string, unknown>> {
  const { run, external } = crewRun.world;
  const responses = new Map<string, unknown>();
  for (const [index, { signal }] of answer.found.entries()) {
    const move = signal.binding?.move;
    if (move?.type !== "external") continue;
    const told = { runId: run.id, signal: signal.name, agent: nameInCrew(crewRun, agent.id), content: answer.text };
    const delivered = (delivery: ExternalDelivery) => ({
      type: "external.delivered" as const,
      // What is redacted has the form that it had.
      data: { signal: signal.name, ...((run.redactor?.redactValue(delivery) ?? delivery) as ExternalDelivery) },
    });
    const notDelivered = (why: string) => delivered({ failures: [why] });
    const path = `${place.path}/x${index}`;
    const event = await run.step<ExternalDelivery>({
      place: { ...place, path },
      scope: crewRun.scope,
      intent: { type: "external.emitted", data: told },
      timeoutMs: undefined,
      act: (abort) => external(told, `${run.id}/${path}`, abort.signal, crewRun.crew),
      completed: delivered,
      failed: (error) => notDelivered(error instanceof Error ? error.message : String(error)),
      late: () => notDelivered("took too long"),
      cancelled: notDelivered,
    });
    if (event.type !== "external.delivered") throw new Error(`an external signal cannot end in ${event.type}`);
    if (event.data.response !== undefined) responses.set(signal.name, event.data.response);
  }
  return responses;
}
