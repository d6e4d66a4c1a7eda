import { BatonError } from "./errors.ts";

/** A branded type, so that ids of different things cannot be mixed up. */
export type RunId = string & { readonly brand: "RunId" };

/** `run_` and 20 digits of a random UUID that the caller provides: those that are random. */
export function createRunId(uuid: string): RunId {
  // The only place where another text becomes a new RunId.
  return `run_${uuid.slice(0, 8)}${uuid.slice(24)}` as RunId;
}

/** Takes a text for a run's id. The store knows whether there is such a run. */
export function toRunId(text: string): RunId {
  if (typeof text !== "string")
    throw new BatonError(
      "unknown-run",
      `a run's id is text such as run_4f1c…; got ${text === null ? "null" : typeof text}`,
    );
  return text as RunId;
}
