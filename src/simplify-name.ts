/** The form in which names of agents are compared: case, spaces, punctuation and a closing "agent" do not tell agents apart. */
export function simplifyName(name: string): string {
  const letters = name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
  return letters.replace(/(?<=.)agent$/, "");
}
