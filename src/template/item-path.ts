/** A way into JSON: keys of objects and positions in lists, from the outside in. */
export type ItemPath = readonly (string | number)[];

/** A list in JSON, or why there is none at a path. */
export type FoundItems = { readonly items: readonly unknown[] } | { readonly problem: string };

const STEP = /\.([\p{L}_][\p{L}\p{M}\p{N}_-]*)|\[(\d{1,9})\]|\["([^"\\]+)"\]|\['([^'\\]+)'\]/uy;

/** Reads `$.report.sections`, `$[0]`, `$["key with spaces"]`, or `$` for the whole; undefined if the text is no path. */
export function parseItemPath(text: string): ItemPath | undefined {
  if (!text.startsWith("$")) return undefined;
  const path: (string | number)[] = [];
  STEP.lastIndex = 1;
  for (let at = 1; at < text.length; at = STEP.lastIndex) {
    const step = STEP.exec(text);
    if (step === null) return undefined;
    const [, key, position, quoted, inQuotes] = step;
    path.push(position === undefined ? (key ?? quoted ?? inQuotes ?? "") : Number(position));
  }
  return path;
}

/** Finds the list at a path in a value. */
export function findItems(value: unknown, path: ItemPath): FoundItems {
  let found = value;
  let place = "$";
  for (const step of path) {
    const next = `${place}${formatStep(step)}`;
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, step))
      return { problem: `there is no ${next}: ${place} is ${describe(found)}` };
    found = Reflect.get(found, step);
    place = next;
  }
  return Array.isArray(found) ? { items: found } : { problem: `${place} is ${describe(found)}, and no list` };
}

export function formatStep(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  return /^[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u.test(step) ? `.${step}` : `["${step}"]`;
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value !== "object") return typeof value === "string" ? "a text" : `the ${typeof value} ${String(value)}`;
  const keys = Object.keys(value).slice(0, 10);
  return keys.length === 0 ? "an empty object" : `an object with ${keys.join(", ")}`;
}
