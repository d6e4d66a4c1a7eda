import { BatonError } from "./errors.ts";

/** Ids say what they are of, and are never mixed up. */
export type RunId = string & { readonly brand: "RunId" };

/** `run_` and 20 digits of a random UUID that the caller brings: those that are random. */
export function createRunId(uuid: string): RunId {
  // The one place where a text becomes a RunId without having been one.
  return `run_${uuid.slice(0, 8)}${uuid.slice(24)}` as RunId;
}

/** Takes a text for a run's id; whether there is such a run, the store says. */
export function toRunId(text: string): RunId {
  if (typeof text !== "string")
    throw new BatonError(
      "unknown-run",
      `a run's id is text such as run_4f1c…; got ${text === null ? "null" : typeof text}`,
    );
  return text as RunId;
}
