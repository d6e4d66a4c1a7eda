/** The name among `names` that a mistyped `name` most likely means, or undefined where none is near enough. */
export function nearestName(
  name: string,
  names: Iterable<string>,
  comparable: (name: string) => string = plainForm,
): string | undefined {
  const typed = comparable(name);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of names) {
    const wanted = comparable(candidate);
    if (candidate === name || wanted === "") continue;
    const limit = best === undefined ? allowedDistance(typed, wanted) : best.distance - 1;
    if (limit < 0 || (Math.abs(typed.length - wanted.length) > limit && !contains(typed, wanted))) continue;
    const distance = Math.min(
      editDistance(typed, wanted, limit),
      contains(typed, wanted) ? 2 : Number.POSITIVE_INFINITY,
    );
    if (distance <= limit && distance <= allowedDistance(typed, wanted)) best = { name: candidate, distance };
  }
  return best?.name;
}

/** More slips than this make another name, however long it is. */
const MAX_SLIPS = 4;

/** Case, separators and brackets are what people mistype first; they cost nothing. */
function plainForm(name: string): string {
  return name
    .toLowerCase()
    .replace(/[\s_[\]-]+/g, "")
    .slice(0, 64);
}

/** One slip in three letters; in a name of one or two letters any slip makes another name. */
function allowedDistance(a: string, b: string): number {
  return Math.min(MAX_SLIPS, Math.floor(Math.max(a.length, b.length) / 3));
}

/** `bill` for `billing`, `prompt` for `system_prompt`: a good part of a name from its start or end. */
function contains(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= 4 && (long.startsWith(short) || long.endsWith(short));
}

/** Edits from one text to the other, a swap of neighbours counting as one (optimal string alignment). */
function editDistance(a: string, b: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(cost);
    }
    // No row gets smaller again: what is too far already need not be finished.
    if (current.every((cost) => cost > limit)) return limit + 1;
    [beforeLast, last] = [last, current];
  }
  return last[b.length] ?? 0;
}
