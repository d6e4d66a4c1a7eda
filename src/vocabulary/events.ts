import type { Bill } from "./bill.ts";
import type { ToolEffect } from "./crew.ts";
import type {
  Classification,
  CompletedCall,
  EnteredCrew,
  FailedModelCall,
  LearnedRoute,
  ModelCall,
  Queued,
  QuotaFacts,
  TeamMessage,
} from "./event-data.ts";
import type { RunId } from "./ids.ts";
import type { ProviderMetadata, ToolCall } from "./messages.ts";
import type { Paused, RecordedAnswer } from "./pause.ts";
import type { FunctionFailure, RemoteIds, RemoteResult } from "./remote.ts";
import type { ModelOptions, RunStart } from "./run-start.ts";

/** The mechanism of a handoff. */
export type HandoffVia = "signal" | "transfer" | "router" | "handoff" | "fallback" | "group" | "sub_crew" | "team";

/** Why a run ended, or that it paused. */
export type StopReason =
  | "signal"
  | "terminal"
  | "end_of_list"
  | "answer"
  | "max_handoffs"
  | "max_rounds"
  | "max_crew_depth"
  | "timeout"
  | "quota"
  | "error"
  | "cancelled"
  | "pause";

/** Why something failed: a message for people and a code for programs. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  /** The agent that failed, with its crew if that is not the run's own. */
  readonly agent?: string;
  /** The sub-crew that failed or reached its limit, with the names of all crews around it. */
  readonly crew?: string;
  readonly cause?: Failure;
  /** For a group in which every member failed: the failure of each member. */
  readonly causes?: readonly Failure[];
  /** How the call failed before another crew was called instead. */
  readonly earlier?: Failure;
  /** Whether a retry cannot help. */
  readonly isLasting?: boolean;
}

/** How one member of a group ended. */
export interface BranchOutcome {
  readonly member: string;
  readonly status: "completed" | "failed" | "late" | "cancelled";
  readonly text: string;
  readonly shown?: string;
  /** Why it failed, for programs. */
  readonly failure?: Failure;
}

/** Whether a group succeeded: one of its members did, or it had nothing to do. */
export function hasSucceeded(outcomes: readonly BranchOutcome[]): boolean {
  return outcomes.length === 0 || outcomes.some(({ status }) => status === "completed");
}

