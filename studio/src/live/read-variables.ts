/** Reads lines of `name=value`. */
export function readVariables(
  text: string,
): { readonly variables: Readonly<Record<string, string>> } | { readonly problem: string } {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const wrong = lines.find((line) => !/^\s*[^=\s]+\s*=/.test(line));
  if (wrong !== undefined) return { problem: `Write a variable as name=value; got "${wrong.trim()}".` };
  const entries = lines.map((line): [string, string] => {
    const at = line.indexOf("=");
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
  return { variables: Object.fromEntries(entries) };
}
