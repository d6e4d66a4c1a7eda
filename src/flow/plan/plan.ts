import type { Figure } from "./measure.ts";
import type { CallGroup } from "./work.ts";

/** Figures of a run; null where one cannot be bounded, or is not known. */
export type Figures = Readonly<Record<Figure, number | null>>;

/** The worst that a run can do. Each figure is the worst for itself. */
export interface WorstCase extends Figures {
  /** The answers of the costliest run in order, or without prices of the one with the most model calls. */
  readonly path: readonly string[];
  /** The limit that ends that run, or how it ends without one. */
  readonly endsBy: string;
}

/** What a run is likely to do: the median of recorded runs, or an assumption. */
export interface LikelyCase extends Figures {
  readonly path: readonly string[];
  /** How many recorded runs it was taken from; 0 if it is assumed. */
  readonly runs: number;
  /** What all but one of ten recorded runs stay below. */
  readonly p90?: Figures;
  /** What was assumed in place of recorded runs. */
  readonly assumed?: string;
}

/** What a run of a crew can do and cost at worst, and what it is likely to. */
export interface Plan {
  readonly crew: string;
  readonly worst: WorstCase;
  readonly likely: LikelyCase | null;
  /** The part of each agent in the costliest run. */
  readonly agents: readonly { readonly agent: string; readonly modelCalls: number; readonly costUsd: number | null }[];
  /** Loops that only a limit ends. */
  readonly loops: readonly { readonly agents: readonly string[]; readonly endsBy: string }[];
  readonly deadEnds: readonly string[];
  /** Agents, and bindings, groups and sub-crews in words. */
  readonly unreachable: readonly string[];
  readonly unknown: readonly { readonly agent: string; readonly why: string }[];
  readonly suggestions: readonly Suggestion[];
  /** What is known of figures that are not known as a whole. */
  readonly atLeast: Readonly<Record<Figure, number>>;
  /** The model calls of the costliest run, those that are alike together. */
  readonly sums: readonly CallGroup[];
  /** The cap that a run would reach first, where quotas limit it. */
  readonly firstQuota: BindingQuota | undefined;
  /** What else a reader should know, such as a limit that nothing can reach. */
  readonly notes: readonly string[];
}

/** A limit that would lower the worst case, and what it would save. */
export interface Suggestion {
  readonly key: string;
  readonly from: number | null;
  readonly to: number;
  readonly savesUsd: number | null;
  readonly savesCalls: number;
}

/** A cap that the worst run would exceed. */
export interface BindingQuota {
  /** Whose quota it is. */
  readonly of: string;
  readonly key: string;
  readonly cap: number;
  /** What a run could take without it. */
  readonly worst: number;
}

/** The plan as JSON, for command line and HTTP. */
export function planToJson({
  worst,
  likely,
  agents,
  loops,
  deadEnds,
  unreachable,
  unknown,
  suggestions,
}: Plan): PlanJson {
  const saved = suggestions.map(({ key, from, to, savesUsd }) => ({ key, from, to, savesUsd }));
  return { worst, likely, agents, loops, deadEnds, unreachable, unknown, suggestions: saved };
}

/** A plan as command line and HTTP give it. */
export interface PlanJson
  extends Pick<Plan, "worst" | "likely" | "agents" | "loops" | "deadEnds" | "unreachable" | "unknown"> {
  readonly suggestions: readonly Omit<Suggestion, "savesCalls">[];
}
