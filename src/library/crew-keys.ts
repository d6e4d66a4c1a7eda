// Generated from the shapes of files by `npm run docs`.
// biome-ignore-all format: one line for each key

import type { GuardKeys, MemoryKeys, QuotaKeys } from "./agent-keys.ts";

/** The keys of crew.yaml, but for those that code gives in another form that take no names of agents, tools, groups and sub-crews. */
export interface CrewBase {
  /** What the crew is for. */ readonly description?: string | undefined;
  /** Signals and what they mean. */ readonly signals?: Readonly<Record<string, string | null | SignalKeys>> | readonly (string | NamedSignalKeys)[] | undefined;
  /** Crews that this one may call. */ readonly subCrews?: Readonly<Record<string, SubCrewKeys>> | undefined;
  /** Crews that this one may call. */ readonly sub_crews?: Readonly<Record<string, SubCrewKeys>> | undefined;
  /** What its agents remember across runs. */ readonly memory?: MemoryKeys | undefined;
  /** What is checked of the crew's input and its output. */ readonly guards?: GuardKeys | undefined;
  /** MCP servers by name. */ readonly mcpServers?: Readonly<Record<string, McpServerKeys>> | undefined;
  /** MCP servers by name. */ readonly mcp_servers?: Readonly<Record<string, McpServerKeys>> | undefined;
}

/** The keys of crew.yaml, but for those that code gives in another form. */
export interface CrewKeys extends CrewBase {
  /** The agent that begins, or `auto`; the first of `agents` when absent. */ readonly entryPoint?: string | undefined;
  /** The agent that begins, or `auto`; the first of `agents` when absent. */ readonly entry_point?: string | undefined;
  /** Who speaks after whom. */ readonly routing?: RoutingKeys | undefined;
  /** Limits and defaults of the crew. */ readonly settings?: SettingKeys | undefined;
}

/** The keys of an object under `signals`. */
export interface SignalKeys {
  /** What the signal means. */ readonly description?: string | undefined;
  /** What it does unless a binding says otherwise; when absent, the binding decides. */ readonly behavior?: "route" | "terminate" | "pause" | "parallel" | "broadcast" | "status" | undefined;
  /** Who may emit it; all when absent. */ readonly allowedAgents?: "all" | readonly string[] | undefined;
  /** Who may emit it; all when absent. */ readonly allowed_agents?: "all" | readonly string[] | undefined;
  /** Where it leads without a binding. */ readonly defaultTarget?: string | undefined;
  /** Where it leads without a binding. */ readonly default_target?: string | undefined;
  /** The only targets a binding may give it. */ readonly validTargets?: readonly string[] | undefined;
  /** The only targets a binding may give it. */ readonly valid_targets?: readonly string[] | undefined;
  /** Of several signals in one answer the highest decides. */ readonly priority?: number | undefined;
  /** An answer that emits it. */ readonly example?: string | undefined;
  /** Says what replaces it. */ readonly deprecated?: string | undefined;
}

/** The keys of an object under `signals`. */
export interface NamedSignalKeys {
  /** The signal, in brackets. */ readonly name: string;
  /** What the signal means. */ readonly description?: string | undefined;
  /** What it does unless a binding says otherwise; when absent, the binding decides. */ readonly behavior?: "route" | "terminate" | "pause" | "parallel" | "broadcast" | "status" | undefined;
  /** Who may emit it; all when absent. */ readonly allowedAgents?: "all" | readonly string[] | undefined;
  /** Who may emit it; all when absent. */ readonly allowed_agents?: "all" | readonly string[] | undefined;
  /** Where it leads without a binding. */ readonly defaultTarget?: string | undefined;
  /** Where it leads without a binding. */ readonly default_target?: string | undefined;
  /** The only targets a binding may give it. */ readonly validTargets?: readonly string[] | undefined;
  /** The only targets a binding may give it. */ readonly valid_targets?: readonly string[] | undefined;
  /** Of several signals in one answer the highest decides. */ readonly priority?: number | undefined;
  /** An answer that emits it. */ readonly example?: string | undefined;
  /** Says what replaces it. */ readonly deprecated?: string | undefined;
}

