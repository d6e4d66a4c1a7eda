import { dirname, resolve } from "node:path";
import type { Guard, GuardCheck, Guards } from "../vocabulary/guard.ts";
import type { GuardKeys, GuardsKeys } from "./guards-shape.ts";
import { splitToolReference } from "./tool-reference.ts";

const kinds = ["max_chars", "matches", "forbids", "json", "language", "no_secrets", "grounded", "module", "agent"];

/** The keys of a guard, whose short form is a module or the name of a guard that needs nothing more. */
export function readGuard(given: GuardKeys | string): Partial<GuardKeys> {
  if (typeof given !== "string") return given;
  if (given === "no_secrets") return { no_secrets: true };
  if (given === "grounded") return { grounded: { in: undefined } };
  return given === "json" ? { json: true } : { module: given };
}

/** The kinds of check that the keys of a guard name: one, if all is well. */
export function listKinds(keys: Partial<GuardKeys>): string[] {
  return kinds.filter((kind) => Reflect.get(keys, kind) !== undefined);
}

/** The guards under `guards`; those that say nothing are left out, and the checks have said why. */
export function buildGuards(keys: GuardsKeys | undefined, file: string): Guards | undefined {
  if (keys === undefined || keys.input.length + keys.output.length === 0) return undefined;
  const build = (each: GuardKeys | string) => buildGuard(readGuard(each), file) ?? [];
  return { input: keys.input.flatMap(build), output: keys.output.flatMap(build), isEarly: keys.stream === "early" };
}

function buildGuard(keys: Partial<GuardKeys>, file: string): Guard | undefined {
  const check = buildCheck(keys, file);
  if (check === undefined) return undefined;
  const isJudge = check.type === "module" || check.type === "agent";
  return {
    name: nameGuard(check),
    check,
    onTrip: keys.on_trip ?? (isJudge ? undefined : "block"),
    message: keys.message,
    maxRetries: keys.max ?? 2,
    isFirst: keys.first ?? false,
  };
}

function nameGuard(check: GuardCheck): string {
  if (check.type === "agent") return check.agent;
  return check.type === "module" ? check.id : check.type;
}

function buildCheck(keys: Partial<GuardKeys>, file: string): GuardCheck | undefined {
  if (keys.max_chars !== undefined) return { type: "max_chars", limit: keys.max_chars };
  if (keys.matches !== undefined) return { type: "matches", pattern: keys.matches };
  if (keys.forbids !== undefined) return { type: "forbids", texts: keys.forbids };
  if (keys.json !== undefined) return { type: "json", schema: keys.json === true ? undefined : keys.json };
  if (keys.language !== undefined) return { type: "language", language: keys.language };
  if (keys.no_secrets === true) return { type: "no_secrets" };
  if (keys.grounded !== undefined) return { type: "grounded" };
  if (keys.agent !== undefined) return { type: "agent", agent: keys.agent };
  if (keys.module === undefined) return undefined;
  const { file: module, exportName } = splitToolReference(keys.module, "default");
  const reference = { file: resolve(dirname(file), module), exportName };
  return { type: "module", id: exportName, function: { module: reference, effect: "read" } };
}
