import type { AgentLimits, Sampling } from "./agent-limits.ts";
import type { AttachmentLimits, AttachmentMode } from "./attachment.ts";
import type { Guards } from "./guard.ts";
import type { AgentMemory } from "./memory-keys.ts";
import type { PauseTimeout } from "./pause.ts";
import type { Prices, Quota } from "./quota.ts";
import type { RemoteAgent } from "./remote.ts";
import type { ToolSet } from "./tool-set.ts";

/** A loaded and checked crew, with names resolved and defaults filled in. It is plain data and contains nothing executable. */
export interface Crew {
  readonly name: string;
  readonly description?: string;
  readonly entryPoint: EntryPoint;
  /** Every agent of the crew by id: first those in `agents:`, in order, then those that only a path refers to. */
  readonly agents: ReadonlyMap<string, Agent>;
  /** The ids of `agents:`. The `next` fallback follows their order. */
  readonly listed: readonly string[];
  readonly signals: readonly Signal[];
  readonly bindings: ReadonlyMap<string, readonly Binding[]>;
  readonly defaults: ReadonlyMap<string, string | null>;
  readonly behaviors: ReadonlyMap<string, Behavior>;
  readonly groups: ReadonlyMap<string, Group>;
  readonly subCrews: ReadonlyMap<string, SubCrew>;
  readonly tools: ReadonlyMap<string, ToolModule>;
  /** Tools that Baton brings, or makes of an OpenAPI file, by the name of their set. */
  readonly toolSets?: ReadonlyMap<string, ToolSet>;
  readonly mcpServers: ReadonlyMap<string, McpServer>;
  /** Names of tools that are declared nowhere, and that stubs answer for, where that was asked for. */
  readonly stubTools?: readonly string[];
  /** What is checked of the crew's input and its output. */
  readonly guards?: Guards;
  readonly settings: Settings;
}

/** The agent that begins; `auto` if the input decides. */
export type EntryPoint = { readonly type: "agent"; readonly agent: string } | { readonly type: "auto" };

/** An agent of a loaded crew. */
export interface Agent {
  readonly id: string;
  readonly name: string | undefined;
  readonly role: string | undefined;
  readonly backstory: string | undefined;
  readonly description: string | undefined;
  readonly usage: string | undefined;
  readonly prompt: string;
  readonly models: readonly ModelName[];
  readonly sampling: Sampling;
  readonly tools: readonly string[];
  readonly subAgents: readonly string[];
  readonly handoff: Handoff | undefined;
  readonly router: { readonly destinations: readonly Neighbour[] } | undefined;
  readonly advisors: readonly string[];
  readonly team: Team | undefined;
  readonly chat: boolean;
  readonly collaborations: readonly Neighbour[];
  readonly handoffTargets: readonly string[];
  readonly isTerminal: boolean;
  readonly domain: string | undefined;
  readonly specialties: readonly string[];
  readonly limits: AgentLimits;
  readonly input: Contract;
  readonly output: Contract;
  readonly parallelHandoffs: boolean;
  readonly delegate: readonly string[];
  readonly compose: boolean;
  readonly quotas: readonly Quota[];
  readonly prices: Prices | undefined;
  readonly promptStyle: "markdown" | "tagged";
  readonly function?: FunctionReference | undefined;
  /** What is checked of its input and its answer. */
  readonly guards?: Guards;
  readonly memory?: AgentMemory;
  /** Which files it is given; all in what it sees when absent. */
  readonly attachments?: AttachmentMode;
}

/** The function of an agent without a model. */
export interface FunctionReference {
  /** Where it is; undefined if it is given in code, or a remote agent answers in its place. */
  readonly module: ToolModule | undefined;
  readonly effect: ToolEffect;
  readonly remote?: RemoteAgent;
}

/** Whether calling something a second time does harm. It decides what happens after a crash in the middle of a call. */
export type ToolEffect = "read" | "idempotent" | "once";

/** A model by its name, as `provider/model`. */
export interface ModelName {
  readonly provider: string;
  readonly model: string;
  readonly url?: string;
  /** The path of `script/<file>` in a crew's files. */
  readonly file?: string;
}

/** What an agent accepts or produces: text of a format, or JSON, perhaps with a schema. */
export interface Contract {
  readonly format: "text" | "markdown" | "json";
  readonly schema: unknown;
}

/** When a handoff happens. Every key that is there must hold. */
export interface Condition {
  readonly contains?: string;
  readonly matches?: string;
  readonly signal?: string;
  readonly status?: "completed" | "failed";
  readonly costOver?: number;
  readonly turnsOver?: number;
}

/** The handoff that an agent declares. */
export interface Handoff {
  readonly to: string;
  readonly include: readonly ("response" | "original_request")[];
  readonly onFailure: "stop" | "continue";
  readonly when: Condition | undefined;
}

/** An agent that another one may pass its work to, as a router's destination or by transfer. */
export interface Neighbour {
  readonly agent: string;
  readonly specialty: string | undefined;
  readonly when: Condition | undefined;
  readonly priority: number | undefined;
  readonly cost: "prefer_cheaper" | undefined;
}

/** The team that an agent declares. */
export interface Team {
  /** Undefined for teams whose members broadcast. */
  readonly kind: string | undefined;
  readonly members: readonly string[];
  readonly supervisor: string;
  readonly memberMaxTurns: number | undefined;
  readonly supervisorMaxTurns: number | undefined;
}

