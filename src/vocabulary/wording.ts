/** `1 agent`, `2 agents`; `1 reply`, `2 replies`. */
export function formatAmount(count: number, word: string, plural = `${word}s`): string {
  return `${count} ${count === 1 ? word : plural}`;
}

/** A size above a limit, in the limit's unit: rounded up to a tenth, so that it never reads like the limit itself. */
export function roundUpSize(size: number): number {
  return Math.ceil(size * 10) / 10;
}

/** The form in which names of agents are compared: case, spaces, punctuation and a final "agent" do not matter. */
export function simplifyName(name: string): string {
  return keepLetters(name).replace(/(?<=.)agent$/, "");
}

/** The same with a final "agent", for agents whose names differ only in that. */
export function keepLetters(name: string): string {
  return name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}

/** Whether a text shows nothing: it is empty, or has only white space and invisible characters such as zero-width spaces. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  // Most texts begin with a letter, and the expression is not needed for them.
  if (first > 32 && first < 127) return false;
  return /^[\s\p{Default_Ignorable_Code_Point}]*$/u.test(text);
}

/** What kind of value it is, for messages to callers in JavaScript, who may give anything. */
export function nameKind(value: unknown): string {
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  return Array.isArray(value) ? "a list" : `an object of ${value.constructor?.name ?? "no class"}`;
}

/** A value as messages show it: texts and numbers as they are, other values by their kind. */
export function describeValue(value: unknown): string {
  return typeof value === "string" ? `"${value}"` : typeof value === "number" ? `${value}` : nameKind(value);
}
