/**
 * A part of a text that is read on its own. Nothing before `floor` or from `limit` on is looked at: what stands there is
 * redacted, or has not come yet. Rules read alike whether a text comes whole or in chunks because this is all they see.
 */
export interface Stretch {
  readonly text: string;
  readonly floor: number;
  readonly limit: number;
  /** What is at `limit`: more that is still to come, something redacted, or the end of the text. */
  readonly ending: "more" | "redacted" | "end";
}

/** A secret: from `start` to `end`, and on for as long as its tail reaches. */
export interface Secret {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  readonly tail: Tail | undefined;
}

/** The rest of a secret whose beginning has told what it is; it is dropped as it comes, however long it is. */
export type Tail = (stretch: Stretch, from: number) => TailEnd;

export interface TailEnd {
  readonly end: number;
  /** False where what is still to come may belong to it. */
  readonly isOver: boolean;
}

/** What a rule finds at a place; undecided where that depends on what is still to come. */
export type Verdict = Secret | "undecided" | undefined;

/** How far before a place a rule looks, at most. */
export const LOOK_BEHIND = 160;