/** A signal that has a meaning in this crew, because it is defined or bound. */
export interface Signal {
  readonly name: string;
  /** What it does by definition, or by the binding that registers it. */
  readonly behavior: BoundMove["type"];
  readonly description: string | undefined;
  readonly allowedAgents: readonly string[] | undefined;
  readonly priority: number;
  readonly example: string | undefined;
  readonly deprecated: string | undefined;
}

/** What an agent's signal does. */
export interface Binding {
  readonly signal: string;
  readonly priority: number;
  readonly description: string | undefined;
  readonly move: BoundMove;
  /** How long its pause waits, if it pauses. */
  readonly pauseTimeout?: PauseTimeout | undefined;
}

/** What follows a signal. */
export type BoundMove =
  | { readonly type: "route"; readonly target: string }
  | { readonly type: "terminate" }
  | { readonly type: "pause" }
  | { readonly type: "parallel"; readonly group: string }
  | { readonly type: "broadcast"; readonly targets: readonly string[] }
  | { readonly type: "status" }
  | { readonly type: "external"; readonly pause: boolean }
  | ({ readonly type: "sub_crew" } & SubCrewCall);

/** How a signal calls sub-crews. */
export interface SubCrewCall {
  readonly crews: readonly string[];
  readonly returnTo: string;
  readonly inputTemplate: string | undefined;
  readonly timeoutMs: number;
  readonly history: HistoryMode;
  /** What to do about a failure, tried in order. If nothing helps, the caller fails. */
  readonly onError: readonly ("retry" | "fallback" | "continue")[];
  readonly maxRetries: number;
  readonly fallbackCrew: string | undefined;
}

/** How much of the history the next agent sees. */
export type HistoryMode = "full" | "summary" | "none";

/** How an agent behaves in routing. */
export interface Behavior {
  readonly waitForSignal: boolean;
  readonly autoRoute: boolean;
  readonly pauseTimeout?: PauseTimeout | undefined;
}

/** Agents or sub-crews that run at once and are joined. */
export interface Group {
  readonly agents: readonly string[];
  readonly crews: readonly string[];
  readonly waitForAll: boolean;
  readonly minSuccess: number | undefined;
  readonly timeoutMs: number;
  readonly nextAgent: string | undefined;
  readonly description: string | undefined;
  /** Its only member works on each item of a list, in a session of its own. */
  readonly forEach?: ForEach | undefined;
}

/** The list that a group takes from its emitter's answer. */
export interface ForEach {
  /** Where the list is in the answer's JSON, as `$.sections`. */
  readonly items: string;
  readonly maxItems: number;
  /** How many items are worked on at once. */
  readonly concurrency: number;
  readonly inputTemplate: string | undefined;
}

/** A crew that another one calls, and what it is granted. */
export interface SubCrew {
  readonly crew: Crew;
  readonly description: string | undefined;
  readonly sharedMemory: ReadonlyMap<string, "read" | "write">;
  readonly quotas: readonly Quota[];
}

/** A function exported by a module, written as `./tools.ts#lookup`. It is imported when a run needs it. */
export interface ToolModule {
  readonly file: string;
  readonly exportName: string;
}

/** A server that Baton starts, or one that it reaches over HTTP. */
export type McpServer =
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string | undefined;
    }
  | { readonly type: "http"; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** The settings of a crew, with defaults filled in. */
export interface Settings {
  readonly configMode: "permissive" | "strict";
  readonly maxHandoffs: number;
  readonly maxRunHandoffs: number;
  readonly maxRounds: number;
  readonly timeoutMs: number;
  readonly onNoSignal: "next" | "stop" | "pause" | "repair";
  readonly emit: "text" | "tool" | "both";
  readonly stripSignals: "output" | "all" | "none";
  readonly signalScope: "anywhere" | "outside_code" | "own_line" | "last_line";
  readonly maxContextWindow: number | undefined;
  readonly contextTrimPercent: number;
  readonly maxToolOutputChars: number;
  readonly maxTotalToolOutputChars: number | undefined;
  readonly handoffContextChars: number;
  readonly parallelTimeoutMs: number;
  readonly maxCrewDepth: number;
  readonly subCrewTimeoutMs: number;
  readonly maxInputSizeKb: number | undefined;
  readonly maxConsecutiveErrors: number | undefined;
  readonly retryBackoffMinMs: number | undefined;
  readonly retryBackoffMaxMs: number | undefined;
  readonly history: HistoryMode | undefined;
  readonly quotas: readonly Quota[];
  readonly redact: boolean;
  readonly external: { readonly webhook: string; readonly secretEnv: string | undefined } | undefined;
  readonly learning: { readonly isOn: boolean; readonly hints: boolean; readonly auto: boolean };
  readonly handoffsEnabled: boolean;
  readonly parallelHandoffs: boolean;
  readonly summarizer: string | undefined;
  readonly classifier: string | undefined;
  readonly minConfidence: number;
  /** The queue of baton.yaml in which its runs wait for a worker. */
  readonly queue?: string | undefined;
  /** How much may come along with inputs and results of tools, where the crew says something else than usual. */
  readonly attachments?: AttachmentLimits;
  /** For pauses without a limit of their own. */
  readonly pauseTimeout: PauseTimeout | undefined;
}
