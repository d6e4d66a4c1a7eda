import type { BindingType } from "./binding-types.ts";
import type { SignalDefinition } from "./signal-definition.ts";
import { isSignalName, normalizeName } from "./signal-name.ts";
import { type SignalProblem, signalProblems } from "./signal-problems.ts";
import type { SignalRegistry } from "./signal-registry.ts";

/** The parts of a binding that concern the signal protocol. */
export interface WrittenBinding {
  readonly signal: string;
  readonly target?: string | undefined;
  readonly type?: BindingType | undefined;
  readonly callsCrew?: boolean | undefined;
}

/** What the bindings of a crew are checked against. */
export interface SignalWorld {
  readonly registry: SignalRegistry;
  readonly agents: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly strict: boolean;
}

/** Checks whether `agent` may emit `signal`: its form, its registration and its allowed agents. */
export function validateEmission(registry: SignalRegistry, signal: string, agent: string): SignalProblem[] {
  if (typeof signal !== "string" || !isSignalName(signal)) return [signalProblems.badFormat(signal)];
  const definition = registry.get(signal);
  if (definition === undefined) return [signalProblems.notRegistered(signal)];
  return mayEmit(definition, agent) ? [] : [signalProblems.notAllowed(signal, agent)];
}

export function validateBinding(agent: string, binding: WrittenBinding, world: SignalWorld): SignalProblem[] {
  const emission = validateEmission(world.registry, binding.signal, agent).filter(
    // In permissive mode, binding a signal registers it.
    (problem) => problem.code !== "unregistered-signal" || world.strict,
  );
  const definition = world.registry.get(binding.signal);
  const deprecation =
    definition?.deprecated === undefined ? [] : [signalProblems.deprecated(binding.signal, definition.deprecated)];
  return [...emission, ...deprecation, ...findTargetProblems(binding, definition, world)];
}

/** What a binding does: its type if given, or else what follows from its target and the registered behaviour. */
export function chooseBindingType(
  binding: WrittenBinding,
  definition: SignalDefinition | undefined,
  groups: ReadonlySet<string>,
): BindingType {
  if (binding.type === undefined && binding.callsCrew) return "sub_crew";
  const target = binding.target ?? definition?.defaultTarget;
  const passesOn = binding.type === undefined || binding.type === "route" || binding.type === "status";
  if (target !== undefined && passesOn) return groups.has(target) ? "parallel" : "route";
  return binding.type ?? definition?.behavior ?? "terminate";
}

export function mayEmit(definition: SignalDefinition, agent: string): boolean {
  return definition.allowedAgents === undefined || definition.allowedAgents.includes(agent);
}

/** Checks one agent that is to hear a broadcast. */
export function findListenerProblem(signal: string, listener: string, world: SignalWorld): SignalProblem | undefined {
  if (!world.agents.has(listener)) return signalProblems.unknownTarget(signal, listener);
  const valid = world.registry.get(signal)?.validTargets;
  return valid === undefined || valid.includes(listener)
    ? undefined
    : signalProblems.invalidTarget(signal, listener, valid);
}

/** Compares a bound signal with an earlier one of the same agent. */
export function findDoublet(agent: string, signal: string, earlier: string): SignalProblem | undefined {
  if (signal === earlier) return signalProblems.boundTwice(signal, agent);
  return normalizeName(signal) === normalizeName(earlier)
    ? signalProblems.ambiguous(earlier, signal, agent)
    : undefined;
}

function findTargetProblems(
  binding: WrittenBinding,
  definition: SignalDefinition | undefined,
  world: SignalWorld,
): SignalProblem[] {
  const type = chooseBindingType(binding, definition, world.groups);
  if (type === "sub_crew") return [];
  const target = binding.target ?? definition?.defaultTarget;
  if (target === undefined)
    return needsTarget(binding.signal, type) ? [signalProblems.routeWithoutTarget(binding.signal)] : [];
  if (type === "pause" || type === "external") return [signalProblems.targetWithoutMeaning(binding.signal, type)];
  const terminates = binding.type === "terminate" || (world.strict && definition?.behavior === "terminate");
  if (terminates) return [signalProblems.terminationWithTarget(binding.signal, target)];
  if (world.strict && definition?.behavior === "pause") return [signalProblems.pauseWithTarget(binding.signal, target)];
  if (binding.type === "parallel" && !world.groups.has(target))
    return [signalProblems.unknownGroup(binding.signal, target)];
  if (!world.agents.has(target) && !world.groups.has(target))
    return [signalProblems.unknownTarget(binding.signal, target)];
  const valid = definition?.validTargets;
  return valid === undefined || valid.includes(target)
    ? []
    : [signalProblems.invalidTarget(binding.signal, target, valid)];
}

/** `[NEXT]` leads to the next agent of the list without a target. */
function needsTarget(signal: string, type: BindingType): boolean {
  return (type === "route" && signal !== "[NEXT]") || type === "parallel";
}
