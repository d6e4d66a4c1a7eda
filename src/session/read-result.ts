import { describeThrown } from "../vocabulary/errors.ts";
import { findJsonProblem } from "../vocabulary/find-json-problem.ts";
import { roundUpSize } from "../vocabulary/wording.ts";

/** More than any model reads. */
const MAX_RESULT_CHARS = 4 * 2 ** 20;

/** Reads what a tool or a function returned as text; throws if the text is not JSON or too large. */
export function readResult(result: unknown): string {
  const problem = findJsonProblem(result, "result");
  if (problem !== undefined)
    throw new Error(`it was done, but ${problem}, which is not JSON: return text or plain data`);
  const text = formatResult(result);
  if (text.length <= MAX_RESULT_CHARS) return text;
  const [size, most] = [text.length, MAX_RESULT_CHARS].map((chars) => roundUpSize(chars / 2 ** 20));
  throw new Error(`the result has ${size} MB, and at most ${most} MB are taken. Ask for less`);
}

export function formatResult(result: unknown): string {
  if (typeof result === "string") return result;
  return result === undefined ? "" : (JSON.stringify(result) ?? String(result));
}

/** Why a tool or a function failed, as far as what it threw says. */
export function explainThrown(thrown: unknown): string {
  const text = describeThrown(thrown);
  return text.trim() === "" ? "it failed and did not say why" : text;
}
