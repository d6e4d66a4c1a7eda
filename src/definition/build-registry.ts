import { builtInSignals } from "../signals/default-signals.ts";
import type { SignalDefinition } from "../signals/signal-definition.ts";
import { isSignalName } from "../signals/signal-name.ts";
import { signalProblems } from "../signals/signal-problems.ts";
import { buildSignalRegistry, type SignalRegistry } from "../signals/signal-registry.ts";
import type { CrewFile } from "./crew-files.ts";
import { type Path, placeOfKey, placeOfValue } from "./locate.ts";
import type { Place } from "./source.ts";

/** A definition of the crew's `signals:` section, with the path of its keys in the file. */
export interface OwnSignal {
  readonly definition: SignalDefinition;
  readonly path: Path;
}

/** The built-in signals (or those given in code), defined anew by the crew's `signals:` section. */
export function buildRegistry(own: readonly OwnSignal[], given: SignalRegistry | undefined): SignalRegistry {
  const known = new Map((given?.list() ?? builtInSignals).map((definition) => [definition.name, definition]));
  // A name alone says nothing new about a signal that is known.
  const defined = own.map(({ definition }) =>
    Object.keys(definition).length === 1 ? (known.get(definition.name) ?? definition) : definition,
  );
  for (const { name } of defined) known.delete(name);
  return buildSignalRegistry([...known.values(), ...defined]);
}

/** The usable definitions of a crew's `signals:` section; reports the others. */
export function readOwnSignals(crew: CrewFile): OwnSignal[] {
  const own = new Map<string, OwnSignal>();
  for (const signal of listOwnSignals(crew)) {
    const { name } = signal.definition;
    const problem = isSignalName(name)
      ? own.has(name) && signalProblems.alreadyRegistered(name)
      : signalProblems.badFormat(name);
    if (problem === false) own.set(name, signal);
    else crew.reporter.report(problem.code, placeOfName(crew, signal.path), problem.message);
  }
  return [...own.values()];
}

function listOwnSignals(crew: CrewFile): OwnSignal[] {
  const { signals } = crew.keys;
  if (signals === undefined) return [];
  if (isList(signals)) {
    return signals.flatMap((keys, index) =>
      keys.name === undefined ? [] : [{ definition: defineSignal(keys.name, keys), path: ["signals", index] }],
    );
  }
  return [...signals].map(([name, keys]) => ({ definition: defineSignal(name, keys), path: ["signals", name] }));
}

type SignalsKeys = NonNullable<CrewFile["keys"]["signals"]>;
type SignalKeys =
  Extract<SignalsKeys, ReadonlyMap<string, unknown>> extends ReadonlyMap<string, infer Keys> ? Keys : never;

function isList(signals: SignalsKeys): signals is Extract<SignalsKeys, readonly unknown[]> {
  return Array.isArray(signals);
}

function defineSignal(name: string, keys: SignalKeys): SignalDefinition {
  const allowedAgents = typeof keys.allowed_agents === "string" ? undefined : keys.allowed_agents;
  return {
    name,
    ...(keys.behavior !== undefined && { behavior: keys.behavior }),
    ...(keys.description && { description: keys.description }),
    ...(allowedAgents !== undefined && { allowedAgents }),
    ...(keys.default_target !== undefined && { defaultTarget: keys.default_target }),
    ...(keys.valid_targets !== undefined && { validTargets: keys.valid_targets }),
    ...(keys.priority !== undefined && { priority: keys.priority }),
    ...(keys.example !== undefined && { example: keys.example }),
    ...(keys.deprecated !== undefined && { deprecated: keys.deprecated }),
  };
}

function placeOfName(crew: CrewFile, path: Path): Place {
  return typeof path[1] === "number" ? placeOfValue(crew, [...path, "name"]) : placeOfKey(crew, path);
}
