/** Limits on tool output. The full text stays in the journal. */
export interface OutputLimits {
  readonly maxToolOutputChars: number;
  readonly maxTotalToolOutputChars: number | undefined;
}

/** Cuts long outputs of one turn in the middle. Each has its own limit, and all of them share a total. */
export function cutOutputs(texts: readonly string[], limits: OutputLimits): string[] {
  let left = limits.maxTotalToolOutputChars ?? Number.POSITIVE_INFINITY;
  return texts.map((text) => {
    const cut = cutMiddle(text, Math.min(limits.maxToolOutputChars, left));
    left = Math.max(0, left - cut.length);
    return cut;
  });
}

export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  const marker = `\n[… cut: ${text.length} characters in all …]\n`;
  return text.slice(0, half) + marker + text.slice(text.length - half);
}
