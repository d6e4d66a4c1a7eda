/** Ids say what they are of, and are never mixed up. */
export type RunId = string & { readonly brand: "RunId" };

/** `run_` and 20 letters and digits, from random bytes that the caller brings. */
export function createRunId(random: Uint8Array): RunId {
  const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
  const letters = Array.from(random.subarray(0, 20), (byte) => alphabet[byte & 31]);
  // The one place where a text becomes a RunId without having been one.
  return `run_${letters.join("")}` as RunId;
}

/** Takes a text for a run's id; whether there is such a run, the store says. */
export function asRunId(text: string): RunId {
  return text as RunId;
}
