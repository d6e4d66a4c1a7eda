import { statSync } from "node:fs";
import { describeThrown } from "../vocabulary/errors.ts";
import { readTokens } from "./read-tokens.ts";
import type { Token } from "./token.ts";

/** How often the file is looked at, at most. */
const LOOK_MS = 1000;

/** The tokens of a server: those that were given, and those of a file, which is read again when it changes. */
export class TokenBook {
  readonly #given: readonly Token[];
  readonly #file: string | undefined;
  readonly #note: (message: string) => void;
  #ofFile: readonly Token[] = [];
  #seen = "";
  #lookedAt = 0;

  constructor(given: readonly Token[], file: string | undefined, note: (message: string) => void) {
    this.#given = given;
    this.#file = file;
    this.#note = note;
    if (file === undefined) return;
    this.#ofFile = readTokens(file);
    this.#seen = stampOf(file);
  }

  /** A file that becomes unusable changes nothing: the last usable tokens stay, and the log says why. */
  list(now: number): readonly Token[] {
    const file = this.#file;
    if (file === undefined || now - this.#lookedAt < LOOK_MS) return this.#all();
    this.#lookedAt = now;
    const stamp = stampOf(file);
    if (stamp === this.#seen) return this.#all();
    this.#seen = stamp;
    try {
      this.#ofFile = readTokens(file);
      this.#note(`the tokens in ${file} were read again: ${this.#ofFile.length} tokens`);
    } catch (error) {
      this.#note(`the tokens in ${file} were not read again, and the earlier ones stay: ${describeThrown(error)}`);
    }
    return this.#all();
  }

  #all(): readonly Token[] {
    return [...this.#given, ...this.#ofFile];
  }
}

function stampOf(file: string): string {
  const { mtimeMs = 0, size = 0, ino = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return `${mtimeMs} ${size} ${ino}`;
}