/** The keys of an object under `sub_crews`. */
export interface SubCrewKeys {
  /** The crew's folder or file, relative to this one. */ readonly configPath?: string | undefined;
  /** The crew's folder or file, relative to this one. */ readonly config_path?: string | undefined;
  /** What the crew does. */ readonly description?: string | undefined;
  /** What it sees of the run's shared memory. */ readonly sharedMemory?: SharedMemoryKeys | undefined;
  /** What it sees of the run's shared memory. */ readonly shared_memory?: SharedMemoryKeys | undefined;
  /** What the crew may spend, within what its parent has left. */ readonly quotas?: QuotaKeys | readonly QuotaKeys[] | undefined;
}

/** The keys of an object under `shared_memory`. */
export interface SharedMemoryKeys {
  /** What it may read, or write and read. */ readonly keys?: Readonly<Record<string, "read" | "write">> | undefined;
}

/** The keys of an object under `mcp_servers`. */
export interface McpServerKeys {
  /** How it is reached; when absent, `command` or `url` decides. */ readonly type?: "stdio" | "http" | "streamable-http" | undefined;
  /** The program to start. */ readonly command?: string | undefined;
  /** Its arguments. */ readonly args?: readonly (string | boolean)[] | undefined;
  /** Environment variables for it. */ readonly env?: Readonly<Record<string, string | boolean>> | undefined;
  /** The folder it starts in, within the project root. */ readonly cwd?: string | undefined;
  /** Its address, for a server over HTTP. */ readonly url?: string | undefined;
  /** Headers sent to it. */ readonly headers?: Readonly<Record<string, string | boolean>> | undefined;
}

/** The keys of an object under `routing`. */
export interface RoutingKeys {
  /** What each agent's signals do. */ readonly signals?: Readonly<Record<string, readonly BindingKeys[]>> | undefined;
  /** Where an agent's answer without a signal goes; empty ends the run. */ readonly defaults?: Readonly<Record<string, string | null>> | undefined;
  /** How agents behave in routing. */ readonly agentBehaviors?: Readonly<Record<string, BehaviorKeys>> | undefined;
  /** How agents behave in routing. */ readonly agent_behaviors?: Readonly<Record<string, BehaviorKeys>> | undefined;
  /** Agents that run at once. */ readonly parallelGroups?: Readonly<Record<string, GroupKeys>> | undefined;
  /** Agents that run at once. */ readonly parallel_groups?: Readonly<Record<string, GroupKeys>> | undefined;
}

/** The keys of an object under `signals` that take no names of agents, tools, groups and sub-crews. */
export interface BindingBase {
  /** The signal, in brackets. */ readonly signal: string;
  /** What the signal does; when absent, the target decides. */ readonly type?: "route" | "terminate" | "pause" | "parallel" | "broadcast" | "status" | "sub_crew" | "external" | undefined;
  /** What it is for. */ readonly description?: string | undefined;
  /** An external signal waits for its response. Default: `false`. */ readonly pause?: boolean | undefined;
  /** How long its pause waits, and what follows: `2h`, or `{ after, then }`. */ readonly pauseTimeout?: number | string | PauseTimeoutKeys | undefined;
  /** How long its pause waits, and what follows: `2h`, or `{ after, then }`. */ readonly pause_timeout?: number | string | PauseTimeoutKeys | undefined;
  /** Of several signals in one answer the highest decides. */ readonly priority?: number | undefined;
  /** The sub-crew's input, such as `Topic: {{.OriginalInput}}`. */ readonly inputTemplate?: string | undefined;
  /** The sub-crew's input, such as `Topic: {{.OriginalInput}}`. */ readonly input_template?: string | undefined;
  /** The longest the sub-crew may take. */ readonly timeoutSeconds?: number | undefined;
  /** The longest the sub-crew may take. */ readonly timeout_seconds?: number | undefined;
  /** What history the sub-crew sees. */ readonly history?: "full" | "summary" | "none" | undefined;
  /** What follows the sub-crew's failure; several are tried in order, such as `[retry, fallback, continue]`. Default: `propagate`. */ readonly onError?: "propagate" | "retry" | "fallback" | "continue" | readonly ("propagate" | "retry" | "fallback" | "continue")[] | undefined;
  /** What follows the sub-crew's failure; several are tried in order, such as `[retry, fallback, continue]`. Default: `propagate`. */ readonly on_error?: "propagate" | "retry" | "fallback" | "continue" | readonly ("propagate" | "retry" | "fallback" | "continue")[] | undefined;
  /** Retries of a failed sub-crew. */ readonly maxRetries?: number | undefined;
  /** Retries of a failed sub-crew. */ readonly max_retries?: number | undefined;
}

