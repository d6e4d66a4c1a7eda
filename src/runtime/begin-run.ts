import { append, type History } from "../context/history.ts";
import { createTrimNote } from "../context/trim-history.ts";
import { handOver } from "../orchestration/baton.ts";
import { beginCrew, guardCrew } from "../orchestration/begin-crew.ts";
import { conduct } from "../orchestration/conduct.ts";
import type { CrewOutcome, CrewRun } from "../orchestration/crew-run.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { createMessage, type Message } from "../vocabulary/messages.ts";
import type { ConversationStart, Said, Start } from "../vocabulary/run-start.ts";

/** Begins a run with the crew's entry agent or, in a conversation, with the agent that has it and what was said before. */
export function beginRun(
  crewRun: CrewRun,
  input: string,
  { session, history = [] }: Pick<Start, "session" | "history">,
): Promise<CrewOutcome> {
  const before = createHistory(session ?? { said: history });
  const holder = session?.holder;
  if (holder === undefined) return beginCrew(crewRun, input, before);
  if (!crewRun.crew.agents.has(holder.agent))
    throw new BatonError("unknown-agent", `the run began with agent '${holder.agent}', which the crew no longer has`);
  return guardCrew(crewRun, input, (passed) => {
    const baton = handOver(holder.agent, passed, append(before, { role: "user", text: passed }), holder.standing);
    // An agent that was handed the work does not share the crew's history. It still knows what it said and heard itself.
    return conduct(crewRun, holder.standing === "passed" ? { ...baton, own: before } : baton);
  });
}

function createHistory({ said, trimmed = 0 }: Pick<ConversationStart, "said" | "trimmed">): History | undefined {
  let history: History | undefined;
  for (const [index, words] of said.entries()) {
    history = append(history, createSaidMessage(words));
    if (index === 0 && trimmed > 0) history = append(history, createTrimNote(trimmed));
  }
  return history;
}

export function createSaidMessage({ agent, text }: Said): Message {
  return agent === undefined ? { role: "user", text } : createMessage(agent, text);
}
