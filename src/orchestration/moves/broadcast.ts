import { append } from "../../context/history.ts";
import { createMessage } from "../../vocabulary/messages.ts";
import type { Answer } from "../agent-call.ts";
import type { CrewRun } from "../crew-run.ts";

/**
 * Delivers an answer once to every target of the broadcasts in it. Agents of the crew's line read it in the shared history anyway.
 */
export function deliverBroadcasts({ broadcasts }: CrewRun, answer: Answer, agent: string): void {
  const targets = answer.found.flatMap(({ signal: { binding } }) =>
    binding?.move.type === "broadcast" ? binding.move.targets : [],
  );
  for (const target of new Set(targets))
    broadcasts.set(target, append(broadcasts.get(target), createMessage(agent, answer.text)));
}
