/**
 * Finds the place where a value from somebody's code is not JSON, and says what is there. JSON.stringify would silently turn a
 * Map into `{}` and NaN into `null`. Undefined values are left out, as in JSON.
 */
export function findJsonProblem(value: unknown, place: string): string | undefined {
  try {
    return findProblemAt(value, place, []);
  } catch {
    return `${place} cannot be read`;
  }
}

function findProblemAt(value: unknown, place: string, around: readonly object[]): string | undefined {
  switch (typeof value) {
    case "undefined":
    case "string":
    case "boolean":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : `${place} is ${value}`;
    case "bigint":
      return `${place} is a BigInt`;
    case "function":
    case "symbol":
      return `${place} is a ${typeof value}`;
    case "object":
      return value === null ? undefined : findProblemIn(value, place, around);
  }
}

function findProblemIn(value: object, place: string, around: readonly object[]): string | undefined {
  if (around.includes(value)) return `${place} refers to an object that contains it`;
  const within = [...around, value];
  if ("toJSON" in value && typeof value.toJSON === "function") {
    const isInvalidDate = value instanceof Date && Number.isNaN(value.getTime());
    if (isInvalidDate) return `${place} is an invalid Date`;
    const written: unknown = value.toJSON();
    return written === undefined ? `${place} is nothing in JSON` : findProblemAt(written, place, within);
  }
  if (Array.isArray(value)) return findFirst(value, (each, index) => findProblemAt(each, `${place}[${index}]`, within));
  if (!isData(value)) return `${place} is ${addArticle(nameClass(value))}`;
  return findFirst(Object.entries(value), ([key, each]) => findProblemAt(each, `${place}.${key}`, within));
}

function findFirst<Item>(
  items: readonly Item[],
  findProblem: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = findProblem(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function nameClass(value: object): string {
  // Generators have no class of their own.
  return value.constructor?.name || Object.prototype.toString.call(value).slice("[object ".length, -1);
}

function addArticle(name: string): string {
  return /^[AEIOU]/.test(name) ? `an ${name}` : `a ${name}`;
}

/** Whether an object consists only of its own fields: a plain object, or one of a class that has only fields. */
function isData(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  const isOther = value instanceof Error || ArrayBuffer.isView(value) || Symbol.iterator in value;
  return !isOther && !(Symbol.asyncIterator in value) && Object.keys(value).length > 0;
}
