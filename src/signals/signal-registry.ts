import { BatonError } from "../errors.ts";
import { reportSignals } from "./report-signals.ts";
import type { SignalDefinition } from "./signal-definition.ts";
import { isSignalName } from "./signal-name.ts";
import { type SignalProblem, signalProblems } from "./signal-problems.ts";

/** The signals that have a meaning; only a binding or a default target lets an agent act on one. */
export interface SignalRegistry {
  /** Refuses a malformed name, and a name that is taken. */
  register(definition: SignalDefinition): void;
  get(name: string): SignalDefinition | undefined;
  has(name: string): boolean;
  list(): readonly SignalDefinition[];
  report(): string;
}

export function createSignalRegistry(definitions: readonly SignalDefinition[] = []): SignalRegistry {
  const byName = new Map<string, SignalDefinition>();
  const registry: SignalRegistry = {
    register(definition) {
      const problem = problemOfName(definition.name, byName);
      if (problem !== undefined) throw new BatonError(problem.code, problem.message);
      byName.set(definition.name, definition);
    },
    get: (name) => byName.get(name),
    has: (name) => byName.has(name),
    list: () => [...byName.values()],
    report: () => reportSignals(registry.list()),
  };
  for (const definition of definitions) registry.register(definition);
  return registry;
}

function problemOfName(name: string, taken: ReadonlyMap<string, unknown>): SignalProblem | undefined {
  if (!isSignalName(name)) return signalProblems.badFormat(name);
  return taken.has(name) ? signalProblems.alreadyRegistered(name) : undefined;
}
