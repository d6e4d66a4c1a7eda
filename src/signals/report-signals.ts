import { type SignalDefinition, signalBehaviors } from "./signal-definition.ts";

/** Where a signal is bound: who emits it, and what then happens. */
export interface SignalUse {
  readonly agent: string;
  readonly to: string;
}

/** The registry as text: one block per behaviour, each signal with its emitters and what it leads to. */
export function reportSignals(
  definitions: readonly SignalDefinition[],
  uses: ReadonlyMap<string, readonly SignalUse[]> = new Map(),
): string {
  const blocks = signalBehaviors.flatMap((behavior) => {
    const signals = definitions.filter((definition) => definition.behavior === behavior);
    if (signals.length === 0) return [];
    return [`--- ${behavior} Signals (${signals.length}) ---`, ...signals.flatMap((signal) => describe(signal, uses)), ""];
  });
  return ["=== SIGNAL REGISTRY REPORT ===", `Total Signals Registered: ${definitions.length}`, "", ...blocks].join("\n");
}

function describe(definition: SignalDefinition, uses: ReadonlyMap<string, readonly SignalUse[]>): string[] {
  const about = definition.description === undefined ? "" : `  ${definition.description}`;
  const bound = uses.get(definition.name) ?? [];
  return [
    `${definition.name}${about}`,
    ...bound.map((use) => `    ${use.agent} -> ${use.to}`),
    ...(bound.length === 0 ? ["    never bound"] : []),
    ...(definition.allowedAgents === undefined ? [] : [`    only from: ${definition.allowedAgents.join(", ")}`]),
    ...(definition.deprecated === undefined ? [] : [`    deprecated: ${definition.deprecated}`]),
  ];
}
