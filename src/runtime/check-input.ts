import type { Crew } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { roundUpSize } from "../vocabulary/wording.ts";

/** How large an input may be unless the crew says otherwise, and how large answers and responses may be. */
export const MAX_TOLD_KB = 4096;

/** Refuses an input that is not text or is empty, before anything of the run is stored. */
export function checkInput(input: unknown): asserts input is string {
  if (typeof input !== "string")
    throw new BatonError("bad-input", `the input must be text, and is ${input === null ? "null" : typeof input}`);
  if (input.trim() === "") throw new BatonError("no-input", "the input is empty; give the crew a task");
}

/** Refuses an input that is larger than the crew allows. */
export function checkInputSize(input: string, { settings }: Crew): void {
  const problem = sizeProblem("the input", input, settings.maxInputSizeKb ?? MAX_TOLD_KB);
  if (problem !== undefined) throw new BatonError("input-too-large", `${problem}, see 'max_input_size_kb'`);
}

/** Says how a text exceeds a limit; undefined if it does not. */
export function sizeProblem(what: string, text: string, limitKb: number): string | undefined {
  // A character has three bytes at most, so most texts need no exact count.
  if (text.length * 3 <= limitKb * 1024) return undefined;
  const sizeKb = Buffer.byteLength(text) / 1024;
  return sizeKb <= limitKb ? undefined : `${what} has ${roundUpSize(sizeKb)} KB, and at most ${limitKb} KB are taken`;
}
