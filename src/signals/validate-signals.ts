import type { BindingType } from "./binding-types.ts";
import type { SignalDefinition } from "./signal-definition.ts";
import { isSignalName } from "./signal-name.ts";
import { type SignalProblem, signalProblems } from "./signal-problems.ts";
import type { SignalRegistry } from "./signal-registry.ts";

/** What a binding says, as far as the signal protocol is concerned. */
export interface BindingRule {
  readonly signal: string;
  readonly target?: string | undefined;
  readonly type?: BindingType | undefined;
  readonly callsCrew?: boolean | undefined;
}

export interface SignalWorld {
  readonly registry: SignalRegistry;
  readonly agents: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly strict: boolean;
}

/** Whether `agent` may emit `signal`: its form, its registration, the agents it is allowed to. */
export function validateEmission(registry: SignalRegistry, signal: string, agent: string): SignalProblem[] {
  if (!isSignalName(signal)) return [signalProblems.badFormat(signal)];
  const definition = registry.get(signal);
  if (definition === undefined) return [signalProblems.notRegistered(signal)];
  return mayEmit(definition, agent) ? [] : [signalProblems.notAllowed(signal, agent)];
}

/** Every broken rule of every binding, by agent. */
export function validateConfiguration(
  bindings: Readonly<Record<string, readonly BindingRule[]>>,
  world: SignalWorld,
): SignalProblem[] {
  return Object.entries(bindings).flatMap(([agent, rules]) =>
    rules.flatMap((rule) => validateBinding(agent, rule, world)),
  );
}

export function validateBinding(agent: string, rule: BindingRule, world: SignalWorld): SignalProblem[] {
  const emission = validateEmission(world.registry, rule.signal, agent).filter(
    // In permissive mode binding a signal registers it.
    (problem) => problem.code !== "unregistered-signal" || world.strict,
  );
  const definition = world.registry.get(rule.signal);
  const deprecation =
    definition?.deprecated === undefined ? [] : [signalProblems.deprecated(rule.signal, definition.deprecated)];
  return [...emission, ...deprecation, ...targetProblems(rule, definition, world)];
}

/** What a binding does: its type if given, else what its target and the registered behaviour say. */
export function bindingType(
  rule: BindingRule,
  definition: SignalDefinition | undefined,
  groups: ReadonlySet<string>,
): BindingType {
  if (rule.type === undefined && rule.callsCrew) return "sub_crew";
  const target = rule.target ?? definition?.defaultTarget;
  const passesOn = rule.type === undefined || rule.type === "route" || rule.type === "status";
  if (target !== undefined && passesOn) return groups.has(target) ? "parallel" : "route";
  return rule.type ?? definition?.behavior ?? "terminate";
}

export function mayEmit(definition: SignalDefinition, agent: string): boolean {
  return definition.allowedAgents === undefined || definition.allowedAgents.includes(agent);
}

function targetProblems(
  rule: BindingRule,
  definition: SignalDefinition | undefined,
  world: SignalWorld,
): SignalProblem[] {
  const type = bindingType(rule, definition, world.groups);
  if (type === "sub_crew") return [];
  const target = rule.target ?? definition?.defaultTarget;
  if (target === undefined)
    return needsTarget(rule.signal, type) ? [signalProblems.routeWithoutTarget(rule.signal)] : [];
  if (type === "pause" || type === "external") return [signalProblems.targetWithoutMeaning(rule.signal, type)];
  const terminates = rule.type === "terminate" || (world.strict && definition?.behavior === "terminate");
  if (terminates) return [signalProblems.terminationWithTarget(rule.signal, target)];
  if (rule.type === "parallel" && !world.groups.has(target)) return [signalProblems.unknownGroup(rule.signal, target)];
  if (!world.agents.has(target) && !world.groups.has(target))
    return [signalProblems.unknownTarget(rule.signal, target)];
  const valid = definition?.validTargets;
  return valid === undefined || valid.includes(target)
    ? []
    : [signalProblems.invalidTarget(rule.signal, target, valid)];
}

/** `[NEXT]` goes to the next agent of the list by itself. */
function needsTarget(signal: string, type: BindingType): boolean {
  return (type === "route" && signal !== "[NEXT]") || type === "parallel";
}
