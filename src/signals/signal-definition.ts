/** What a signal can do by its definition. */
export const signalBehaviors = ["route", "terminate", "pause", "parallel", "broadcast", "status"] as const;

/** What a signal does by its definition. */
export type SignalBehavior = (typeof signalBehaviors)[number];

/** What a signal means, wherever it is bound. */
export interface SignalDefinition {
  readonly name: string;
  /** What it does unless a binding says otherwise. Without a behaviour, the binding decides. */
  readonly behavior?: SignalBehavior;
  readonly description?: string;
  /** The agents that may emit it. Default: all. */
  readonly allowedAgents?: readonly string[];
  readonly defaultTarget?: string;
  readonly validTargets?: readonly string[];
  readonly priority?: number;
  readonly example?: string;
  /** Says what replaces it. A deprecated signal still acts. */
  readonly deprecated?: string;
}

/** The default priority of a signal, by its behaviour. */
export function choosePriority(behavior: string): number {
  if (behavior === "terminate") return 100;
  return behavior === "pause" ? 80 : 50;
}
