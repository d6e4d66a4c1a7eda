/** Names that Baton, or a product, reads as something other than an agent. */
const reserved: ReadonlySet<string> = new Set(["readme", "claude", "agents", "gemini", "crew", "import", ""]);
const MAX_LENGTH = 80;

/** A name for the file of an agent or the folder of a crew, which is free among those that are taken. */
export function nameFile(id: string, taken: Set<string> = new Set()): string {
  const plain = id
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}_-]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, MAX_LENGTH);
  const safe = reserved.has(plain.toLowerCase()) ? `${plain}${plain === "" ? "" : "-"}agent` : plain;
  let free = safe;
  for (let count = 2; taken.has(free.toLowerCase()); count++) free = `${safe}-${count}`;
  taken.add(free.toLowerCase());
  return free;
}
