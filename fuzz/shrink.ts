/** Cuts a value down, part by part, for as long as what is left is still wanted. */
export async function shrink<Value>(value: Value, isWanted: (smaller: Value) => Promise<boolean>): Promise<Value> {
  let smallest = value;
  for (let hasShrunk = true; hasShrunk; ) {
    hasShrunk = false;
    for (const path of pathsOf(smallest).reverse()) {
      const smaller = without(smallest, path) as Value;
      if (await isWanted(smaller)) {
        smallest = smaller;
        hasShrunk = true;
      }
    }
  }
  return smallest;
}

type Path = readonly string[];

/** Where each part of a value is, the whole before its parts. */
function pathsOf(value: unknown): Path[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [[key], ...pathsOf(part).map((path) => [key, ...path])]);
}

function without(value: unknown, [key = "", ...rest]: Path): unknown {
  if (Array.isArray(value)) {
    const index = Number(key);
    return rest.length === 0 ? value.toSpliced(index, 1) : value.with(index, without(value[index], rest));
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    rest.length === 0
      ? entries.filter(([name]) => name !== key)
      : entries.map(([name, part]) => [name, name === key ? without(part, rest) : part]),
  );
}
