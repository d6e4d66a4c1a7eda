/** Names that Baton, or a product, reads as something other than an agent. */
const reserved: ReadonlySet<string> = new Set(["readme", "claude", "agents", "gemini", "crew", "import", ""]);
const MAX_LENGTH = 80;

/** A name for an agent and its file, which is free among those that are taken. */
export function nameFile(id: string, taken: Set<string> = new Set()): string {
  const plain = simplify(id);
  return findFree(reserved.has(plain.toLowerCase()) ? `${plain}${plain === "" ? "" : "-"}agent` : plain, taken);
}

/** A name for the folder of a crew, which is free among those that are taken. */
export function nameFolder(name: string, taken: Set<string> = new Set()): string {
  return findFree(simplify(name) || "imported", taken);
}

function simplify(name: string): string {
  return name
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}_-]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, MAX_LENGTH);
}

function findFree(safe: string, taken: Set<string>): string {
  let free = safe;
  for (let count = 2; taken.has(free.toLowerCase()); count++) free = `${safe}-${count}`;
  taken.add(free.toLowerCase());
  return free;
}
