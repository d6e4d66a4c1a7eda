import type { Attachment } from "./attachment.ts";
import type { Bill } from "./bill.ts";
import type { LearnedTarget } from "./run-start.ts";

/** Which agent of a crew a run begins with, and why. */
export interface Classification {
  readonly agent: string;
  /** The agent's field. */
  readonly domain?: string;
  /** The probability, from 0 to 1, that the best ranked agent is the right one. */
  readonly confidence: number;
  /** Other agents of the crew, best first. */
  readonly alternatives: readonly { readonly agent: string; readonly domain?: string; readonly score: number }[];
  /** The confidence is below `min_confidence`, so the crew's first agent takes the input. */
  readonly low_confidence?: true;
  /** The reason, in words. */
  readonly reason?: string;
  /** The agent that the words alone would choose, if results of earlier runs changed the choice. */
  readonly instead_of?: string;
}

/** A crew that an agent put together from agents of its own crew. */
export interface Composition {
  /** The agent that composed it. */
  readonly by: string;
  readonly mode: "sequence" | "parallel";
  /** The steps with their agents. One agent may do several steps. */
  readonly steps: readonly { readonly step: string; readonly agent: string; readonly task: string }[];
}

/** The name of a group of parallel steps. It cannot be the name of an agent. */
export function nameGroup({ steps }: Composition): string {
  let name = "all";
  for (let n = 2; steps.some(({ step }) => step === name); n++) name = `all-${n}`;
  return name;
}

/** A tool's result. It has references to `attachments`, which came with it. */
export interface CompletedCall {
  readonly tool: string;
  readonly result: string;
  readonly attachments?: readonly Attachment[];
}

/** An attempt to call a model. */
export interface ModelCall {
  readonly model: string;
  readonly turn: number;
  readonly attempt: number;
  /** How long the call waits before it is made, because an earlier one failed. */
  readonly waitMs?: number;
  /** Whether the model had to call a tool. */
  readonly toolChoice?: "required";
  /**
   * What the provider refused in the previous attempt. This call and all later calls of the run to this model go without it.
   */
  readonly refused?: "tool_choice" | "schema" | "json" | "tools";
  /** The SHA-256 of the files that are sent along, and the models of the chain that cannot take them. */
  readonly attachments?: readonly string[];
  readonly passedOver?: readonly string[];
}

/** A crew that begins within another one. */
export interface EnteredCrew {
  readonly crew: string;
  readonly input: string;
  readonly depth: number;
  /** Present if the crew was composed and not declared. */
  readonly composed?: Composition;
}

/** A cap of a quota, and its current state. */
export interface QuotaFacts {
  /** The cap's key, such as `max_cost_usd`. */
  readonly quota: string;
  readonly level: "run" | "crew" | "agent";
  /** The crew or agent that the quota belongs to. */
  readonly of: string;
  readonly per: "run" | "day";
  readonly limit: number;
  readonly used: number;
  /** What calls in progress may still use. */
  readonly reserved: number;
  /** What the next call may use; null if its price is unknown. */
  readonly wanted: number | null;
}

/** A message to a team. */
export interface TeamMessage {
  /** A `diagnostic` replaces a message that did not fit into a member's context. */
  readonly type: "update" | "failure" | "diagnostic";
  readonly memberId: string;
  readonly message: string;
  /** How many turns the member had taken. */
  readonly turnCount: number;
  readonly timestamp: string;
  /** The members that receive it. Default: all. */
  readonly to?: readonly string[];
  /** From 1, in the order in which all members receive messages. */
  readonly seq: number;
}

/** A target that was chosen instead of the declared one because of earlier runs. */
export interface LearnedRoute {
  readonly from: string;
  readonly declared: string;
  readonly chosen: string;
  readonly reason: string;
  readonly targets: readonly LearnedTarget[];
}

/** How a run waits for its turn. */
export interface Queued {
  /** 0 is the most urgent. */
  readonly priority: number;
  /** The earliest time to begin. */
  readonly dueAt?: string;
  /** The queue of `baton.yaml` that it waits in, and the part of that queue. */
  readonly queue?: string;
  readonly partition?: string;
  /** Whether the run continues although its crew has changed since it began. */
  readonly acceptChanges?: true;
}

/** Why a call of a model failed, and what it may have cost. */
export interface FailedModelCall extends Bill {
  readonly model: string;
  readonly code: string;
  readonly message: string;
  readonly isRetryable?: boolean;
  readonly status?: number;
  readonly retryAfterMs?: number;
}
