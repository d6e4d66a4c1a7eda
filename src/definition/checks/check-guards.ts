import { dirname, resolve } from "node:path";
import { listKinds, readGuard } from "../build-guards.ts";
import type { CrewParts } from "../crew-parts.ts";
import type { GuardKeys, GuardsKeys } from "../guards-shape.ts";
import { type Path, placeOfValue } from "../locate.ts";
import type { Place } from "../source.ts";
import { findModuleProblem, noModule, splitToolReference } from "../tool-reference.ts";

interface Guarded {
  readonly keys: GuardsKeys | undefined;
  readonly file: string;
  /** The id of the agent; undefined for the crew. */
  readonly agent?: string;
  readonly isJson?: boolean;
  placeOf(path: Path): Place;
}

/** Guards say one thing each, which can be done, and can trip. */
export function checkGuards(parts: CrewParts): void {
  const { crewFile, directory, placeOf } = parts;
  const agents = [...directory.files.values()].map((agent): Guarded => {
    const { output, guards: keys } = agent.keys;
    const isJson = output === "json" || (typeof output === "object" && (output.format ?? "json") === "json");
    return { keys, file: agent.file, agent: agent.id, isJson, placeOf: (path) => placeOfValue(agent, path) };
  });
  for (const guarded of [...agents, { keys: crewFile.keys.guards, file: crewFile.file, placeOf }])
    for (const side of ["input", "output"] as const)
      for (const [index, given] of (guarded.keys?.[side] ?? []).entries())
        checkGuard(readGuard(given), side, ["guards", side, index], guarded, parts);
}

function checkGuard(
  keys: Partial<GuardKeys>,
  side: "input" | "output",
  path: Path,
  guarded: Guarded,
  parts: CrewParts,
): void {
  const { reporter } = parts.crewFile;
  const place = guarded.placeOf(path);
  const kinds = listKinds(keys);
  if (kinds.length !== 1) {
    const message = kinds.length === 0 ? "says nothing" : `says ${kinds.join(" and ")}: write one guard for each`;
    reporter.report(
      "missing-field",
      place,
      `a guard ${message}; a guard has max_chars, matches, forbids, json, language, no_secrets, grounded, module or agent`,
    );
    return;
  }
  const refusal = findRefusal(keys, side, guarded);
  if (refusal !== undefined) reporter.report("bad-pattern", place, refusal);
  const idle = findIdle(keys, side, guarded, parts);
  if (idle !== undefined) reporter.report("no-effect", place, `nothing can trip this guard: ${idle}`);
  if (keys.agent !== undefined && guarded.agent === undefined && !parts.world.agents.has(keys.agent)) {
    const near = { name: keys.agent, among: parts.world.agents };
    reporter.report("unknown-agent", place, `unknown agent '${keys.agent}' in 'guards'`, near);
  }
  if (keys.module !== undefined) checkModule(keys.module, place, guarded, parts);
}

/** Why an action cannot follow. */
function findRefusal(keys: Partial<GuardKeys>, side: "input" | "output", { agent }: Guarded): string | undefined {
  const { on_trip: action } = keys;
  if (action === "retry" && side === "input")
    return "'retry' asks an agent to answer again, and an input is not an answer";
  if (action === "retry" && agent === undefined)
    return "'retry' belongs to the guards of an agent, who can answer again";
  if (keys.grounded !== undefined && (side === "input" || agent === undefined))
    return "'grounded' compares an agent's answer with what that agent was given: write it under the agent's 'output'";
  const canRewrite = ["max_chars", "forbids", "no_secrets", "module", "agent"].some((kind) =>
    listKinds(keys).includes(kind),
  );
  return action === "rewrite" && !canRewrite
    ? "only max_chars, forbids, no_secrets, a module or an agent can rewrite"
    : undefined;
}

/** Why a guard never trips. */
function findIdle(
  keys: Partial<GuardKeys>,
  side: "input" | "output",
  { isJson }: Guarded,
  { crewFile }: CrewParts,
): string | undefined {
  const { settings } = crewFile.keys;
  if (keys.no_secrets === true && settings?.redact === false) return "with 'redact: false' nobody looks for secrets";
  if (keys.no_secrets === false) return "'no_secrets' is false";
  if (keys.json === true && side === "output" && isJson) return "the agent's 'output' takes nothing but JSON already";
  const most = settings?.max_input_size_kb;
  const isLarger = side === "input" && most !== undefined && (keys.max_chars ?? 0) >= most * 1024;
  if (isLarger) return `an input has at most ${most} KB ('max_input_size_kb')`;
  return keys.forbids?.length === 0 ? "it forbids nothing" : undefined;
}

function checkModule(reference: string, place: Place, { file }: Guarded, { crewFile, root }: CrewParts): void {
  const { file: module } = splitToolReference(reference, "default");
  const problem = module === "" ? noModule : findModuleProblem(resolve(dirname(file), module), root);
  if (problem !== undefined)
    crewFile.reporter.report(problem.code, place, `the guard '${reference}' ${problem.message}`);
}
