/**
 * A part of a text that is read on its own. Rules look at nothing before `floor` or from `limit` on: what is there is redacted
 * or has not arrived yet. Since rules see nothing else, they work the same on whole texts and on chunks.
 */
export interface Stretch {
  readonly text: string;
  readonly floor: number;
  readonly limit: number;
  /** What is at `limit`: text that is still to come, something redacted, or the end of the text. */
  readonly ending: "more" | "redacted" | "end";
}

/** A secret: from `start` to `end`, and further for as long as its tail reaches. */
export interface Secret {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  readonly tail: Tail | undefined;
}

/** The rest of a secret whose beginning has identified it. It is dropped as it arrives, however long it is. */
export type Tail = (stretch: Stretch, from: number) => TailEnd;

export interface TailEnd {
  readonly end: number;
  /** False if text that is still to come may belong to it. */
  readonly isOver: boolean;
}

/** What a rule finds at a place; undecided if that depends on text that is still to come. */
export type Verdict = Secret | "undecided" | undefined;

/** Rules look at most this far before a place. */
export const LOOK_BEHIND = 160;
