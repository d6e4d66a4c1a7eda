import { toCanonicalJson } from "../../context/canonical-json.ts";
import type { Section } from "../../context/frame.ts";
import { isBlank } from "../../vocabulary/wording.ts";
import type { Transfer } from "../agent-call.ts";
import { isObject } from "./transfer.ts";

/** What a transfer hands over besides what it says itself. */
export interface Handed {
  readonly from: string;
  readonly task: string;
  /** What the agent that transfers said with its transfer or, if that is nothing, before it. */
  readonly work: string;
  /** Whether the agent said nothing with its transfer. */
  readonly isSilent: boolean;
  /** What that agent was given itself. */
  readonly given: readonly Section[];
  /** What the target answered before, where the work comes back to it. */
  readonly earlier: string | undefined;
  /** How much prior work of one agent is handed over. */
  readonly workChars: number;
}

/**
 * What the target of a transfer gets to read: the task, what was done so far, why the work is transferred, and what the target
 * should know besides. An agent that transfers without a word passes on what it was given.
 */
export function transferSections(transfer: Transfer, handed: Handed): Section[] {
  const { from, task, work, isSilent, given, earlier, workChars } = handed;
  const passedOn = isSilent ? given.flatMap((section) => passOnSection(section, workChars)) : [];
  const isContext = ({ kind }: Section) => kind === "earlier_context";
  const done = [
    ...(earlier === undefined ? [] : priorWork(transfer.to, earlier, workChars)),
    ...passedOn.filter((section) => !isContext(section)),
    ...priorWork(from, work, workChars),
  ];
  const { reason } = transfer;
  return [
    { kind: "task", text: task },
    ...distinct(done),
    ...(reason === undefined ? [] : [{ kind: "handoff_reason" as const, agent: from, text: reason }]),
    ...distinct([...passedOn.filter(isContext), ...createContextSections(transfer, from)]),
  ];
}

/** A section as the agent that was given it passes it on. The task is told anyway, and a reason was meant for that agent alone. */
function passOnSection(section: Section, workChars: number): Section[] {
  switch (section.kind) {
    case "response":
    case "answer":
    case "message":
    case "advisory":
      return priorWork(section.agent, section.text, workChars);
    case "handoff_context":
      return [{ ...section, kind: "earlier_context" }];
    case "prior_work":
    case "latest_input":
    case "earlier_context":
      return [section];
    case "plain":
      return [{ kind: "latest_input", text: section.text }];
    case "task":
    case "original_user_request":
    case "handoff_reason":
    case "clarification_request":
    case "team_message":
      return [];
  }
}

/** The newest of what an agent said; nothing if it said nothing. */
export function priorWork(agent: string, text: string, chars: number): Section[] {
  return chars === 0 || isBlank(text) ? [] : [{ kind: "prior_work", agent, text: cutToNewest(text, chars) }];
}

function createContextSections({ context }: Transfer, from: string): Section[] {
  const isBare = isObject(context) && Object.keys(context as object).length === 0;
  const text = typeof context === "string" ? context : toCanonicalJson(context, 2);
  return isBare || text === "" ? [] : [{ kind: "handoff_context", agent: from, text }];
}

/** The same words are handed over once, where they were said last. */
function distinct(sections: readonly Section[]): Section[] {
  const texts = sections.map(({ text }) => text);
  return sections.filter(({ text }, index) => !isBlank(text) && texts.lastIndexOf(text) === index);
}

/** Cut at the front, but never within a character. */
function cutToNewest(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const start = text.length - chars;
  const isWithin = /[\uDC00-\uDFFF]/.test(text.charAt(start)) && /[\uD800-\uDBFF]/.test(text.charAt(start - 1));
  return `...${text.slice(isWithin ? start + 1 : start)}`;
}