/** The data of each type of event. Meanings never change; types and optional fields may be added. */
export interface EventData {
  "run.started": RunStart;
  "run.paused": Paused;
  "run.resumed": RecordedAnswer & { readonly modelOptions?: ModelOptions };
  /** The run is stored and waits for its turn. `priority` 0 is the most urgent; `dueAt` is the earliest time to begin. */
  "run.queued": Queued;
  /** A process continues a run that nobody was running: its process died, the run is a new fork, or it was queued. */
  "run.continued": { readonly why: "recovered" | "forked" | "dequeued"; readonly modelOptions?: ModelOptions };
  "run.completed": {
    readonly stopReason: StopReason;
    readonly output: string;
    readonly finalAgent: string;
    /** The signal that ended the run, if one did. */
    readonly signal?: string;
    /** The limit that ended it, if one did. */
    readonly error?: Failure;
  };
  "run.failed": {
    readonly stopReason: StopReason;
    readonly output: string;
    readonly finalAgent: string;
    readonly error: Failure;
  };
  /** Somebody asked for the run to end; work in progress is given up. */
  "run.cancelling": { readonly reason: string };
  "run.cancelled": { readonly reason: string };
  /** Which agent begins, if its crew leaves that open. */
  classification: Classification;
  "agent.started": { readonly input: string };
  /** An additional message from orchestration to an agent in the middle of its session. */
  "agent.told": { readonly input: string };
  /** `shown`, here and elsewhere, is the text for the run's reader, if signal tokens are removed only for readers. */
  "agent.completed": { readonly answer: string; readonly shown?: string; readonly turns: number };
  "agent.failed": Failure;
  "model.called": ModelCall;
  "model.completed": Bill & {
    readonly model: string;
    readonly text: string;
    readonly reasoning?: string;
    /** Whether the reply, which continues an answer that was cut off, shows that its beginning was reasoning. */
    readonly startsOver?: true;
    readonly toolCalls: readonly ToolCall[];
    readonly providerMetadata?: ProviderMetadata;
    readonly finish: string;
    /** The model that answered, with the provider's name for it. */
    readonly responseModel?: string;
    /** How long the call took, how long until its first words, and how many tokens per second it produced over the whole time. */
    readonly ms?: number;
    readonly msToFirstToken?: number;
    readonly tokensPerSecond?: number;
  };
  "model.failed": FailedModelCall;
  "text.delta": {
    readonly text: string;
    /** Whether all text of the answer so far was reasoning, so that the answer starts here. */
    readonly startsOver?: true;
  };
  "reasoning.delta": { readonly text: string };
  "tool.called": { readonly tool: string; readonly args: unknown };
  "tool.completed": CompletedCall;
  "tool.failed": { readonly tool: string; readonly message: string };
  /** The function of an agent without a model is called on the agent's input. */
  "function.called": { readonly effect: ToolEffect; readonly remote?: RemoteIds };
  "function.completed": { readonly result: string; readonly remote?: RemoteResult };
  "function.failed": FunctionFailure;
  "signal.emitted": {
    readonly signal: string;
    readonly level: string;
    readonly token: string;
    readonly deprecated?: string;
  };
  /** A schema in code refused an agent's JSON answer. The agent is asked once to correct it. */
  "answer.rejected": { readonly problem: string };
  "signal.rejected": { readonly signal: string; readonly message: string };
  "signal.unbound": { readonly signal: string; readonly token: string; readonly message: string };
  handoff: {
    readonly from: string;
    readonly to: string;
    readonly via: HandoffVia;
    readonly reason: string;
    readonly n: number;
    readonly circular?: boolean;
  };
  /** The crew lets statistics decide, and they chose another target than the declared one. */
  "route.learned": LearnedRoute;
  "handoff.refused": {
    readonly from: string;
    readonly to: string;
    readonly via: HandoffVia;
    readonly reason: string;
    readonly limit: number;
    /** The setting that `limit` comes from, if it is not the crew's own `max_handoffs`. */
    readonly setting?: "max_run_handoffs";
    readonly message?: string;
  };
  /** A declared handoff did not happen, because its `when` was not met. */
  "handoff.skipped": { readonly from: string; readonly to: string; readonly reason: string };
  "parallel.started": { readonly group: string; readonly members: readonly string[] };
  "parallel.joined": {
    readonly group: string;
    readonly outcomes: readonly BranchOutcome[];
    readonly output: string;
    readonly shown?: string;
  };
  /** A sub-crew begins on its input; events inside it carry its name. */
  "crew.entered": EnteredCrew;
  "crew.left": {
    readonly crew: string;
    readonly status: "completed" | "failed" | "cancelled";
    readonly stopReason?: StopReason;
    /** Its output, or what it had produced so far. */
    readonly output: string;
    readonly shown?: string;
    readonly finalAgent: string;
    readonly handoffs: number;
    /** The signal that ended it, if one did. */
    readonly signal?: string;
    readonly error?: Failure;
  };
  /** A failed sub-crew is called again after a wait. */
  "crew.retrying": { readonly crew: string; readonly attempt: number; readonly waitMs: number };
  /** Several sub-crews were called at once; this is their joint output. */
  "crews.joined": { readonly outcomes: readonly BranchOutcome[]; readonly output: string; readonly shown?: string };
  /** A value was stored in the memory that the run's crews share. */
  /** What an agent was reminded of before it began; a problem where its run has no such memory. */
  "memory.recalled": {
    readonly scope: string;
    readonly entries: readonly {
      readonly id: string;
      readonly text: string;
      readonly tags: readonly string[];
      readonly at: number;
    }[];
    readonly problem?: string;
  };
  /** A guard let a text pass, or did not, and what followed. */
  "guard.passed": { readonly guard: string; readonly on: "input" | "output" };
  "guard.tripped": {
    readonly guard: string;
    readonly on: "input" | "output";
    readonly action: "block" | "rewrite" | "ask" | "retry";
    readonly reason: string;
    /** What stands in place of the text. */
    readonly text?: string;
  };
  /** Text that was streamed before its guards had passed does not count. */
  "text.retracted": { readonly guard: string; readonly reason: string };
  /** The plan of the run, as a todo tool wrote it. */
  "todo.set": {
    readonly items: readonly { readonly text: string; readonly status: "pending" | "in_progress" | "completed" }[];
  };
  "memory.set": { readonly key: string; readonly value: unknown; readonly version?: number };
  "advisors.started": { readonly advisors: readonly string[]; readonly input: string };
  "advisors.gathered": { readonly outcomes: readonly BranchOutcome[] };
  "clarification.asked": { readonly child: string; readonly question: string };
  "clarification.answered": { readonly child: string; readonly answer: string; readonly turnsRemaining: number };
  "team.started": { readonly members: readonly string[]; readonly task: string };
  "team.cycle": { readonly cycle: number; readonly members: readonly string[] };
  "team.broadcast": TeamMessage;
  /** A member left the team; `reason` is present if it failed. */
  "team.left": { readonly memberId: string; readonly reason?: string };
  /** The nonce in the tags around other agents' words, so that nobody can forge them. */
  "nonce.drawn": { readonly nonce: string };
  "external.emitted": {
    readonly runId: string;
    readonly signal: string;
    readonly agent: string;
    readonly content: string;
  };
  /** The handlers were called; `response` is the immediate answer of one of them. */
  "external.delivered": { readonly signal: string; readonly response?: unknown; readonly failures: readonly string[] };
  "external.answered": { readonly signal: string; readonly response: unknown };
  "context.trimmed": { readonly messages: number };
  /** A cap reached its `alert_threshold`, or a cap that only warns was used up. */
  "quota.warning": QuotaFacts & { readonly message: string };
  /** A call was not made, because it did not fit into the quota. */
  "quota.exceeded": QuotaFacts & {
    readonly message: string;
    readonly onExceed: "stop" | "pause" | "degrade";
    /** What replaces the call, if the cap degrades. */
    readonly instead?: { readonly model?: string; readonly maxOutputTokens?: number; readonly isLastTurn?: boolean };
  };
  /**
   * What other runs used of a day's quotas, recorded when it changed or was read from the store; by crew, or by crew and agent.
   */
  "quota.day": Readonly<
    Record<
      string,
      { readonly usd: number; readonly tokens: number; readonly llmCalls: number; readonly toolCalls: number }
    >
  >;
  /** A time limit was reached, and what waited for it was told. */
  "deadline.passed": { readonly what: string; readonly afterMs: number };
}

/** The type of an event. */
export type EventType = keyof EventData;

/** Where in the run an event belongs: the path in the tree, and the agent and crew that act. */
export interface EventPlace {
  readonly path: string;
  readonly agent?: string | undefined;
  readonly crew?: string | undefined;
}

/** An event of one type. */
export interface EventOf<Type extends EventType> extends EventPlace {
  /** Numbers without gaps within a run. Deltas are not stored and have no number. */
  readonly seq?: number | undefined;
  readonly id: string;
  readonly runId: RunId;
  readonly parentId?: string;
  /** Milliseconds since 1970. */
  readonly ts: number;
  readonly type: Type;
  readonly data: EventData[Type];
}

/** Everything that happens in a run. Narrows by `type`. */
export type BatonEvent = { [Type in EventType]: EventOf<Type> }[EventType];

/**
 * The name of whoever acts, with its crew if that is not the run's own: `teacher`, `board/teacher`, or `board` for the crew as
 * a whole.
 */
export function nameSpeaker({ agent, crew }: Pick<EventPlace, "agent" | "crew">): string {
  return crew === undefined || agent === undefined ? (agent ?? crew ?? "") : `${crew}/${agent}`;
}
