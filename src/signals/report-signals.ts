import { bindingTypes } from "./binding-types.ts";

/** What the report says about a signal. */
export interface ReportedSignal {
  readonly name: string;
  /** Its behaviour by definition, or by the binding that registers it. */
  readonly behavior?: string | undefined;
  readonly description?: string | undefined;
  readonly allowedAgents?: readonly string[] | undefined;
  readonly example?: string | undefined;
  readonly deprecated?: string | undefined;
}

/** Where a signal is bound: who emits it, and what happens then. */
export interface SignalUse {
  readonly agent: string;
  readonly to: string;
}

/**
 * The registry as text, one block per behaviour. Each signal has its emitters, where it leads and, if runs are known, how often
 * it was `seen` in them.
 */
export function reportSignals(
  signals: readonly ReportedSignal[],
  uses: ReadonlyMap<string, readonly SignalUse[]> = new Map(),
  seen?: ReadonlyMap<string, number>,
): string {
  const blocks = bindingTypes.flatMap((behavior) => {
    const members = signals.filter((signal) => (signal.behavior ?? "route") === behavior);
    if (members.length === 0) return [];
    return [
      `--- ${behavior} Signals (${members.length}) ---`,
      ...members.flatMap((signal) => describe(signal, uses, seen)),
      "",
    ];
  });
  return ["=== SIGNAL REGISTRY REPORT ===", `Total Signals Registered: ${signals.length}`, "", ...blocks].join("\n");
}

function describe(
  signal: ReportedSignal,
  uses: ReadonlyMap<string, readonly SignalUse[]>,
  seen: ReadonlyMap<string, number> | undefined,
): string[] {
  const about = signal.description === undefined ? "" : `  ${signal.description.replace(/[\s\p{Cc}]+/gu, " ").trim()}`;
  const bound = uses.get(signal.name) ?? [];
  return [
    `${signal.name}${about}`,
    ...bound.map((use) => `    ${use.agent} -> ${use.to}`),
    ...(bound.length === 0 ? ["    never bound"] : []),
    ...(seen === undefined || bound.length === 0 ? [] : [`    ${describeTimesSeen(seen.get(signal.name) ?? 0)}`]),
    ...(signal.allowedAgents === undefined ? [] : [`    only from: ${signal.allowedAgents.join(", ")}`]),
    ...(signal.example === undefined ? [] : [`    example: ${signal.example.replace(/[\s\p{Cc}]+/gu, " ").trim()}`]),
    ...(signal.deprecated === undefined ? [] : [`    deprecated: ${signal.deprecated}`]),
  ];
}

function describeTimesSeen(times: number): string {
  if (times === 0) return "never seen in recorded runs";
  return times === 1 ? "seen once in recorded runs" : `seen ${times} times in recorded runs`;
}
