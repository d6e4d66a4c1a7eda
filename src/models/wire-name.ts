/** What all providers take for the name of a tool. */
const TAKEN = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
/** How much of a name is kept that they do not take, so that models can read it. */
const READABLE = 55;

/**
 * The name of a tool as providers take it: `transfer_to_kỹ_thuật` is sent as `transfer_to_ky_thuat_` and a number that tells
 * it from others that look the same.
 */
export function wireName(name: string): string {
  if (TAKEN.test(name)) return name;
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "").replace(/đ/g, "d").replace(/Đ/g, "D");
  const readable = plain.replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, READABLE);
  return `${/^[a-zA-Z_]/.test(readable) ? "" : "_"}${readable}_${numberOf(name)}`;
}

/** The name that was meant by one that came back. */
export function nameOnWire(wire: string, names: readonly string[]): string {
  return names.includes(wire) ? wire : (names.find((name) => wireName(name) === wire) ?? wire);
}

/** FNV-1a, in seven characters at most. */
function numberOf(name: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
