import { append } from "../../context/history.ts";
import { createMessage } from "../../vocabulary/messages.ts";
import type { Answer } from "../agent-call.ts";
import type { CrewRun } from "../crew-run.ts";

/** Delivers an answer to every target of a broadcast in it. Agents of the crew's line read it in the shared history anyway. */
export function deliverBroadcasts({ broadcasts }: CrewRun, answer: Answer, agent: string): void {
  for (const { signal } of answer.found) {
    const move = signal.binding?.move;
    if (move?.type !== "broadcast") continue;
    for (const target of move.targets) {
      broadcasts.set(target, append(broadcasts.get(target), createMessage(agent, answer.text)));
    }
  }
}
