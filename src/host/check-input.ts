import { BatonError } from "../errors.ts";

/** Refuses an input that no crew can work on, before anything of the run is stored. */
export function checkInput(input: unknown): void {
  if (typeof input !== "string")
    throw new BatonError("bad-input", `the input must be text, and is ${input === null ? "null" : typeof input}`);
  if (input.trim() === "") throw new BatonError("no-input", "the input is empty; say what the crew is to do");
}
