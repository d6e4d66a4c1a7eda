/** The longest pattern: matching takes time in proportion to pattern times path. */
const MAX_PATTERN = 500;

/** A function that says whether a path fits a pattern: `*` within a name, `**` across folders, `?` one character, `{a,b}`. */
export function compileGlob(pattern: string): (path: string) => boolean {
  if (pattern.length > MAX_PATTERN) throw new Error(`a pattern may have at most ${MAX_PATTERN} characters`);
  const patterns = expandBraces(pattern.replace(/^\.\//, "")).map((each) => each.split("/"));
  return (path) => {
    const parts = path.split("/");
    return patterns.some(
      (each) => matchParts(each, parts) || (each.length === 1 && matchName(each[0] ?? "", parts.at(-1) ?? "")),
    );
  };
}

const MAX_ALTERNATIVES = 64;

function expandBraces(pattern: string): string[] {
  let open = [pattern];
  for (;;) {
    const next = open.flatMap((each) => {
      const found = /\{([^{}]*)\}/.exec(each);
      if (found === null) return each;
      const [before, after] = [each.slice(0, found.index), each.slice(found.index + found[0].length)];
      return (found[1] ?? "").split(",").map((part) => before + part + after);
    });
    if (next.length > MAX_ALTERNATIVES) throw new Error(`a pattern may have at most ${MAX_ALTERNATIVES} alternatives`);
    if (next.every((each, index) => each === open[index]) && next.length === open.length) return next;
    open = next;
  }
}

/** `**` stands for any number of folders. Each row says which parts of the path can follow. */
function matchParts(pattern: readonly string[], parts: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const part of pattern) {
    const next = new Set<number>();
    for (const at of reached) {
      if (part === "**") for (let to = at; to <= parts.length; to++) next.add(to);
      else if (at < parts.length && matchName(part, parts[at] ?? "")) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(parts.length);
}

/** Goes back to the last `*` only, which is enough. */
function matchName(pattern: string, name: string): boolean {
  let [at, from, star, mark] = [0, 0, -1, 0];
  while (from < name.length) {
    if (pattern[at] === "*") {
      star = at++;
      mark = from;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === name[from])) {
      at++;
      from++;
    } else if (star !== -1) {
      at = star + 1;
      from = ++mark;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}