/** The keys of an object under `signals`. */
export interface BindingKeys extends BindingBase {
  /** The agent or group it leads to; empty ends the run. */ readonly target?: string | undefined;
  /** Who hears a broadcast; everybody when absent. */ readonly targets?: readonly string[] | undefined;
  /** The sub-crew it calls. */ readonly targetCrew?: string | undefined;
  /** The sub-crew it calls. */ readonly target_crew?: string | undefined;
  /** Sub-crews it calls at once. */ readonly targetCrews?: readonly string[] | undefined;
  /** Sub-crews it calls at once. */ readonly target_crews?: readonly string[] | undefined;
  /** Who gets the sub-crew's result; the emitter when absent. */ readonly returnTo?: string | undefined;
  /** Who gets the sub-crew's result; the emitter when absent. */ readonly return_to?: string | undefined;
  /** The sub-crew to fall back to. */ readonly fallbackCrew?: string | undefined;
  /** The sub-crew to fall back to. */ readonly fallback_crew?: string | undefined;
}

/** The keys of an object under `pause_timeout`. */
export interface PauseTimeoutKeys {
  /** How long the pause waits, such as 30m, 2h or 3d. */ readonly after: number | string;
  /** What is decided then: reject, approve, fail, or { input: … }. */ readonly then: "reject" | "approve" | "fail" | ThenKeys;
}

/** The keys of an object under `then`. */
export interface ThenKeys {
  /** The text that is taken as the answer. */ readonly input: string;
}

/** The keys of an object under `agent_behaviors`. */
export interface BehaviorKeys {
  /** Pause when it answers without a signal. Default: `false`. */ readonly waitForSignal?: boolean | undefined;
  /** Pause when it answers without a signal. Default: `false`. */ readonly wait_for_signal?: boolean | undefined;
  /** False: hold its moves until a human approves; no effect in 1.0 files. Default: `true`. */ readonly autoRoute?: boolean | undefined;
  /** False: hold its moves until a human approves; no effect in 1.0 files. Default: `true`. */ readonly auto_route?: boolean | undefined;
  /** How long its pauses wait, and what follows: `2h`, or `{ after, then }`. */ readonly pauseTimeout?: number | string | PauseTimeoutKeys | undefined;
  /** How long its pauses wait, and what follows: `2h`, or `{ after, then }`. */ readonly pause_timeout?: number | string | PauseTimeoutKeys | undefined;
  /** Its answer ends the run unless a signal says otherwise; the agent's own when absent. */ readonly isTerminal?: boolean | undefined;
  /** Its answer ends the run unless a signal says otherwise; the agent's own when absent. */ readonly is_terminal?: boolean | undefined;
  /** What it is for. */ readonly description?: string | undefined;
}

/** The keys of an object under `parallel_groups` that take no names of agents, tools, groups and sub-crews. */
export interface GroupBase {
  /** Where the list is in the JSON of the answer, with `for_each`; `$` when absent. */ readonly items?: string | undefined;
  /** The most items the list may have, with `for_each`: more fail the run; 50 when absent. */ readonly maxItems?: number | undefined;
  /** The most items the list may have, with `for_each`: more fail the run; 50 when absent. */ readonly max_items?: number | undefined;
  /** How many items are worked on at once, with `for_each`; 8 when absent. */ readonly concurrency?: number | undefined;
  /** The worker's input, with `for_each`, such as `{{.Index}}: {{.Item}}`; the item when absent. */ readonly inputTemplate?: string | undefined;
  /** The worker's input, with `for_each`, such as `{{.Index}}: {{.Item}}`; the item when absent. */ readonly input_template?: string | undefined;
  /** Wait for all instead of the first success; true when absent with `for_each`, else false. */ readonly waitForAll?: boolean | undefined;
  /** Wait for all instead of the first success; true when absent with `for_each`, else false. */ readonly wait_for_all?: boolean | undefined;
  /** How many successes to wait for. */ readonly minSuccess?: number | undefined;
  /** How many successes to wait for. */ readonly min_success?: number | undefined;
  /** The longest the group may take. */ readonly timeoutSeconds?: number | undefined;
  /** The longest the group may take. */ readonly timeout_seconds?: number | undefined;
  /** What it is for. */ readonly description?: string | undefined;
}

