import { bindingTypes } from "./binding-types.ts";

/** What the report says of a signal. */
export interface ReportedSignal {
  readonly name: string;
  /** What it does, by definition or, for a signal that only a binding registers, by that. */
  readonly behavior?: string | undefined;
  readonly description?: string | undefined;
  readonly allowedAgents?: readonly string[] | undefined;
  readonly example?: string | undefined;
  readonly deprecated?: string | undefined;
}

/** Where a signal is bound: who emits it, and what then happens. */
export interface SignalUse {
  readonly agent: string;
  readonly to: string;
}

/** The registry as text: one block per behaviour, each signal with its emitters and what it leads to. */
export function reportSignals(
  signals: readonly ReportedSignal[],
  uses: ReadonlyMap<string, readonly SignalUse[]> = new Map(),
): string {
  const blocks = bindingTypes.flatMap((behavior) => {
    const members = signals.filter((signal) => (signal.behavior ?? "route") === behavior);
    if (members.length === 0) return [];
    return [
      `--- ${behavior} Signals (${members.length}) ---`,
      ...members.flatMap((signal) => describe(signal, uses)),
      "",
    ];
  });
  return ["=== SIGNAL REGISTRY REPORT ===", `Total Signals Registered: ${signals.length}`, "", ...blocks].join("\n");
}

function describe(signal: ReportedSignal, uses: ReadonlyMap<string, readonly SignalUse[]>): string[] {
  const about = signal.description === undefined ? "" : `  ${signal.description.replace(/[\s\p{Cc}]+/gu, " ").trim()}`;
  const bound = uses.get(signal.name) ?? [];
  return [
    `${signal.name}${about}`,
    ...bound.map((use) => `    ${use.agent} -> ${use.to}`),
    ...(bound.length === 0 ? ["    never bound"] : []),
    ...(signal.allowedAgents === undefined ? [] : [`    only from: ${signal.allowedAgents.join(", ")}`]),
    ...(signal.example === undefined ? [] : [`    example: ${signal.example.replace(/[\s\p{Cc}]+/gu, " ").trim()}`]),
    ...(signal.deprecated === undefined ? [] : [`    deprecated: ${signal.deprecated}`]),
  ];
}
