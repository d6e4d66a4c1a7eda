/** `1 agent`, `2 agents`; `1 reply`, `2 replies`. */
export function amountOf(count: number, word: string, plural = `${word}s`): string {
  return `${count} ${count === 1 ? word : plural}`;
}
