/** Words of a conversation: those of an agent, or of somebody who speaks to the crew. */
export interface Said {
  readonly agent?: string;
  readonly text: string;
}

/** What a run on a conversation begins with, so that it can be gone over again without the runs before it. */
export interface ConversationStart {
  readonly id: string;
  /** Which run of the conversation this is, from 1. */
  readonly n: number;
  /** The run before it. */
  readonly previous?: string;
  /** Who has the conversation, and so begins, and how it came to speak; absent where the entry point begins. */
  readonly holder?: { readonly agent: string; readonly standing: "line" | "passed" };
  /** Who had the conversation and is no longer in the crew; the entry point begins in its place. */
  readonly gone?: string;
  /** What was said before, the oldest first. */
  readonly said: readonly Said[];
  /** How many messages after the first are left out of it, since it grew too long. */
  readonly trimmed?: number;
}
