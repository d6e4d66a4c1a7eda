import type { LearnedTarget } from "./run-start.ts";

/** Which agent of a crew begins, and why. */
export interface Classification {
  readonly agent: string;
  /** The agent's field. */
  readonly domain?: string;
  /** How likely it is, from 0 to 1, that the agent found to fit best is the right one. */
  readonly confidence: number;
  /** Other agents of the crew, those that fit better first. */
  readonly alternatives: readonly { readonly agent: string; readonly domain?: string; readonly score: number }[];
  /** The confidence is below `min_confidence`, so that the crew's first agent takes it. */
  readonly low_confidence?: true;
  /** Why that is so, in words. */
  readonly reason?: string;
  /** Who would begin by words alone, where how agents did before decides otherwise. */
  readonly instead_of?: string;
}

/** A crew that an agent put together out of its own crew's agents. */
export interface Composition {
  /** The agent that did. */
  readonly by: string;
  readonly mode: "sequence" | "parallel";
  /** Who does what; the same agent may come again under another name. */
  readonly steps: readonly { readonly step: string; readonly agent: string; readonly task: string }[];
}

/** What those who work at once are called together: nobody's own name. */
export function nameGroup({ steps }: Composition): string {
  let name = "all";
  for (let n = 2; steps.some(({ step }) => step === name); n++) name = `all-${n}`;
  return name;
}

/** A crew within another as it begins. */
export interface EnteredCrew {
  readonly crew: string;
  readonly input: string;
  readonly depth: number;
  /** What the crew is, where it is none that was declared. */
  readonly composed?: Composition;
}

/** A cap of a quota, and how it stands. */
export interface QuotaFacts {
  /** The cap's key, such as `max_cost_usd`. */
  readonly quota: string;
  readonly level: "run" | "crew" | "agent";
  /** The crew or agent whose quota it is. */
  readonly of: string;
  readonly per: "run" | "day";
  readonly limit: number;
  readonly used: number;
  /** What calls under way may still take. */
  readonly reserved: number;
  /** What the next call may take; null where its price is unknown. */
  readonly wanted: number | null;
}

/** Something said to everybody in a team. */
export interface TeamMessage {
  /** `diagnostic` stands in the place of a message that did not fit somebody's context. */
  readonly type: "update" | "failure" | "diagnostic";
  readonly memberId: string;
  readonly message: string;
  /** Turns that the member had taken. */
  readonly turnCount: number;
  readonly timestamp: string;
  /** Who hears it; everybody where absent. */
  readonly to?: readonly string[];
  /** From 1, in the order in which everybody hears it. */
  readonly seq: number;
}

/** A target that was taken in the place of the declared one, for what earlier runs showed. */
export interface LearnedRoute {
  readonly from: string;
  readonly declared: string;
  readonly chosen: string;
  readonly reason: string;
  readonly targets: readonly LearnedTarget[];
}
