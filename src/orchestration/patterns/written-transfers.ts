import { boundCalls } from "../../session/bound-calls.ts";
import type { WrittenCalls } from "../../session/session.ts";
import type { Agent, Crew, Neighbour } from "../../vocabulary/crew.ts";
import type { ToolCall } from "../../vocabulary/messages.ts";
import { keepLetters, simplifyName } from "../../vocabulary/wording.ts";
import type { Question } from "../agent-call.ts";
import type { CrewRun } from "../crew-run.ts";
import { moveOfBinding } from "../find-move.ts";
import { writesSignals } from "../read-signals.ts";
import { mayTransfer } from "./handoff.ts";
import { type Declaration, readDeclarations } from "./handoff-declaration.ts";
import { nameOfTransfer } from "./transfer.ts";

/** Reads the transfers that an agent declares in its answer as calls of its tools; undefined for an agent that has none. */
export function writtenTransfers(
  question: Question,
  crewRun: CrewRun,
): ((text: string) => WrittenCalls | undefined) | undefined {
  const { agent } = question;
  const { crew, world } = crewRun;
  if (!mayTransfer(agent, crew)) return undefined;
  return (text) => {
    const declared = readDeclarations(text);
    if (declared === undefined || (!question.isCalled && isDecidedBySignal(declared.rest, agent, crewRun)))
      return undefined;
    const toolCalls = boundCalls(declared.declarations.map((each) => createCall(each, question, crewRun)));
    // A value under a key may be a secret that it was not within the text; what is redacted has the form that it had.
    const redacted = (world.run.redactor?.redactValue(toolCalls) ?? toolCalls) as ToolCall[];
    return { text: declared.rest, toolCalls: redacted };
  };
}

/** Whether a signal in a text says what follows. */
export function isDecidedBySignal(text: string, agent: Agent, { crew, world }: CrewRun): boolean {
  if (!writesSignals(agent, crew)) return false;
  return world.signalReader
    .find(crew, agent, text)
    .some(({ signal }) => signal.binding !== undefined && moveOfBinding(signal.binding) !== undefined);
}

function createCall({ to, reason, context }: Declaration, { agent }: Question, { crew }: CrewRun): ToolCall {
  const target = agent.collaborations.find(({ agent: id }) => id === to) ?? findLeniently(to, agent, crew);
  return {
    name: nameOfTransfer(target?.agent ?? to.slice(0, 50)),
    args: { context, ...(reason !== undefined && { reason }) },
  };
}

/** By what people call it: `Azure (cloud)` is `azure_agent`. Nobody, where that fits several alike. */
function findLeniently(to: string, { collaborations }: Agent, { agents }: Crew): Neighbour | undefined {
  for (const form of [keepLetters, simplifyName]) {
    const wanted = [to, ...to.split("(", 1)].map(form);
    const fitting = collaborations.filter(({ agent: id }) =>
      [id, agents.get(id)?.name ?? id, nameOfTransfer(id)].some((name) => wanted.includes(form(name))),
    );
    if (fitting.length > 0) return fitting.length === 1 ? fitting[0] : undefined;
  }
  return undefined;
}
