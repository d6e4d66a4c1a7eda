import type { Store } from "../journal/store.ts";
import type { ModelObject } from "../models/model-choice.ts";
import type { Script } from "../models/script-model.ts";
import type { TeamKind } from "../orchestration/patterns/team-kind.ts";
import type { ModelSource } from "../prepare/prepare-models.ts";
import type { OutputSchemas } from "../prepare/prepare-output-checks.ts";
import type { Clock } from "../run/clock.ts";
import type { NotifyRule } from "../run-storage/notifications.ts";
import type { ServerRequest } from "../servers/hold-servers.ts";
import type { AgentFunction } from "../tools/agent-function.ts";
import type { Tool } from "../tools/tool.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { QueueRule } from "../vocabulary/queue-rule.ts";
import type { ExternalHandler } from "./deliver-external.ts";
import type { ContextSource } from "./resolve-context.ts";

/** What a crew's runs need from outside. Everything has a default. */
export interface CrewEnvironment {
  /** The clock of all runs. The default is the system's. */
  readonly clock?: Clock | undefined;
  /** Tools that agents may list, besides those that the crew's files name: a list, or a record by name. */
  readonly tools?: ToolRegistry | undefined;
  /** Models made in code, by the name that agents list: `{ "acme/large": myModel }`. */
  readonly models?: ModelRegistry | undefined;
  /** Replies in place of all models, so that no model is called: `script({ triage: ["…"] })`. */
  readonly script?: Script | undefined;
  /** Environment variables, for keys, addresses, secrets and `BATON_MODEL`. The default is those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Kinds of teams by the name that `team: { kind }` gives them. */
  readonly teams?: Readonly<Record<string, TeamKind>> | undefined;
  /** The project's folder, which nothing that the crew names may leave. The default is the working directory. */
  readonly root?: string | undefined;
  /** Allows MCP servers that are not approved on this machine. */
  readonly approveServer?: ((request: ServerRequest) => boolean | Promise<boolean>) | undefined;
  /**
   * Called with what is waited for: an MCP server that takes longer than 10 s to start, or, with `wait`, another process that has the
   * run or may still be running a tool.
   */
  readonly onWait?: ((message: string) => void) | undefined;
  /** Whether OpenTelemetry spans contain prompts, answers, arguments and results. By default they do not. */
  readonly captureContent?: boolean | undefined;
  /**
   * What tools and functions find in their `context.context`, such as `{ db }`; or a function that gives each run its own, whenever
   * the run starts or continues in a process. It is never sent to a model and never stored.
   */
  readonly context?: ContextSource | undefined;
  /** What `{{name}}` stands for in the agents' prompts. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Where the crew comes from, so that a run can be resumed by its id alone. */
  readonly source?: string | undefined;
  /** The tools that were allowed besides those of its files. */
  readonly allow?: string | undefined;
  /** Where runs are stored. Without a store, paused runs stay in memory as long as the crew does. */
  readonly store?: Store | undefined;
}

/** Tools as a list, or as a record by the name that agents list. */
export type ToolRegistry = readonly Tool[] | Readonly<Record<string, Tool>>;

/** Models made in code, by `provider/model`. */
export type ModelRegistry = Readonly<Record<string, ModelObject>>;

/** The environment of a crew as it is used inside: with all that its definition in code brings along. */
export interface CrewSetup extends Omit<CrewEnvironment, "tools" | "models" | "script" | "env"> {
  readonly tools?: readonly Tool[];
  readonly models?: ModelSource;
  /** Functions of agents in code, by `<crew>/<agent>`. */
  readonly functions?: Readonly<Record<string, AgentFunction>>;
  /** Whom to tell when runs pause or end. */
  readonly notify?: readonly NotifyRule[];
  /** Whether runs are only queued here, so that neither keys nor tools are needed. */
  readonly onlyQueues?: boolean;
  /** The queues of the project. */
  readonly queues?: readonly QueueRule[];
  /** For how long runs in the store stay locked if this process dies; undefined for the usual time. */
  readonly leaseMs?: number | undefined;
  /** Schemas of agents' answers in code, by `<crew>/<agent>`. */
  readonly schemas?: OutputSchemas;
}

/** How a run is started. */
export interface StartOptions extends RunOptions {
  /** For whom the run is. It is stored with the run, and tools find it in their context. */
  readonly user?: string | undefined;
  /** What was said before, oldest first, if the caller keeps the thread itself. A conversation has its own history. */
  readonly history?: readonly HistoryMessage[] | undefined;
  /** What `{{name}}` stands for in the agents' prompts, besides what the crew gives. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Lets any server continue the run when nobody has it any more. */
  readonly isServed?: boolean | undefined;
}

/** A message that was said before a run. */
export interface HistoryMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
  /** Who said it, if the role is `assistant`. The default is the crew's entry agent. */
  readonly agent?: string;
}

/** When a queued run is to begin. */
export interface QueueOptions {
  /** 0 is the most urgent. The default is 100. */
  readonly priority?: number;
  /** The run does not begin before this time has passed, in milliseconds. */
  readonly delayMs?: number;
}

/** How a run is watched. */
export interface RunOptions {
  /** Who starts or answers the run, such as the name of a token. It is stored with what was done. */
  readonly by?: string | undefined;
  /** The span that the run belongs to, as W3C Trace Context. Without it, the active span is. */
  readonly traceparent?: string | undefined;
  /**
   * Stores what is to be done without doing it: the run has the status `queued` until somebody continues it with `recover`. A server or
   * a worker on the same store does.
   */
  readonly queue?: QueueOptions | undefined;
  /** What tools and functions find in their `context.context`, besides what the crew gives. It is never stored. */
  readonly context?: object | undefined;
  /** Replies in place of all models, for this run only. If the run pauses, later calls of this handle use them again. */
  readonly script?: Script | undefined;
  /** Cancels the run at once. */
  readonly signal?: AbortSignal | undefined;
  /** Lets the turns under way finish with their tool calls, and cancels the run before its next turn. */
  readonly stop?: AbortSignal | undefined;
  /**
   * Releases the run, so that another process can continue it: turns under way finish with their tool calls, no others begin, and the
   * result has the status `running`.
   */
  readonly release?: AbortSignal | undefined;
  /** How long turns under way may take when the run is released. The default is 10 s. */
  readonly graceMs?: number | undefined;
  /** Called with external signals. The `{ answer }` it returns answers a signal that pauses. */
  readonly onExternal?: ExternalHandler | undefined;
  /** Called with every event as soon as it is durable, and with every delta (which is not stored) as it comes. */
  readonly onEvent?: ((event: BatonEvent) => void) | undefined;
}

/** How a run is continued, also when its crew has changed since the run began. */
export interface ResumeOptions extends RunOptions {
  /** Continues with the crew as it is now. */
  readonly acceptChanges?: boolean | undefined;
  /** Continues with the crew as it was. The store has a copy of it. */
  readonly original?: boolean | undefined;
  /** Waits, instead of refusing, while another process has the run, or may still be running the tool of a `not_happened`. */
  readonly wait?: boolean | undefined;
}
