import type { Agent } from "../../crew.ts";
import type { EventPlace } from "../../events.ts";
import type { Answer } from "../ask-agent.ts";
import type { CrewRun } from "../crew-run.ts";

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
    const told = { runId: run.id, signal: signal.name, agent: agent.id, content: answer.text };
    const event = await run.step({
      place: { ...place, path: `${place.path}/x${index}` },
      scope: crewRun.scope,
      intent: { type: "external.emitted", data: told },
      act: async (abort) => ({
        type: "external.delivered",
        data: { signal: signal.name, ...(await external(told, abort())) },
      }),
      cancelled: (reason) => ({ type: "external.delivered", data: { signal: signal.name, failures: [reason] } }),
    });
    if (event.type !== "external.delivered") throw new Error(`an external signal cannot end in ${event.type}`);
    if (event.data.response !== undefined) responses.set(signal.name, event.data.response);
  }
  return responses;
}
