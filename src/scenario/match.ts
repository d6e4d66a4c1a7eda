import { compilePattern } from "../definition/scalar-shapes.ts";
import { BatonError } from "../vocabulary/errors.ts";

/** Describes how `actual` differs from what a scenario expects; undefined if it matches. */
export function findMismatch(expected: unknown, actual: unknown, where: string): string | undefined {
  if (isMatcher(expected)) return findMatcherMismatch(expected, actual, where);
  if (Array.isArray(expected)) return listMismatch(expected, actual, where);
  if (typeof expected === "object" && expected !== null) return findSubsetMismatch(expected, actual, where);
  return Object.is(expected, actual) || isAsGoodAs(expected, actual)
    ? undefined
    : `${where}\n    expected  ${show(expected)}\n    got       ${show(actual)}`;
}

/** Sums of dollars may differ by what binary fractions cannot represent. Whole numbers must be equal. */
function isAsGoodAs(expected: unknown, actual: unknown): boolean {
  if (typeof expected !== "number" || typeof actual !== "number") return false;
  const isFraction = !Number.isInteger(expected) || !Number.isInteger(actual);
  return isFraction && Math.abs(expected - actual) <= 1e-9 * Math.max(Math.abs(expected), Math.abs(actual));
}

interface Matcher {
  readonly contains?: string;
  readonly matches?: string;
  readonly not?: unknown;
}

/** All keys of a matcher must match. A missing value contains and matches nothing. */
function findMatcherMismatch(matcher: Matcher, actual: unknown, where: string): string | undefined {
  const text = typeof actual === "string" ? actual : JSON.stringify(actual ?? undefined);
  const wants = (what: string, pattern: unknown) =>
    `${where}\n    expected ${what} ${show(pattern)}\n    got       ${show(actual)}`;
  if (matcher.contains !== undefined && !text?.includes(matcher.contains)) return wants("to contain", matcher.contains);
  if (matcher.matches !== undefined && (text === undefined || !readPattern(matcher.matches, where).test(text)))
    return wants("to match", matcher.matches);
  if (matcher.not !== undefined && findMismatch(matcher.not, actual, where) === undefined)
    return wants("not to be", matcher.not);
  return undefined;
}

/** Events and errors may expect any value, so only here is it known that this one is a pattern. */
function readPattern(source: string, where: string): RegExp {
  try {
    return compilePattern(source);
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    throw new BatonError("bad-matcher", `${where}: 'matches' must be a regular expression: ${why}`);
  }
}

function listMismatch(expected: readonly unknown[], actual: unknown, where: string): string | undefined {
  if (!Array.isArray(actual) || actual.length !== expected.length) {
    return `${where}\n    expected  ${show(expected)}\n    got       ${show(actual)}`;
  }
  for (const [index, each] of expected.entries()) {
    const problem = findMismatch(each, actual[index], `${where}[${index}]`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Every expected key must match. Other keys do not matter. */
function findSubsetMismatch(expected: object, actual: unknown, where: string): string | undefined {
  for (const [key, value] of Object.entries(expected)) {
    const found = typeof actual === "object" && actual !== null ? (actual as Record<string, unknown>)[key] : undefined;
    const problem = findMismatch(value, found, `${where}.${key}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isMatcher(value: unknown): value is Matcher {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => key === "contains" || key === "matches" || key === "not");
}

function show(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
