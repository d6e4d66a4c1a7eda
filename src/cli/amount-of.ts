/** `1 agent`, `2 agents`. */
export function amountOf(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
