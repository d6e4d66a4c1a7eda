/** What products call their models by one word, and the newest model of that line. */
const lines = new Map([
  ["sonnet", "anthropic/claude-sonnet-5"],
  ["opus", "anthropic/claude-opus-5-5"],
  ["opusplan", "anthropic/claude-opus-5-5"],
  ["haiku", "anthropic/claude-haiku-4-5"],
]);

/** Names of which the maker is known by how they begin. */
const makers: readonly (readonly [begins: RegExp, provider: string])[] = [
  [/^claude-/, "anthropic"],
  [/^(?:gpt-|chatgpt-|codex-|o\d)/, "openai"],
  [/^gemini-/, "google"],
];

/** Words that leave the choice to somebody else. */
const leftOpen: ReadonlySet<string> = new Set(["inherit", "default", "auto", "none", ""]);

/** A model as a product shows it: its name here, nothing where the choice is left open, or "unknown". */
export function readModelName(shown: string): { readonly name: string } | "open" | "unknown" {
  const plain = shown
    .replace(/\([^()]*\)|\[[^[\]]*\]/g, "")
    .trim()
    .toLowerCase();
  if (leftOpen.has(plain)) return "open";
  if (plain.includes("/")) return { name: shown.trim() };
  const line = lines.get(plain);
  if (line !== undefined) return { name: line };
  const dashed = plain.replace(/\s+/g, "-");
  const [, provider] = makers.find(([begins]) => begins.test(dashed)) ?? [];
  if (provider === undefined) return "unknown";
  // Anthropic's names have dashes where people see points: Claude Sonnet 4.5 is claude-sonnet-4-5.
  return { name: `${provider}/${provider === "anthropic" ? dashed.replaceAll(".", "-") : dashed}` };
}
