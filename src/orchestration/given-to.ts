import type { Section } from "../context/frame.ts";
import type { History } from "../context/history.ts";
import { isBlank } from "../vocabulary/wording.ts";
import type { Baton } from "./baton.ts";

/** What the agent that holds the baton was given by those before it. The newest messages of the baton's history are its answer. */
export function givenTo(
  { agent, input, history, given = [], isRepaired }: Baton,
  original: string,
): readonly Section[] {
  const asked = messageOfInput(history, agent, input);
  // An agent that a pattern passed the work to was given sections, which the crew's history does not hold.
  if (asked === undefined) return given;
  const heard: Section[] = [];
  for (let at: History | undefined = asked; at !== undefined; at = at.before) {
    const { message } = at;
    if (message.role === "agent" && !isBlank(message.text)) {
      heard.push({ kind: "answer", agent: message.agent, text: message.text });
      break;
    }
    const isReminder = isRepaired && at === asked;
    if (message.role === "user" && message.text !== original && !isReminder)
      heard.push({ kind: "latest_input", text: message.text });
  }
  return [...given, ...heard.reverse()];
}

/** What the agent that holds the baton was asked, as it was put together. */
export function readAsked({ agent, input, history, given }: Baton): readonly Section[] {
  const asked = messageOfInput(history, agent, input);
  // What it was given first is not what it continues with.
  const isNew = asked?.message.role === "user";
  return given === undefined || isNew ? [{ kind: "plain", text: input }] : given;
}

/** Where the history holds what the agent was asked last: before all that the agent has said and was told by its tools since. */
function messageOfInput(history: History, agent: string, input: string): History | undefined {
  let at: History | undefined = history;
  while (at !== undefined && at.message.role !== "user" && at.message.agent === agent && at.message.text !== input)
    at = at.before;
  return at?.message.text === input ? at : undefined;
}

/** What an agent said last, if it said anything. */
export function findLastWords(agent: string, history: History | undefined): string | undefined {
  for (let at = history; at !== undefined; at = at.before) {
    const { message } = at;
    if (message.role === "agent" && message.agent === agent && !isBlank(message.text)) return message.text;
  }
  return undefined;
}

/** What an agent hands on: its answer or, where it only signalled, what it was asked. */
export function handedOn(baton: Pick<Baton, "input">, answer: { readonly text: string }): string {
  return isBlank(answer.text) ? baton.input : answer.text;
}
