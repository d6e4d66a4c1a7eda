import { formatMarker, isMarker } from "./marker.ts";
import { isSecretString } from "./read-assignment.ts";
import { readSecretName, type SecretName } from "./secret-name.ts";

type Container = Record<string, unknown> | unknown[];

interface Copying {
  readonly from: Container;
  readonly to: Container;
  /** The secret that strings in it are, for the list under such a name. */
  readonly secretName: SecretName | undefined;
}

const AUTHORIZATION: SecretName = { kind: "credentials", strength: "strong" };

/**
 * A copy of a value as JSON has it, with each string redacted, and wholly where its key names a secret. Worked off from a
 * list, so that no depth is too deep; what occurs twice is copied once, so that circles stay circles. Other objects (dates,
 * buffers) are passed on as they are.
 */
export function redactValue(value: unknown, redact: (text: string) => string): unknown {
  const copies = new Map<unknown, Container>();
  const toDo: Copying[] = [];

  const copyRedacted = (each: unknown, secretName: SecretName | undefined): unknown => {
    if (typeof each === "string") return redactString(each, secretName, redact);
    if (secretName?.strength === "password" && isLongNumber(each)) return formatMarker(secretName.kind);
    if (!isContainer(each)) return each;
    const known = copies.get(each);
    if (known !== undefined) return known;
    const copy: Container = Array.isArray(each) ? [] : {};
    copies.set(each, copy);
    toDo.push({ from: each, to: copy, secretName: Array.isArray(each) ? secretName : undefined });
    return copy;
  };

  const result = copyRedacted(value, undefined);
  for (let next = toDo.pop(); next !== undefined; next = toDo.pop()) {
    const { from, to, secretName } = next;
    if (Array.isArray(to)) for (const each of Object.values(from)) to.push(copyRedacted(each, secretName));
    else {
      for (const [index, [key, each]] of Object.entries(from).entries()) {
        const redacted = redact(key);
        // Two keys that are redacted to the same text stay two.
        const free = Object.hasOwn(to, redacted) ? `${redacted} ${index}` : redacted;
        define(to, free, copyRedacted(each, findSecretName(key)));
      }
    }
  }
  return result;
}

function redactString(text: string, secretName: SecretName | undefined, redact: (text: string) => string): string {
  const redacted = redact(text);
  if (secretName === undefined || isMarker(redacted) || !isSecretString(text, secretName)) return redacted;
  return formatMarker(secretName.kind);
}

/** A password may be all digits, which YAML and JSON take for a number. */
function isLongNumber(value: unknown): boolean {
  return typeof value === "number" && value >= 1000;
}

function findSecretName(key: string): SecretName | undefined {
  return /authorization$/i.test(key) ? AUTHORIZATION : readSecretName(key);
}

function isContainer(value: unknown): value is Container {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Not by assignment: a key `__proto__` is one like any other. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
