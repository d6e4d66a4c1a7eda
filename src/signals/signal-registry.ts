import { BatonError } from "../vocabulary/errors.ts";
import { reportSignals } from "./report-signals.ts";
import type { SignalDefinition } from "./signal-definition.ts";
import { isSignalName } from "./signal-name.ts";
import { type SignalProblem, signalProblems } from "./signal-problems.ts";
import { validateDefinition } from "./validate-definition.ts";

/** The signals that have a meaning. An agent can act on one only through a binding or a default target. */
export interface SignalRegistry {
  /**
   * Adds a signal. Throws a `BatonError`: `bad-signal-format`, `duplicate-signal` if the name is taken, `bad-target` or `wrong-type` if
   * the definition contradicts itself.
   */
  register(definition: SignalDefinition): void;
  get(name: string): SignalDefinition | undefined;
  has(name: string): boolean;
  list(): readonly SignalDefinition[];
  report(): string;
}

/**
 * Creates a registry with these signals and no others. `createDefaultSignals()` has the built-in ones.
 *
 * Throws a `BatonError` as `register` does.
 */
export function createSignalRegistry(definitions: readonly SignalDefinition[] = []): SignalRegistry {
  const registry = buildSignalRegistry([]);
  for (const definition of definitions) registry.register(definition);
  return registry;
}

/** Builds a registry from definitions that were checked already. */
export function buildSignalRegistry(definitions: readonly SignalDefinition[]): SignalRegistry {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const registry: SignalRegistry = {
    register(definition) {
      const problem = checkName(definition.name, byName) ?? validateDefinition(definition)[0];
      if (problem !== undefined) throw new BatonError(problem.code, problem.message);
      byName.set(definition.name, removeEmptyTarget(definition));
    },
    get: (name) => byName.get(name),
    has: (name) => byName.has(name),
    list: () => [...byName.values()],
    report: () => reportSignals(registry.list()),
  };
  return registry;
}

function removeEmptyTarget(definition: SignalDefinition): SignalDefinition {
  if (definition.defaultTarget !== "") return definition;
  const { defaultTarget: _, ...rest } = definition;
  return rest;
}

function checkName(
  name: string,
  taken: ReadonlyMap<string, unknown>,
): SignalProblem<"bad-signal-format" | "duplicate-signal"> | undefined {
  if (!isSignalName(name)) return signalProblems.badFormat(name);
  return taken.has(name) ? signalProblems.alreadyRegistered(name) : undefined;
}
