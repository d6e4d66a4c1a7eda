import { type Event, EventType } from "@ag-ui/core";
import type { ToolCall } from "../../vocabulary/messages.ts";

/** What a caller's history leaves out: words that are not part of the crew's own thread, or that turned out not to count. */
export const ASIDE = { baton: { isAside: true } } as const;

interface OpenMessage {
  readonly id: string;
  readonly kind: "text" | "reasoning";
}

interface SessionFacts {
  /** The invocation, as AG-UI identifies it; undefined for the crew as a whole. */
  readonly id: string | undefined;
  readonly name: string;
  readonly path: string;
  /** What the ids of messages begin with. */
  readonly prefix: string;
  /** Whether what it says is part of the crew's thread, and not of a call within another agent. */
  readonly isOnLine: boolean;
}

/** An agent that was asked something and has not answered, and what was told of its words. */
export class ToldSession {
  readonly id: string | undefined;
  readonly name: string;
  readonly path: string;
  /** Whether the page knows of it. */
  isAnnounced = false;
  /** The tool calls of its newest reply. */
  toolCalls: readonly ToolCall[] = [];
  readonly #prefix: string;
  readonly #isOnLine: boolean;
  #open: OpenMessage | undefined;
  /** How often a message began since the newest model call. */
  #count = 0;
  #call = "";
  #said = "";
  #hasReasoned = false;

  constructor({ id, name, path, prefix, isOnLine }: SessionFacts) {
    this.id = id;
    this.name = name;
    this.path = path;
    this.#prefix = prefix;
    this.#isOnLine = isOnLine;
  }

  /** A model call begins: its words are messages of their own. */
  beginCall(seq: number): void {
    this.#call = `${seq}`;
    this.#count = 0;
    this.#hasReasoned = false;
  }

  say(kind: OpenMessage["kind"], delta: string): Event[] {
    if (delta === "") return [];
    const told: Event[] = [];
    if (this.#open?.kind !== kind) told.push(...this.close(), ...this.#begin(kind));
    const { id = "" } = this.#open ?? {};
    if (kind === "text") this.#said += delta;
    else this.#hasReasoned = true;
    const type = kind === "text" ? EventType.TEXT_MESSAGE_CONTENT : EventType.REASONING_MESSAGE_CONTENT;
    told.push({ type, messageId: id, delta, ...this.tag } as Event);
    return told;
  }

  /** Thoughts that came with a whole reply, where none were streamed. */
  think(reasoning: string): Event[] {
    return this.#hasReasoned ? [] : [...this.say("reasoning", reasoning), ...this.close()];
  }

  /** Closes the open message. Words that do not count are marked, so that they are no history. */
  close({ isDiscarded = false } = {}): Event[] {
    const open = this.#open;
    if (open === undefined) return [];
    this.#open = undefined;
    if (isDiscarded) this.#said = "";
    const { tag } = this;
    const messageId = open.id;
    if (open.kind === "text")
      return [{ type: EventType.TEXT_MESSAGE_END, messageId, ...tag, ...(isDiscarded && { metadata: ASIDE }) }];
    return [
      { type: EventType.REASONING_MESSAGE_END, messageId, ...tag },
      { type: EventType.REASONING_END, messageId, ...tag },
    ];
  }

  /** Says an answer of which nothing was told yet, such as that of a function. */
  answer(text: string): Event[] {
    const told = this.close();
    if (this.hasSaid(text)) return told;
    return [...told, ...this.say("text", text), ...this.close()];
  }

  hasSaid(text: string): boolean {
    return squeeze(this.#said).endsWith(squeeze(text));
  }

  get tag(): { readonly subagentRunId?: string } {
    return this.id === undefined ? {} : { subagentRunId: this.id };
  }

  #begin(kind: OpenMessage["kind"]): Event[] {
    const messageId = `${this.#prefix}${this.#call}.${this.#count++}`;
    this.#open = { id: messageId, kind };
    const { tag, name } = this;
    if (kind === "text")
      return [
        {
          type: EventType.TEXT_MESSAGE_START,
          messageId,
          role: "assistant",
          ...(name !== "" && { name }),
          ...tag,
          ...(!this.#isOnLine && { metadata: ASIDE }),
        },
      ];
    return [
      { type: EventType.REASONING_START, messageId, ...tag },
      { type: EventType.REASONING_MESSAGE_START, messageId, role: "reasoning", ...tag },
    ];
  }
}

/** Streams and answers differ in the spaces around what was taken out. */
export function isSameText(a: string, b: string): boolean {
  return squeeze(a) === squeeze(b);
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, "");
}
