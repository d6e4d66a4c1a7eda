import { scanSignals } from "../../signals/scan-signals.ts";
import { indexSignals } from "../../signals/signal-index.ts";
import { isSignalName, normalizeName } from "../../signals/signal-name.ts";
import { signalProblems } from "../../signals/signal-problems.ts";
import { validateBinding } from "../../signals/validate-signals.ts";
import { type BindingKeys, ruleOf } from "../build-bindings.ts";
import { settingsKeys } from "../build-settings.ts";
import type { CrewParts } from "../crew-parts.ts";
import type { Path } from "../locate.ts";

/** Definitions and bindings of signals: the protocol's rules, doublets, and prompts that keep silent about them. */
export function checkSignals(parts: CrewParts): void {
  checkDefinitions(parts);
  for (const [agent, bindings] of parts.crewFile.keys.routing?.signals ?? []) {
    if (!parts.world.agents.has(agent)) continue;
    for (const [index, keys] of bindings.entries())
      checkBinding(agent, keys, ["routing", "signals", agent, index], parts);
    checkDoublets(agent, bindings, parts);
    checkPrompt(agent, bindings, parts);
  }
}

function checkDefinitions({ ownSignals, world, crewFile, placeOf }: CrewParts): void {
  const { reporter } = crewFile;
  for (const { definition, path } of ownSignals) {
    for (const [index, agent] of (definition.allowedAgents ?? []).entries()) {
      if (world.agents.has(agent)) continue;
      const place = placeOf([...path, "allowed_agents", index]);
      reporter.report("unknown-agent", place, `unknown agent '${agent}'`, { name: agent, among: world.agents });
    }
    const targets = (definition.validTargets ?? []).map((target, index) => ({
      target,
      at: [...path, "valid_targets", index],
    }));
    if (definition.defaultTarget !== undefined)
      targets.push({ target: definition.defaultTarget, at: [...path, "default_target"] });
    if (world.strict && definition.behavior === "terminate" && definition.defaultTarget !== undefined) {
      const { code, message } = signalProblems.terminationWithTarget(definition.name, definition.defaultTarget);
      reporter.report(code, placeOf([...path, "default_target"]), message);
    }
    for (const { target, at } of targets) {
      if (world.agents.has(target) || world.groups.has(target)) continue;
      const { code, message } = signalProblems.unknownTarget(definition.name, target);
      reporter.report(code, placeOf(at), message, { name: target, among: targetNames(world) });
    }
  }
}

function checkBinding(agent: string, keys: BindingKeys, path: Path, { world, crewFile, placeOf }: CrewParts): void {
  if (keys.signal === undefined) return;
  const rule = ruleOf(keys);
  for (const problem of validateBinding(agent, rule, world)) {
    const near = nearOf(problem.code, rule, world);
    crewFile.reporter.report(problem.code, placeOf([...path, problem.at]), problem.message, near);
  }
  for (const [index, target] of (keys.targets ?? []).entries()) {
    if (world.agents.has(target)) continue;
    const { code, message } = signalProblems.unknownTarget(rule.signal, target);
    crewFile.reporter.report(code, placeOf([...path, "targets", index]), message, {
      name: target,
      among: world.agents,
    });
  }
}

function nearOf(code: string, rule: ReturnType<typeof ruleOf>, world: CrewParts["world"]) {
  if (code === "unknown-target") return { name: rule.target ?? "", among: targetNames(world) };
  if (code === "unknown-group") return { name: rule.target ?? "", among: world.groups };
  if (code === "unregistered-signal")
    return { name: rule.signal, among: world.registry.list().map(({ name }) => name) };
  return undefined;
}

function checkDoublets(agent: string, bindings: readonly BindingKeys[], { crewFile, placeOf }: CrewParts): void {
  const seen = new Map<string, string>();
  for (const [index, { signal }] of bindings.entries()) {
    if (signal === undefined || !isSignalName(signal)) continue;
    const place = placeOf(["routing", "signals", agent, index, "signal"]);
    const other = seen.get(normalizeName(signal));
    if (other === undefined) seen.set(normalizeName(signal), signal);
    else if (other === signal)
      crewFile.reporter.report("duplicate-signal", place, `agent '${agent}' binds signal '${signal}' twice`);
    else {
      const message = `signals '${other}' and '${signal}' of agent '${agent}' differ in case, '_', '-' or spaces only: models will mix them up`;
      crewFile.reporter.report("ambiguous-signal", place, message);
    }
  }
}

function checkPrompt(agent: string, bindings: readonly BindingKeys[], parts: CrewParts): void {
  const prompt = parts.directory.files.get(agent)?.prompt ?? "";
  // With a tool, the model is told of its signals by the tool's own description.
  if (settingsKeys(parts.crewFile).emit !== "text") return;
  for (const [index, { signal }] of bindings.entries()) {
    if (signal === undefined || !isSignalName(signal)) continue;
    if (scanSignals(prompt, indexSignals([{ name: signal, priority: 0 }]), "anywhere").length > 0) continue;
    const message = `the prompt of agent '${agent}' never mentions '${signal}', so its model cannot know of it`;
    parts.crewFile.reporter.report(
      "unmentioned-signal",
      parts.placeOf(["routing", "signals", agent, index, "signal"]),
      message,
    );
  }
}

function targetNames(world: CrewParts["world"]): string[] {
  return [...world.agents, ...world.groups];
}
