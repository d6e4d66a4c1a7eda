/** Ids say what they are of, and are never mixed up. */
export type RunId = string & { readonly brand: "RunId" };

/** `run_` and 20 letters and digits of a random UUID that the caller brings. */
export function createRunId(uuid: string): RunId {
  // The one place where a text becomes a RunId without having been one.
  return `run_${uuid.replaceAll("-", "").slice(-20)}` as RunId;
}

/** Takes a text for a run's id; whether there is such a run, the store says. */
export function asRunId(text: string): RunId {
  return text as RunId;
}
