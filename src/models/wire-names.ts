import type { ToolSpecification } from "./model.ts";

/** The names of tools that every provider accepts. */
const SAFE = /^[A-Za-z_][\w-]{0,63}$/;
const MAX_PLAIN = 56;

/**
 * Names of tools in requests. A name that providers would refuse is replaced by another one, which is the same in every request
 * and is translated back.
 */
export class WireNames {
  readonly #sent = new Map<string, string>();
  readonly #own = new Map<string, string>();

  constructor(tools: readonly Pick<ToolSpecification, "name">[]) {
    // A replacement must not be the name of another tool.
    for (const { name } of tools) if (SAFE.test(name)) this.#own.set(name, name);
    for (const { name } of tools) this.sent(name);
  }

  sent(own: string): string {
    if (SAFE.test(own)) return own;
    const known = this.#sent.get(own);
    if (known !== undefined) return known;
    const plain = simplifyName(own);
    let sent = `${plain}_${hashName(own)}`;
    for (let more = 2; this.#own.has(sent); more++) sent = `${plain}_${hashName(`${own} ${more}`)}`;
    this.#sent.set(own, sent);
    this.#own.set(sent, own);
    return sent;
  }

  own(sent: string): string {
    return this.#own.get(sent) ?? sent;
  }
}

/** The part of a name that is safe and readable: letters without their diacritics. */
function simplifyName(name: string): string {
  const letters = name
    .normalize("NFD")
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll(/[^\w-]+/g, "_");
  return (/^[A-Za-z_]/.test(letters) ? letters : `_${letters}`).slice(0, MAX_PLAIN);
}

/** Seven letters and digits that distinguish names that look alike (FNV-1a). */
function hashName(name: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(36).padStart(7, "0");
}
