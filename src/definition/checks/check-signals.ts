import { scanSignals } from "../../signals/scan-signals.ts";
import { indexSignals } from "../../signals/signal-index.ts";
import { isSignalName, normalizeName } from "../../signals/signal-name.ts";
import type { SignalProblem } from "../../signals/signal-problems.ts";
import {
  findDoublet,
  findListenerProblem,
  validateBinding,
  type WrittenBinding,
} from "../../signals/validate-signals.ts";
import { type BindingKeys, writtenBinding } from "../build-bindings.ts";
import { settingsKeys } from "../build-settings.ts";
import type { CrewParts } from "../crew-parts.ts";
import { findFunction } from "../find-function.ts";
import type { Path } from "../locate.ts";
import type { Near } from "../problem-log.ts";

/** Bindings of signals: the protocol's rules, doublets, and prompts that keep silent about them. */
export function checkSignals(parts: CrewParts): void {
  for (const [agent, bindings] of parts.crewFile.keys.routing?.signals ?? []) {
    for (const [index, keys] of bindings.entries()) {
      checkBinding(agent, keys, ["routing", "signals", agent, index], parts);
    }
    checkDoublets(agent, bindings, parts);
    checkPrompt(agent, bindings, parts);
  }
}

function checkBinding(agent: string, keys: BindingKeys, path: Path, parts: CrewParts): void {
  if (keys.signal === undefined) return;
  const { world, crewFile, placeOf } = parts;
  const binding = writtenBinding(keys);
  const problems = validateBinding(agent, binding, world);
  for (const problem of problems) {
    // Of an agent that does not exist it is not known what it may emit.
    if (problem.code === "disallowed-emitter" && !world.agents.has(agent)) continue;
    const message = `${problem.message}${writeHint(problem, binding, parts)}`;
    crewFile.reporter.report(problem.code, placeOf([...path, problem.at]), message, findNear(problem, binding, parts));
  }
  for (const [index, target] of (keys.targets ?? []).entries()) {
    const problem = findListenerProblem(binding.signal, target, world);
    if (problem === undefined) continue;
    const near = problem.code === "unknown-target" ? { name: target, among: world.agents } : undefined;
    crewFile.reporter.report(problem.code, placeOf([...path, "targets", index]), problem.message, near);
  }
}

/** What a target that is not found may be after all. */
function writeHint({ code }: SignalProblem, { target = "" }: WrittenBinding, parts: CrewParts): string {
  if (code === "unknown-target" && parts.subCrews.has(target)) return "; it is a sub-crew: write target_crew";
  if (code === "unknown-group" && parts.world.agents.has(target)) return "; it is an agent: leave out the type";
  return code === "unknown-target" ? parts.unlistedHint(target) : "";
}

function findNear(problem: SignalProblem, binding: WrittenBinding, parts: CrewParts): Near | undefined {
  const { world } = parts;
  if (writeHint(problem, binding, parts) !== "") return undefined;
  if (problem.code === "unknown-target")
    return { name: binding.target ?? "", among: [...world.agents, ...world.groups] };
  if (problem.code === "unknown-group") return { name: binding.target ?? "", among: world.groups };
  if (problem.code !== "unregistered-signal") return undefined;
  return { name: binding.signal, among: world.registry.list().map(({ name }) => name) };
}

function checkDoublets(agent: string, bindings: readonly BindingKeys[], { crewFile, placeOf }: CrewParts): void {
  const seen = new Map<string, string>();
  for (const [index, { signal }] of bindings.entries()) {
    if (signal === undefined || !isSignalName(signal)) continue;
    const other = seen.get(normalizeName(signal));
    const problem = other === undefined ? undefined : findDoublet(agent, signal, other);
    if (problem === undefined) seen.set(normalizeName(signal), signal);
    else {
      const place = placeOf(["routing", "signals", agent, index, "signal"]);
      crewFile.reporter.report(problem.code, place, problem.message);
    }
  }
}

function checkPrompt(agent: string, bindings: readonly BindingKeys[], parts: CrewParts): void {
  const file = parts.directory.files.get(agent);
  // With a tool, the model is told of its signals by the tool's own description.
  if (file === undefined || findFunction(file, parts) !== undefined || settingsKeys(parts.crewFile).emit !== "text")
    return;
  const names = bindings.flatMap(({ signal }) => (signal === undefined ? [] : [signal]));
  const index = indexSignals(names.map((name) => ({ name, priority: 0 })));
  const mentioned = new Set(
    scanSignals(file.prompt, index, "anywhere").map(({ signal }) => normalizeName(signal.name)),
  );
  for (const [position, { signal }] of bindings.entries()) {
    if (signal === undefined || !isSignalName(signal) || mentioned.has(normalizeName(signal))) continue;
    const place = parts.placeOf(["routing", "signals", agent, position, "signal"]);
    const message = `the prompt of agent '${agent}' never mentions '${signal}', so its model cannot know of it`;
    parts.crewFile.reporter.report("unmentioned-signal", place, message);
  }
}
