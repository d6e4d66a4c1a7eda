import { Blocks } from "./blocks.ts";
import { findFirstCandidate, passLines, type SignalMatch, type SignalScope, scanBlock } from "./scan-signals.ts";
import type { IndexedSignal, SignalIndex } from "./signal-index.ts";
import { canLeadToken, mayBecomeRemainder } from "./strip-line.ts";
import { StrippedLines } from "./stripped-lines.ts";

/** Finds the tokens of a line that are to be removed. `blocks` is the state before it; undefined at the beginning of a text. */
export type SignalScan<Signal extends IndexedSignal> = (
  line: string,
  blocks: Blocks | undefined,
  index: SignalIndex<Signal>,
  scope: SignalScope,
) => readonly SignalMatch<Signal>[];

/** Removes signal tokens from a text while it streams in. However the text is cut, the joined parts are the same. */
export class SignalStripper<Signal extends IndexedSignal = IndexedSignal> {
  readonly #index: SignalIndex<Signal>;
  readonly #scope: SignalScope;
  readonly #isStripped: (signal: Signal) => boolean;
  readonly #scan: SignalScan<Signal>;
  readonly #lines = new StrippedLines();
  /** Undefined in the first line. */
  #blocks: Blocks | undefined;
  /** The part of the current line that was given out already. */
  #head = "";
  /** The rest of the line. Under `last_line` it includes the blank lines after it while its tokens may still be the last ones. */
  #tail = "";
  /** The current line while it is a single chunk, because joining its parts again would cost more than reading it. */
  #whole: string | undefined;
  /** Whether the rest contains a token and therefore waits for the end of the line. */
  #isHeld = false;

  constructor(
    index: SignalIndex<Signal>,
    scope: SignalScope,
    isStripped: (signal: Signal) => boolean,
    scan: SignalScan<Signal> = (...line) => scanBlock(...line).filter(({ signal }) => isStripped(signal)),
  ) {
    this.#scan = scan;
    this.#index = index;
    this.#scope = scope;
    this.#isStripped = isStripped;
  }

  push(chunk: string): string {
    let said = "";
    let from = 0;
    for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", from)) {
      said += this.#add(chunk.slice(from, end + 1));
      said += this.#endLine();
      from = end + 1;
    }
    return said + this.#add(from === 0 ? chunk : chunk.slice(from)) + this.#sayEarly();
  }

  end(): string {
    return this.#takeLine(true, true) + this.#lines.end();
  }

  /** If text follows a waiting line, that line is not the last one. */
  #add(text: string): string {
    if (this.#tail === "") {
      this.#whole = this.#head === "" ? text : undefined;
      this.#tail = text;
      return "";
    }
    this.#whole = undefined;
    const lineStart = this.#tail.lastIndexOf("\n") + 1;
    const isOver = lineStart > 0 && text.trim() !== "";
    if (!isOver) {
      this.#tail += text;
      return "";
    }
    const begun = this.#tail.slice(lineStart);
    this.#tail = this.#tail.slice(0, lineStart);
    const said = this.#takeLine(false);
    this.#tail = begun + text;
    return said;
  }

  #endLine(): string {
    if (this.#scope !== "last_line") return this.#takeLine(true);
    const isWaiting = this.#isHeld || this.#candidateIn(this.#tail).isCertain;
    this.#isHeld = isWaiting;
    return isWaiting ? "" : this.#takeLine(false);
  }

  /** Gives out the part of an unfinished line that later text cannot change. */
  #sayEarly(): string {
    if (this.#isHeld || this.#tail === "") return "";
    let safe = this.#onlyMatch()?.offset;
    if (safe === undefined) {
      const candidate = this.#candidateIn(this.#tail);
      this.#isHeld = candidate.isCertain;
      safe = candidate.at;
    } else this.#isHeld = true;
    while (safe > 0 && canLeadToken(this.#tail.charAt(safe - 1))) safe--;
    const text = this.#tail.slice(0, safe);
    if (text === "" || (this.#head === "" && mayBecomeRemainder(text))) return "";
    this.#head += text;
    this.#tail = this.#tail.slice(safe);
    return this.#lines.say(text);
  }

  #takeLine(mayCount: boolean, isLast = false): string {
    const line = this.#whole ?? this.#head + this.#tail;
    const hasToken = mayCount && (this.#isHeld || this.#candidateIn(this.#tail).isCertain);
    const said = this.#lines.take(line, this.#head.length, hasToken ? this.#matchesIn(line) : []);
    if (!isLast) {
      this.#blocks ??= new Blocks();
      passLines(line, this.#blocks);
    }
    this.#head = "";
    this.#tail = "";
    this.#whole = undefined;
    this.#isHeld = false;
    return said;
  }

  /**
   * Finds the token of a text that began as one chunk, if it has one and no other brackets before it. Most answers of one line
   * end like this, and then the whole answer needs no second scan.
   */
  #onlyMatch(): SignalMatch<Signal> | undefined {
    const line = this.#whole;
    if (line === undefined || this.#blocks !== undefined || this.#scope === "last_line") return undefined;
    const open = line.indexOf("[");
    if (open === -1) return undefined;
    const first = this.#matchesIn(line)[0];
    return first?.offset === open ? first : undefined;
  }

  #candidateIn(text: string): ReturnType<typeof findFirstCandidate> {
    return findFirstCandidate(text, this.#index, this.#isStripped);
  }

  #matchesIn(line: string): readonly SignalMatch<Signal>[] {
    return this.#scan(line, this.#blocks, this.#index, this.#scope);
  }
}
