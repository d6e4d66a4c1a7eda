import type { Bill } from "./bill.ts";
import type { Classification, EnteredCrew, LearnedRoute, QuotaFacts, TeamMessage } from "./event-data.ts";
import type { RunId } from "./ids.ts";
import type { ProviderMetadata, ToolCall } from "./messages.ts";
import type { Paused, ResumeAnswer } from "./pause.ts";
import type { ModelOptions, RunStart } from "./run-start.ts";

export type HandoffVia = "signal" | "transfer" | "router" | "handoff" | "fallback" | "group" | "sub_crew" | "team";

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

/** Why something failed, in words for people and a code for programs. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  /** Who failed, with its crew where that is not the run's own. */
  readonly agent?: string;
  /** The sub-crew that failed, or whose limit was reached, by the names of all crews around it. */
  readonly crew?: string;
  readonly cause?: Failure;
  /** Of a group in which nobody succeeded: why each member did not. */
  readonly causes?: readonly Failure[];
  /** How the call had failed before, where another crew was called in its place. */
  readonly earlier?: Failure;
  /** Whether trying the same again cannot help. */
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

/** The data of each type of event. Meanings never change; types and optional fields may be added. */
export interface EventData {
  "run.started": RunStart;
  "run.paused": Paused;
  "run.resumed": ResumeAnswer & { readonly modelOptions?: ModelOptions };
  /** Somebody goes on with a run that nobody was running: its process died, or it is a fork that begins here. */
  "run.continued": { readonly why: "recovered" | "forked"; readonly modelOptions?: ModelOptions };
  "run.completed": {
    readonly stopReason: StopReason;
    readonly output: string;
    readonly finalAgent: string;
    /** The signal that ended the run, where one did. */
    readonly signal?: string;
    /** The limit that ended it, where one did. */
    readonly error?: Failure;
  };
  "run.failed": {
    readonly stopReason: StopReason;
    readonly output: string;
    readonly finalAgent: string;
    readonly error: Failure;
  };
  /** Somebody wants the run to end; what is under way is given up. */
  "run.cancelling": { readonly reason: string };
  "run.cancelled": { readonly reason: string };
  /** Which agent begins, where its crew does not say. */
  classification: Classification;
  "agent.started": { readonly input: string };
  /** Something more that orchestration says to an agent in the middle of its session. */
  "agent.told": { readonly input: string };
  /** `shown`, here and elsewhere, is the text as the run's reader gets it, where signal tokens are taken out for them alone. */
  "agent.completed": { readonly answer: string; readonly shown?: string; readonly turns: number };
  "agent.failed": Failure;
  "model.called": {
    readonly model: string;
    readonly turn: number;
    readonly attempt: number;
    /** How long the call waits before it is made, since another failed. */
    readonly waitMs?: number;
    /** Whether the model was told that it must call a tool. */
    readonly toolChoice?: "required";
    /** What the provider refused in the attempt before: this call goes without, as all later ones of the run to this model do. */
    readonly refused?: "tool_choice" | "tools";
  };
  "model.completed": Bill & {
    readonly model: string;
    readonly text: string;
    readonly reasoning?: string;
    readonly toolCalls: readonly ToolCall[];
    readonly providerMetadata?: ProviderMetadata;
    readonly finish: string;
    /** The model that answered, as the provider names it. */
    readonly responseModel?: string;
    /** How long the call took, how long until its first words, and what it wrote in a second of all that time. */
    readonly ms?: number;
    readonly msToFirstToken?: number;
    readonly tokensPerSecond?: number;
  };
  "model.failed": Bill & {
    readonly model: string;
    readonly code: string;
    readonly message: string;
    readonly isRetryable?: boolean;
    readonly status?: number;
    readonly retryAfterMs?: number;
  };
  "text.delta": { readonly text: string };
  "reasoning.delta": { readonly text: string };
  "tool.called": { readonly tool: string; readonly args: unknown };
  "tool.completed": { readonly tool: string; readonly result: string };
  "tool.failed": { readonly tool: string; readonly message: string };
  "signal.emitted": {
    readonly signal: string;
    readonly level: string;
    readonly token: string;
    readonly deprecated?: string;
  };
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
  /** The crew leaves its routes to what was learned, and that led to another target than the declared one. */
  "route.learned": LearnedRoute;
  "handoff.refused": {
    readonly from: string;
    readonly to: string;
    readonly via: HandoffVia;
    readonly reason: string;
    readonly limit: number;
    /** Whose value `limit` is, where that is not the crew's own `max_handoffs`. */
    readonly setting?: "max_run_handoffs";
    readonly message?: string;
  };
  /** A declared handoff did not happen, since its `when` did not hold. */
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
    /** What it gave, or had so far. */
    readonly output: string;
    readonly shown?: string;
    readonly finalAgent: string;
    readonly handoffs: number;
    /** The signal that ended it, where one did. */
    readonly signal?: string;
    readonly error?: Failure;
  };
  /** A sub-crew that failed is called again, after a wait. */
  "crew.retrying": { readonly crew: string; readonly attempt: number; readonly waitMs: number };
  /** Several sub-crews were called at once, and this is what they gave together. */
  "crews.joined": { readonly outcomes: readonly BranchOutcome[]; readonly output: string; readonly shown?: string };
  /** Something was put into the memory that the run's crews share. */
  "memory.set": { readonly key: string; readonly value: unknown; readonly version?: number };
  "advisors.started": { readonly advisors: readonly string[]; readonly input: string };
  "advisors.gathered": { readonly outcomes: readonly BranchOutcome[] };
  "clarification.asked": { readonly child: string; readonly question: string };
  "clarification.answered": { readonly child: string; readonly answer: string; readonly turnsRemaining: number };
  "team.started": { readonly members: readonly string[]; readonly task: string };
  "team.cycle": { readonly cycle: number; readonly members: readonly string[] };
  "team.broadcast": TeamMessage;
  /** A member is gone; with a reason where it failed. */
  "team.left": { readonly memberId: string; readonly reason?: string };
  /** What frames other agents' words so that they cannot be forged. */
  "nonce.drawn": { readonly nonce: string };
  "external.emitted": {
    readonly runId: string;
    readonly signal: string;
    readonly agent: string;
    readonly content: string;
  };
  /** Handlers were told; `response` is what one of them answered at once. */
  "external.delivered": { readonly signal: string; readonly response?: unknown; readonly failures: readonly string[] };
  "external.answered": { readonly signal: string; readonly response: unknown };
  "context.trimmed": { readonly messages: number };
  /** So much of a cap is used as its `alert_threshold` says, or all of one that only warns. */
  "quota.warning": QuotaFacts & { readonly message: string };
  /** A call was not made, since it did not fit. */
  "quota.exceeded": QuotaFacts & {
    readonly message: string;
    readonly onExceed: "stop" | "pause" | "degrade";
    /** What is done in its place, where a cap degrades. */
    readonly instead?: { readonly model?: string; readonly maxOutputTokens?: number; readonly isLastTurn?: boolean };
  };
  /** What other runs took of a day's quotas, where that has changed, or was asked of the store; by crew, or crew and agent. */
  "quota.day": Readonly<
    Record<
      string,
      { readonly usd: number; readonly tokens: number; readonly llmCalls: number; readonly toolCalls: number }
    >
  >;
  /** A limit of time was reached; what waited for it was told. */
  "deadline.passed": { readonly what: string; readonly afterMs: number };
}

export type EventType = keyof EventData;

/** Where in the run an event belongs: the tree's path, and who acts in which crew. */
export interface EventPlace {
  readonly path: string;
  readonly agent?: string | undefined;
  readonly crew?: string | undefined;
}

/** An event of one type. */
export interface EventOf<Type extends EventType> extends EventPlace {
  /** Gapless within a run; deltas, which are not kept, have none. */
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

/** Who acts, with its crew where that is not the run's own: `teacher`, `board/teacher`; `board` where it is the crew as a whole. */
export function nameSpeaker({ agent, crew }: Pick<EventPlace, "agent" | "crew">): string {
  return crew === undefined || agent === undefined ? (agent ?? crew ?? "") : `${crew}/${agent}`;
}
