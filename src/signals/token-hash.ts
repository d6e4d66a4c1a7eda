/** A number that is equal for tokens with the same normalised form. It is built character by character, without a string. */
export const EMPTY_HASH = 0x811c9dc5;

/** Mixes one more character of the normalised form into a hash (FNV-1a). */
export function mixHash(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** The hash of a name in normalised form, without its brackets. */
export function hashNormalized(inner: string): number {
  let hash = EMPTY_HASH;
  for (let at = 0; at < inner.length; at++) hash = mixHash(hash, inner.charCodeAt(at));
  return hash;
}
