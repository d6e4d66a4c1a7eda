import { formatMarker, isMarker } from "./marker.ts";
import { isSecretString } from "./read-assignment.ts";
import { readSecretName, type SecretName } from "./secret-name.ts";

type Container = Record<string, unknown> | unknown[];

interface Copying {
  readonly from: Container;
  readonly to: Container;
  /** The secret name that applies to strings in this list. */
  readonly secretName: SecretName | undefined;
}

const AUTHORIZATION: SecretName = { kind: "credentials", strength: "strong" };

/**
 * Copies a value as JSON would write it, with each string redacted, and entirely if its key names a secret. It uses a work list
 * instead of recursion, so no depth is too deep. Values that occur twice are copied once, so circles stay circles. Other
 * objects, such as dates and buffers, are passed on unchanged.
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
        // Two keys whose redacted texts are equal must stay two keys.
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

/** A password may consist of digits only, which YAML and JSON read as a number. */
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

/** Assignment would treat a key `__proto__` specially. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
