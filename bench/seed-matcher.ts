/**
 * The matcher that the earlier systems describe, for comparison only: per signal the text is searched as it is, then
 * lower-cased, then every bracket of it is normalised and compared.
 */
export function seedMatches(signals: readonly string[], content: string): string[] {
  return signals.filter((signal) => matches(signal, content));
}

function matches(signal: string, content: string): boolean {
  if (content.includes(signal)) return true;
  if (content.toLowerCase().includes(signal.toLowerCase())) return true;
  const wanted = normalize(signal);
  for (let at = 0; at < content.length; at++) {
    if (content[at] !== "[") continue;
    const end = content.indexOf("]", at);
    if (end !== -1 && normalize(content.slice(at, end + 1)) === wanted) return true;
  }
  return false;
}

function normalize(text: string): string {
  const lower = text.toLowerCase();
  if (!lower.startsWith("[") || !lower.endsWith("]")) return lower;
  return `[${lower.slice(1, -1).trim().split(/\s+/).join(" ")}]`;
}
