/** The name among `names` that a mistyped `name` most likely means, or undefined where none is near enough. */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  const typed = comparable(name);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of names) {
    const wanted = comparable(candidate);
    if (candidate === name || wanted === "") continue;
    const limit = best === undefined ? allowedDistance(typed, wanted) : best.distance - 1;
    if (limit < 0 || Math.abs(typed.length - wanted.length) > limit) continue;
    const distance = editDistance(typed, wanted);
    if (distance <= limit && distance <= allowedDistance(typed, wanted)) best = { name: candidate, distance };
  }
  return best?.name;
}

/** Case, separators and brackets are what people mistype first; they cost nothing. */
function comparable(name: string): string {
  return name
    .toLowerCase()
    .replace(/[\s_[\]-]+/g, "")
    .slice(0, 64);
}

/** One slip in three letters; in a name of one or two letters any slip makes another name. */
function allowedDistance(a: string, b: string): number {
  const length = Math.max(a.length, b.length);
  return length < 3 ? 0 : Math.floor(length / 3);
}

/** Edits from one text to the other, a swap of neighbours counting as one (optimal string alignment). */
function editDistance(a: string, b: string): number {
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
    [beforeLast, last] = [last, current];
  }
  return last[b.length] ?? 0;
}
