import { findSeverity } from "../vocabulary/diagnostic.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { describeValue } from "../vocabulary/wording.ts";
import { type ConfigurationProblem, readBinding } from "./read-binding.ts";
import { isSignalName, normalizeName } from "./signal-name.ts";
import { type SignalProblem, signalProblems } from "./signal-problems.ts";
import {
  findDoublet,
  findListenerProblem,
  type SignalWorld,
  validateBinding,
  type WrittenBinding,
} from "./validate-signals.ts";

/** What bindings are checked against. */
export interface ConfigurationWorld extends Pick<SignalWorld, "registry"> {
  readonly agents: Iterable<string>;
  /** Default: none. */
  readonly groups?: Iterable<string> | undefined;
  /** Default: false. */
  readonly strict?: boolean | undefined;
}

/** A binding as the protocol sees it, and the listeners of a broadcast. */
export interface GivenBinding extends WrittenBinding {
  readonly targets?: readonly string[] | undefined;
}

/**
 * Lists every rule that a binding of any agent violates. Callers in JavaScript may give anything as bindings; a `world` that is none
 * throws a `BatonError` with the code `bad-option`.
 */
export function validateConfiguration(
  bindings: Readonly<Record<string, readonly GivenBinding[]>> | ReadonlyMap<string, readonly GivenBinding[]>,
  world: ConfigurationWorld,
): ConfigurationProblem[] {
  const known = readWorld(world);
  const entries = listEntries(bindings);
  if (entries === undefined) return [malformed(`the bindings must be a map by agent, got ${describeValue(bindings)}`)];
  return entries.flatMap(([agent, given]) => [
    ...(known.agents.has(agent) ? [] : [weigh(signalProblems.unknownEmitter(agent), known)]),
    ...(Array.isArray(given)
      ? validateAgent(agent, given, known)
      : [malformed(`the bindings of agent '${agent}' must be a list, got ${describeValue(given)}`)]),
  ]);
}

function validateAgent(agent: string, given: readonly unknown[], world: SignalWorld): ConfigurationProblem[] {
  const seen = new Map<string, string>();
  return given.flatMap((each, index) => {
    const { binding, targets, problems } = readBinding(each, `binding ${index + 1} of agent '${agent}'`, world.strict);
    if (binding === undefined) return problems;
    const { signal } = binding;
    const plain = isSignalName(signal) ? normalizeName(signal) : signal;
    const earlier = seen.get(plain);
    seen.set(plain, earlier ?? signal);
    const found = [
      (earlier === undefined ? undefined : findDoublet(agent, signal, earlier)) ?? [],
      validateBinding(agent, binding, world),
      targets.flatMap((target) => findListenerProblem(signal, target, world) ?? []),
    ].flat();
    return [...problems, ...found.map((problem) => weigh(problem, world))];
  });
}

function listEntries(bindings: unknown): readonly (readonly [string, unknown])[] | undefined {
  if (typeof bindings !== "object" || bindings === null || Array.isArray(bindings)) return undefined;
  if (!(bindings instanceof Map)) return Object.entries(bindings);
  return [...bindings].map(([agent, given]) => [String(agent), given]);
}

function readWorld(given: ConfigurationWorld | undefined): SignalWorld {
  const { registry, agents, groups = [], strict = false }: Partial<ConfigurationWorld> = given ?? {};
  if (typeof registry?.get !== "function")
    throw badOption("registry", "a registry such as createDefaultSignals()", registry);
  if (typeof strict !== "boolean") throw badOption("strict", "true or false", strict);
  return { registry, agents: readNames("agents", agents), groups: readNames("groups", groups), strict };
}

function readNames(key: string, given: unknown): ReadonlySet<string> {
  const isIterable = typeof given === "object" && given !== null && Symbol.iterator in given;
  // Whatever it holds: names are compared with texts only.
  if (isIterable) return new Set(given as Iterable<string>);
  throw badOption(key, "a set or list of names", given);
}

function badOption(key: string, wanted: string, got: unknown): BatonError {
  return new BatonError("bad-option", `validateConfiguration needs '${key}', ${wanted}; got ${describeValue(got)}`);
}

function malformed(message: string): ConfigurationProblem {
  return { severity: "error", code: "wrong-type", message, at: "signal" };
}

function weigh(problem: SignalProblem, { strict }: SignalWorld): ConfigurationProblem {
  return { severity: findSeverity(problem.code, strict), ...problem };
}
