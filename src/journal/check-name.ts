import { BatonError } from "../vocabulary/errors.ts";

/** Names are stored unchanged. No store can do that with half of a surrogate pair, and some databases cannot do it with a NUL. */
export function checkName(name: string, what: string): void {
  if (name.isWellFormed() && !name.includes("\0")) return;
  throw new BatonError(
    "bad-name",
    `${what} ${JSON.stringify(name)} cannot be stored: it has a NUL or half a character`,
  );
}