/** The keys of an object under `parallel_groups`. */
export interface GroupKeys extends GroupBase {
  /** Agents that run at once. */ readonly agents?: readonly string[] | undefined;
  /** Sub-crews that run at once. */ readonly crews?: readonly string[] | undefined;
  /** The agent, or `crew:` and a sub-crew, that works on each item of a list in the emitter's answer. */ readonly forEach?: string | undefined;
  /** The agent, or `crew:` and a sub-crew, that works on each item of a list in the emitter's answer. */ readonly for_each?: string | undefined;
  /** Who gets the results. */ readonly nextAgent?: string | undefined;
  /** Who gets the results. */ readonly next_agent?: string | undefined;
}

/** The keys of an object under `settings` that take no names of agents, tools, groups and sub-crews. */
export interface SettingBase {
  /** Strict makes unknown keys and unregistered signals errors. Default: `permissive`. */ readonly configMode?: "permissive" | "strict" | undefined;
  /** Strict makes unknown keys and unregistered signals errors. Default: `permissive`. */ readonly config_mode?: "permissive" | "strict" | undefined;
  /** Handoffs of every kind allowed in the crew's run; a sub-crew has its own limit. Default: `10`. */ readonly maxHandoffs?: number | undefined;
  /** Handoffs of every kind allowed in the crew's run; a sub-crew has its own limit. Default: `10`. */ readonly max_handoffs?: number | undefined;
  /** Handoffs of all crews of one run together; the crew that is run sets it. Default: `1000`. */ readonly maxRunHandoffs?: number | undefined;
  /** Handoffs of all crews of one run together; the crew that is run sets it. Default: `1000`. */ readonly max_run_handoffs?: number | undefined;
  /** Answers allowed in the crew's run. Default: `100`. */ readonly maxRounds?: number | undefined;
  /** Answers allowed in the crew's run. Default: `100`. */ readonly max_rounds?: number | undefined;
  /** Wall time of the run, pauses not counted. Default: `300`. */ readonly timeoutSeconds?: number | undefined;
  /** Wall time of the run, pauses not counted. Default: `300`. */ readonly timeout_seconds?: number | undefined;
  /** What follows an answer without a signal: next in a crew, stop for agent files. */ readonly onNoSignal?: "next" | "stop" | "pause" | "repair" | undefined;
  /** What follows an answer without a signal: next in a crew, stop for agent files. */ readonly on_no_signal?: "next" | "stop" | "pause" | "repair" | undefined;
  /** How agents give signals: in the answer, by a tool, or both. Default: `text`. */ readonly emit?: "text" | "tool" | "both" | undefined;
  /** Where matched signal tokens are taken out: output (what the run's reader gets; the default in 2.0), all (also what later agents see; true means this), none (the default in 1.0; false means this). */ readonly stripSignals?: boolean | "output" | "all" | "none" | undefined;
  /** Where matched signal tokens are taken out: output (what the run's reader gets; the default in 2.0), all (also what later agents see; true means this), none (the default in 1.0; false means this). */ readonly strip_signals?: boolean | "output" | "all" | "none" | undefined;
  /** Where in an answer a token counts. Default: `outside_code`. */ readonly signalScope?: "anywhere" | "outside_code" | "own_line" | "last_line" | undefined;
  /** Where in an answer a token counts. Default: `outside_code`. */ readonly signal_scope?: "anywhere" | "outside_code" | "own_line" | "last_line" | undefined;
  /** Tokens of history; the model's own, or 128000, when absent. */ readonly maxContextWindow?: number | undefined;
  /** Tokens of history; the model's own, or 128000, when absent. */ readonly max_context_window?: number | undefined;
  /** How much of the window is freed when history outgrows it. Default: `20`. */ readonly contextTrimPercent?: number | undefined;
  /** How much of the window is freed when history outgrows it. Default: `20`. */ readonly context_trim_percent?: number | undefined;
  /** Longer tool output is cut in the middle. Default: `12000`. */ readonly maxToolOutputChars?: number | undefined;
  /** Longer tool output is cut in the middle. Default: `12000`. */ readonly max_tool_output_chars?: number | undefined;
  /** The same for all tool output of one turn. */ readonly maxTotalToolOutputChars?: number | undefined;
  /** The same for all tool output of one turn. */ readonly max_total_tool_output_chars?: number | undefined;
  /** How much prior work a transfer carries. Default: `2000`. */ readonly handoffContextChars?: number | undefined;
  /** How much prior work a transfer carries. Default: `2000`. */ readonly handoff_context_chars?: number | undefined;
  /** How long a pause without its own limit waits, and what follows: `2h` fails the run then, `{ after, then }` decides otherwise. */ readonly pauseTimeout?: number | string | PauseTimeoutKeys | undefined;
  /** How long a pause without its own limit waits, and what follows: `2h` fails the run then, `{ after, then }` decides otherwise. */ readonly pause_timeout?: number | string | PauseTimeoutKeys | undefined;
  /** The longest that a group without its own timeout may take. Default: `60`. */ readonly parallelTimeoutSeconds?: number | undefined;
  /** The longest that a group without its own timeout may take. Default: `60`. */ readonly parallel_timeout_seconds?: number | undefined;
  /** The longest a tool call may take. Default: `300`. */ readonly toolTimeoutSeconds?: number | undefined;
  /** The longest a tool call may take. Default: `300`. */ readonly tool_timeout_seconds?: number | undefined;
  /** Go-agentic's name of tool_timeout_seconds. */ readonly toolExecutionTimeoutSeconds?: number | undefined;
  /** Go-agentic's name of tool_timeout_seconds. */ readonly tool_execution_timeout_seconds?: number | undefined;
  /** The longest a model call may take. Default: `600`. */ readonly llmTimeoutSeconds?: number | undefined;
  /** The longest a model call may take. Default: `600`. */ readonly llm_timeout_seconds?: number | undefined;
  /** Nesting of sub-crews. Default: `10`. */ readonly maxCrewDepth?: number | undefined;
  /** Nesting of sub-crews. Default: `10`. */ readonly max_crew_depth?: number | undefined;
  /** The longest a sub-crew call may take. Default: `120`. */ readonly subCrewTimeoutSeconds?: number | undefined;
  /** The longest a sub-crew call may take. Default: `120`. */ readonly sub_crew_timeout_seconds?: number | undefined;
  /** What history a callee sees; when absent, sub-crews see a summary, and agents that a pattern leads to see none. */ readonly history?: "full" | "summary" | "none" | undefined;
  /** What a run may spend. */ readonly quotas?: QuotaKeys | readonly QuotaKeys[] | undefined;
  /** Remove secrets from what enters the run. Default: `true`. */ readonly redact?: boolean | undefined;
  /** Where external signals go. */ readonly external?: ExternalKeys | undefined;
  /** Whether the outcomes of handoffs are recorded, and how they are used. */ readonly learning?: boolean | LearningKeys | undefined;
  /** False: transfer tools are not offered. Default: `true`. */ readonly handoffsEnabled?: boolean | undefined;
  /** False: transfer tools are not offered. Default: `true`. */ readonly handoffs_enabled?: boolean | undefined;
  /** Several transfers in one answer run as a group. Default: `false`. */ readonly parallelHandoffs?: boolean | undefined;
  /** Several transfers in one answer run as a group. Default: `false`. */ readonly parallel_handoffs?: boolean | undefined;
  /** Below it the crew's first agent takes the input. Default: `0.4`. */ readonly minConfidence?: number | undefined;
  /** Below it the crew's first agent takes the input. Default: `0.4`. */ readonly min_confidence?: number | undefined;
  /** The queue of baton.yaml in which runs wait for a worker; `default` when absent. */ readonly queue?: string | undefined;
  /** Tokens that one model call may use. */ readonly maxTokensPerCall?: number | undefined;
  /** Tokens that one model call may use. */ readonly max_tokens_per_call?: number | undefined;
  /** Tokens that may be used in a day. */ readonly maxTokensPerDay?: number | undefined;
  /** Tokens that may be used in a day. */ readonly max_tokens_per_day?: number | undefined;
  /** Dollars that may be spent in a day. */ readonly maxCostPerDay?: number | undefined;
  /** Dollars that may be spent in a day. */ readonly max_cost_per_day?: number | undefined;
  /** Share of a cap at which the event quota.warning is emitted. */ readonly costAlertThreshold?: number | undefined;
  /** Share of a cap at which the event quota.warning is emitted. */ readonly cost_alert_threshold?: number | undefined;
  /** False: caps of this section only warn. */ readonly blockOnQuotaExceed?: boolean | undefined;
  /** False: caps of this section only warn. */ readonly block_on_quota_exceed?: boolean | undefined;
  /** Model calls that may be made within a minute. */ readonly maxCallsPerMinute?: number | undefined;
  /** Model calls that may be made within a minute. */ readonly max_calls_per_minute?: number | undefined;
  /** Model calls that may be made within an hour. */ readonly maxCallsPerHour?: number | undefined;
  /** Model calls that may be made within an hour. */ readonly max_calls_per_hour?: number | undefined;
  /** Model calls that may be made in a day. */ readonly maxCallsPerDay?: number | undefined;
  /** Model calls that may be made in a day. */ readonly max_calls_per_day?: number | undefined;
  /** Failed model calls in a row after which the run fails. */ readonly maxConsecutiveErrors?: number | undefined;
  /** Failed model calls in a row after which the run fails. */ readonly max_consecutive_errors?: number | undefined;
  /** The first wait before a retry, in milliseconds. */ readonly retryBackoffMinMillis?: number | undefined;
  /** The first wait before a retry, in milliseconds. */ readonly retry_backoff_min_millis?: number | undefined;
  /** The longest wait before a retry. */ readonly retryBackoffMaxSeconds?: number | undefined;
  /** The longest wait before a retry. */ readonly retry_backoff_max_seconds?: number | undefined;
  /** The largest input that is accepted; 4096 when absent. */ readonly maxInputSizeKb?: number | undefined;
  /** The largest input that is accepted; 4096 when absent. */ readonly max_input_size_kb?: number | undefined;
  /** The largest file that comes with an input or result; 20 when absent. */ readonly maxAttachmentMb?: number | undefined;
  /** The largest file that comes with an input or result; 20 when absent. */ readonly max_attachment_mb?: number | undefined;
  /** All files of a run together; 50 when absent. */ readonly maxRunAttachmentsMb?: number | undefined;
  /** All files of a run together; 50 when absent. */ readonly max_run_attachments_mb?: number | undefined;
  /** Text files longer than this are cut in the middle for models; 100000 when absent. */ readonly maxAttachmentChars?: number | undefined;
  /** Text files longer than this are cut in the middle for models; 100000 when absent. */ readonly max_attachment_chars?: number | undefined;
  /** Hosts from which whoever starts a run over HTTP may let files be fetched, besides those of the crew's web tools. */ readonly attachmentHosts?: readonly string[] | undefined;
  /** Hosts from which whoever starts a run over HTTP may let files be fetched, besides those of the crew's web tools. */ readonly attachment_hosts?: readonly string[] | undefined;
}

/** The keys of an object under `settings`. */
export interface SettingKeys extends SettingBase {
  /** The agent that writes summaries of history. */ readonly summarizer?: string | undefined;
  /** The agent that chooses the entry point. */ readonly classifier?: string | undefined;
}

/** The keys of an object under `external`. */
export interface ExternalKeys {
  /** The address that external signals are posted to. */ readonly webhook: string;
  /** The environment variable with the secret that signs them: *_WEBHOOK_SECRET, or one that baton.yaml lists. */ readonly secretEnv?: string | undefined;
  /** The environment variable with the secret that signs them: *_WEBHOOK_SECRET, or one that baton.yaml lists. */ readonly secret_env?: string | undefined;
}

/** The keys of an object under `learning`. */
export interface LearningKeys {
  /** Show the figures to routers and transferring agents. Default: `false`. */ readonly hints?: boolean | undefined;
  /** Let the figures change routes. Default: `false`. */ readonly auto?: boolean | undefined;
}
