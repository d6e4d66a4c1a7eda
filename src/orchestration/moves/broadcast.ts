import { append } from "../../context/history.ts";
import { createMessage } from "../../vocabulary/messages.ts";
import type { Answer } from "../agent-call.ts";
import type { CrewRun } from "../crew-run.ts";

/**
 * Delivers an answer once to every target of the broadcasts in it. Agents of the crew's line read it in the shared history anyway.
 */
export function deliverBroadcasts({ broadcasts }: CrewRun, answer: Answer, agent: string): void {
  let targets: Set<string> | undefined;
  for (const { signal } of answer.found) {
    const move = signal.binding?.move;
    if (move?.type === "broadcast") targets = new Set([...(targets ?? []), ...move.targets]);
  }
  // Most answers have none, and a set is not made for nothing.
  if (targets === undefined) return;
  for (const target of targets)
    broadcasts.set(target, append(broadcasts.get(target), createMessage(agent, answer.text)));
}
