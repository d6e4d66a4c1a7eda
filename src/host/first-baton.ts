import { append, type History } from "../context/history.ts";
import { noteOfTrimmed } from "../context/trim-history.ts";
import type { ConversationStart, Said } from "../conversation-start.ts";
import type { Crew } from "../crew.ts";
import { BatonError } from "../errors.ts";
import type { Message } from "../messages.ts";
import { type Baton, handOver } from "../orchestration/baton.ts";

/** What a run begins with: the crew's entry point on the input or, in a conversation, who has it, with what was said before. */
export function firstBaton(crew: Crew, input: string, session: ConversationStart | undefined): Baton {
  const entry = crew.entryPoint.type === "agent" ? crew.entryPoint.agent : (crew.listed[0] ?? "");
  const before = session === undefined ? undefined : historyOf(session);
  const history = append(before, { role: "user", text: input });
  const holder = session?.holder;
  if (holder === undefined) return handOver(entry, input, history, "line");
  if (!crew.agents.has(holder.agent))
    throw new BatonError("unknown-agent", `the run began with agent '${holder.agent}', which the crew no longer has`);
  const baton = handOver(holder.agent, input, history, holder.standing);
  // One that was passed to does not share the crew's history; what it said and heard before, it knows.
  return holder.standing === "passed" ? { ...baton, own: before } : baton;
}

function historyOf({ said, trimmed = 0 }: ConversationStart): History | undefined {
  let history: History | undefined;
  for (const [index, words] of said.entries()) {
    history = append(history, messageOf(words));
    if (index === 0 && trimmed > 0) history = append(history, noteOfTrimmed(trimmed));
  }
  return history;
}

export function messageOf({ agent, text }: Said): Message {
  return agent === undefined ? { role: "user", text } : { role: "agent", agent, text, toolCalls: [] };
}
