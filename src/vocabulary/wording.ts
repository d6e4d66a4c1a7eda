/** `1 agent`, `2 agents`; `1 reply`, `2 replies`. */
export function formatAmount(count: number, word: string, plural = `${word}s`): string {
  return `${count} ${count === 1 ? word : plural}`;
}

/** The form in which names of agents are compared: case, spaces, punctuation and a closing "agent" do not tell agents apart. */
export function simplifyName(name: string): string {
  return keepLetters(name).replace(/(?<=.)agent$/, "");
}

/** The same, where two agents are told apart by a closing "agent" alone. */
export function keepLetters(name: string): string {
  return name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}
