// Generated from the shapes of files by `npm run docs`.
// biome-ignore-all format: one line for each key

/** The keys of an agent's file, but for those that code gives in another form that take no names of agents, tools, groups and sub-crews. */
export interface AgentBase {
  /** A name for people. */ readonly name?: string | undefined;
  /** What the agent is. */ readonly role?: string | undefined;
  /** Where the agent comes from. */ readonly backstory?: string | undefined;
  /** What the agent does; needed where it is offered to another agent. */ readonly description?: string | undefined;
  /** How to call the agent. */ readonly usage?: string | undefined;
  /** The prompt; in a Markdown file it is the text behind the frontmatter. */ readonly systemPrompt?: string | undefined;
  /** The prompt; in a Markdown file it is the text behind the frontmatter. */ readonly system_prompt?: string | undefined;
  /** An agent of another system that answers in place of a model, by A2A: the address of its card, or `{card, token_env}`. */ readonly a2a?: string | A2aKeys | undefined;
  /** Whether calling the function again does harm, with `run`; once when absent. */ readonly effect?: "read" | "idempotent" | "once" | undefined;
  /** The first model, in go-agentic's form. */ readonly primary?: ModelKeys | undefined;
  /** The model to fall back to, in go-agentic's form. */ readonly backup?: ModelKeys | undefined;
  /** The only model, `provider/model`, or its name beside `provider`. */ readonly model?: string | undefined;
  /** The provider of `model`. */ readonly provider?: string | undefined;
  /** The address of `provider`, where it is not the usual one. */ readonly providerUrl?: string | undefined;
  /** The address of `provider`, where it is not the usual one. */ readonly provider_url?: string | undefined;
  /** Sent to the model as it is. */ readonly temperature?: number | undefined;
  /** Sent to the model as it is. */ readonly topP?: number | undefined;
  /** Sent to the model as it is. */ readonly top_p?: number | undefined;
  /** Sent to the model as it is. */ readonly topK?: number | undefined;
  /** Sent to the model as it is. */ readonly top_k?: number | undefined;
  /** The longest answer, in tokens. */ readonly maxOutputTokens?: number | undefined;
  /** The longest answer, in tokens. */ readonly max_output_tokens?: number | undefined;
  /** How much the model reasons, as its provider names it. */ readonly reasoning?: string | number | undefined;
  /** May be asked for clarification after it answered. Default: `false`. */ readonly chat?: boolean | undefined;
  /** Its answer ends the run unless a signal says otherwise. */ readonly isTerminal?: boolean | undefined;
  /** Its answer ends the run unless a signal says otherwise. */ readonly is_terminal?: boolean | undefined;
  /** Its field, for classification. */ readonly domain?: string | undefined;
  /** Its subjects, for classification. */ readonly specialties?: readonly string[] | undefined;
  /** Model calls per session. Default: `10`. */ readonly maxTurns?: number | undefined;
  /** Model calls per session. Default: `10`. */ readonly max_turns?: number | undefined;
  /** Tool calls per turn; the excess is refused. Default: `10`. */ readonly maxToolCallsPerTurn?: number | undefined;
  /** Tool calls per turn; the excess is refused. Default: `10`. */ readonly max_tool_calls_per_turn?: number | undefined;
  /** Longer tool output is cut in the middle; settings.max_tool_output_chars when absent. */ readonly maxToolOutputChars?: number | undefined;
  /** Longer tool output is cut in the middle; settings.max_tool_output_chars when absent. */ readonly max_tool_output_chars?: number | undefined;
  /** Retries per model call, across the chain of models. Default: `3`. */ readonly maxRetries?: number | undefined;
  /** Retries per model call, across the chain of models. Default: `3`. */ readonly max_retries?: number | undefined;
  /** The longest a model call may take; settings.llm_timeout_seconds when absent. */ readonly llmTimeout?: number | string | undefined;
  /** The longest a model call may take; settings.llm_timeout_seconds when absent. */ readonly llm_timeout?: number | string | undefined;
  /** The longest a tool call may take; settings.tool_timeout_seconds when absent. */ readonly toolTimeout?: number | string | undefined;
  /** The longest a tool call may take; settings.tool_timeout_seconds when absent. */ readonly tool_timeout?: number | string | undefined;
  /** The longest its advisors may take; llm_timeout when absent. */ readonly advisorTimeout?: number | string | undefined;
  /** The longest its advisors may take; llm_timeout when absent. */ readonly advisor_timeout?: number | string | undefined;
  /** What it takes: text, markdown, json, or {format, schema}. */ readonly input?: "text" | "markdown" | "json" | ContractKeys | undefined;
  /** Several transfers in one answer run as a group. */ readonly parallelHandoffs?: boolean | undefined;
  /** Several transfers in one answer run as a group. */ readonly parallel_handoffs?: boolean | undefined;
  /** May put crews together out of the other agents of its crew by `crew__compose`. Default: `false`. */ readonly compose?: boolean | undefined;
  /** What this agent may spend. */ readonly quotas?: QuotaKeys | readonly QuotaKeys[] | undefined;
  /** A quota in go-agentic's form. */ readonly costLimits?: CostLimitKeys | undefined;
  /** A quota in go-agentic's form. */ readonly cost_limits?: CostLimitKeys | undefined;
  /** How other agents' words are framed in its input. Default: `markdown`. */ readonly promptStyle?: "markdown" | "tagged" | undefined;
  /** How other agents' words are framed in its input. Default: `markdown`. */ readonly prompt_style?: "markdown" | "tagged" | undefined;
  /** What it remembers across runs; the crew's when absent. */ readonly memory?: MemoryKeys | undefined;
  /** What is checked of its input and its answer. */ readonly guards?: GuardKeys | undefined;
  /** Which files it is given: none, those of its newest input, or all in what it sees, which is the default. */ readonly attachments?: "none" | "new" | "all" | undefined;
}

/** The keys of an agent's file, but for those that code gives in another form. */
export interface AgentKeys extends AgentBase {
  /** Names of the tools it may call. */ readonly tools?: readonly string[] | undefined;
  /** Sub-agents, offered as tools `agent__<id>`. */ readonly agents?: readonly string[] | undefined;
  /** The agent that continues with this one's answer. */ readonly handoff?: string | HandoffKeys | undefined;
  /** Agents that give their advice before this one begins. */ readonly advisors?: readonly string[] | undefined;
  /** Agents that work on the task together. */ readonly team?: TeamKeys | undefined;
  /** Whom it may transfer the work to. */ readonly collaborations?: readonly (string | NeighbourKeys)[] | undefined;
  /** Where an answer without a signal goes. */ readonly handoffTargets?: readonly string[] | undefined;
  /** Where an answer without a signal goes. */ readonly handoff_targets?: readonly string[] | undefined;
  /** Sub-crews it may call by `crew__delegate`. */ readonly delegate?: readonly string[] | undefined;
}

/** The keys of an object under `a2a`. */
export interface A2aKeys {
  /** The address of its card. */ readonly card: string;
  /** The environment variable with the token that it is called with. */ readonly tokenEnv?: string | undefined;
  /** The environment variable with the token that it is called with. */ readonly token_env?: string | undefined;
}

/** The keys of an object under `primary`. */
export interface ModelKeys {
  /** The model's name. */ readonly model: string;
  /** The provider's name. */ readonly provider: string;
  /** The provider's address, where it is not the usual one. */ readonly providerUrl?: string | undefined;
  /** The provider's address, where it is not the usual one. */ readonly provider_url?: string | undefined;
}

/** The keys of an object under `input`. */
export interface ContractKeys {
  /** The form of the text; json where there is a schema, else text. */ readonly format?: "text" | "markdown" | "json" | undefined;
  /** A JSON Schema that JSON must fit. */ readonly schema?: unknown;
}

/** The keys of an object under `quotas`. */
export interface QuotaKeys {
  /** Dollars that may be spent. */ readonly maxCostUsd?: number | undefined;
  /** Dollars that may be spent. */ readonly max_cost_usd?: number | undefined;
  /** Tokens that may be used, input and output together. */ readonly maxTokens?: number | undefined;
  /** Tokens that may be used, input and output together. */ readonly max_tokens?: number | undefined;
  /** Model calls that may be made. */ readonly maxLlmCalls?: number | undefined;
  /** Model calls that may be made. */ readonly max_llm_calls?: number | undefined;
  /** Tool calls that may be made. */ readonly maxToolCalls?: number | undefined;
  /** Tool calls that may be made. */ readonly max_tool_calls?: number | undefined;
  /** Model calls that may be made within a minute. */ readonly maxCallsPerMinute?: number | undefined;
  /** Model calls that may be made within a minute. */ readonly max_calls_per_minute?: number | undefined;
  /** Share of a cap at which the event quota.warning is emitted; 0.8 when absent. */ readonly alertThreshold?: number | undefined;
  /** Share of a cap at which the event quota.warning is emitted; 0.8 when absent. */ readonly alert_threshold?: number | undefined;
  /** What happens to a call that no longer fits. Default: `stop`. */ readonly onExceed?: "stop" | "pause" | "degrade" | "warn" | undefined;
  /** What happens to a call that no longer fits. Default: `stop`. */ readonly on_exceed?: "stop" | "pause" | "degrade" | "warn" | undefined;
  /** What the caps count over: a run or a day, whose figures are in the store. Default: `run`. */ readonly per?: "run" | "day" | undefined;
}

/** The keys of an object under `cost_limits`. */
export interface CostLimitKeys {
  /** Tokens that one model call may use. */ readonly maxTokensPerCall?: number | undefined;
  /** Tokens that one model call may use. */ readonly max_tokens_per_call?: number | undefined;
  /** Tokens that may be used in a day. */ readonly maxTokensPerDay?: number | undefined;
  /** Tokens that may be used in a day. */ readonly max_tokens_per_day?: number | undefined;
  /** Dollars that may be spent in a day. */ readonly maxCostPerDayUsd?: number | undefined;
  /** Dollars that may be spent in a day. */ readonly max_cost_per_day_usd?: number | undefined;
  /** Share of a cap at which the event quota.warning is emitted. Default: `0.8`. */ readonly alertThreshold?: number | undefined;
  /** Share of a cap at which the event quota.warning is emitted. Default: `0.8`. */ readonly alert_threshold?: number | undefined;
  /** True stops a call that no longer fits; without it the run is only warned. Default: `false`. */ readonly blockOnCostExceed?: boolean | undefined;
  /** True stops a call that no longer fits; without it the run is only warned. Default: `false`. */ readonly block_on_cost_exceed?: boolean | undefined;
  /** This agent's own price of a million input tokens, in dollars. */ readonly inputTokenPricePerMillion?: number | undefined;
  /** This agent's own price of a million input tokens, in dollars. */ readonly input_token_price_per_million?: number | undefined;
  /** This agent's own price of a million output tokens, in dollars. */ readonly outputTokenPricePerMillion?: number | undefined;
  /** This agent's own price of a million output tokens, in dollars. */ readonly output_token_price_per_million?: number | undefined;
}

/** The keys of an object under `memory`. */
export interface MemoryKeys {
  /** Whose memory it is: `user`, `crew`, or the name of a variable of the run. */ readonly scope: string;
  /** Whether the best entries stand before the input (auto), the agent looks them up (tool), or both. Default: `both`. */ readonly recall?: "auto" | "tool" | "both" | undefined;
  /** How many entries are recalled. Default: `6`. */ readonly top?: number | undefined;
  /** A model that turns texts into vectors, such as `openai/text-embedding-3-small`; only words count when absent. */ readonly embed?: string | undefined;
  /** How many entries a scope has; the oldest make room. Default: `10000`. */ readonly maxEntries?: number | undefined;
  /** How many entries a scope has; the oldest make room. Default: `10000`. */ readonly max_entries?: number | undefined;
  /** How long an entry can be recalled, such as `365d`; for ever when absent. */ readonly maxAge?: number | string | undefined;
  /** How long an entry can be recalled, such as `365d`; for ever when absent. */ readonly max_age?: number | string | undefined;
}

/** The keys of an object under `guards`. */
export interface GuardKeys {
  /** Guards of what comes in. */ readonly input?: readonly (string | CheckKeys)[] | undefined;
  /** Guards of the answer. */ readonly output?: readonly (string | CheckKeys)[] | undefined;
  /** When text is streamed: once it passed, or early, so that it may be retracted; passed when absent. */ readonly stream?: "passed" | "early" | undefined;
}

/** The keys of an object under `input`. */
export interface CheckKeys {
  /** Trips on a longer text. */ readonly maxChars?: number | undefined;
  /** Trips on a longer text. */ readonly max_chars?: number | undefined;
  /** Trips on a text that this regular expression does not match. */ readonly matches?: string | undefined;
  /** Trips on a text with one of these words or phrases, whatever their case. */ readonly forbids?: readonly string[] | undefined;
  /** Trips on a text that is not JSON, or does not fit this JSON Schema; `true` for any JSON. */ readonly json?: unknown;
  /** Trips on a text that is plainly in another language. */ readonly language?: "en" | "de" | "fr" | "es" | "it" | "nl" | "pt" | "vi" | "zh" | "ja" | "ko" | "ru" | "ar" | undefined;
  /** Trips on a text with a secret. */ readonly noSecrets?: boolean | undefined;
  /** Trips on a text with a secret. */ readonly no_secrets?: boolean | undefined;
  /** Trips on a number or quoted phrase that the agent was not given. */ readonly grounded?: GroundedKeys | undefined;
  /** A function that judges, `./guards.ts#onTopic`. */ readonly module?: string | undefined;
  /** An agent that judges: its answer is JSON. */ readonly agent?: string | undefined;
  /** What follows when it trips; when absent, block, or what the function or agent decides. */ readonly onTrip?: "block" | "rewrite" | "ask" | "retry" | undefined;
  /** What follows when it trips; when absent, block, or what the function or agent decides. */ readonly on_trip?: "block" | "rewrite" | "ask" | "retry" | undefined;
  /** What the user is told when it blocks. */ readonly message?: string | undefined;
  /** With retry: how often the agent answers again. Default: `2`. */ readonly max?: number | undefined;
  /** True: it runs before the first model call instead of beside it. */ readonly first?: boolean | undefined;
}

/** The keys of an object under `grounded`. */
export interface GroundedKeys {
  /** What counts as given: tool results. */ readonly in?: "tool results" | undefined;
}

/** The keys of an object under `handoff` that take no names of agents, tools, groups and sub-crews. */
export interface HandoffBase {
  /** Sections of the input; the bare answer when empty. */ readonly include?: readonly ("response" | "original_request")[] | undefined;
  /** What follows when this agent fails: the run stops, or the next agent gets a report. Default: `stop`. */ readonly onFailure?: "stop" | "continue" | undefined;
  /** What follows when this agent fails: the run stops, or the next agent gets a report. Default: `stop`. */ readonly on_failure?: "stop" | "continue" | undefined;
  /** Hands off only when all of this holds. */ readonly when?: ConditionKeys | undefined;
}

/** The keys of an object under `handoff`. */
export interface HandoffKeys extends HandoffBase {
  /** The agent that continues with the answer. */ readonly to: string;
}

/** The keys of an object under `when`. */
export interface ConditionKeys {
  /** The answer contains this text. */ readonly contains?: string | undefined;
  /** The answer matches this regular expression. */ readonly matches?: string | undefined;
  /** The answer emits this signal. */ readonly signal?: string | undefined;
  /** The agent ended with this status. */ readonly status?: "completed" | "failed" | undefined;
  /** The run has cost more dollars than this. */ readonly costOver?: number | undefined;
  /** The run has cost more dollars than this. */ readonly cost_over?: number | undefined;
  /** The agent took more turns than this. */ readonly turnsOver?: number | undefined;
  /** The agent took more turns than this. */ readonly turns_over?: number | undefined;
}

/** The keys of an object under `team` that take no names of agents, tools, groups and sub-crews. */
export interface TeamBase {
  /** A kind of team that was made in code; its members broadcast when absent. */ readonly kind?: string | undefined;
  /** Turns of each member; its own max_turns when absent. */ readonly memberMaxTurns?: number | undefined;
  /** Turns of each member; its own max_turns when absent. */ readonly member_max_turns?: number | undefined;
  /** Turns of the supervisor; its own max_turns when absent. */ readonly supervisorMaxTurns?: number | undefined;
  /** Turns of the supervisor; its own max_turns when absent. */ readonly supervisor_max_turns?: number | undefined;
}

/** The keys of an object under `team`. */
export interface TeamKeys extends TeamBase {
  /** The agents that work together. */ readonly members?: readonly string[] | undefined;
  /** The agent that hears them and decides. */ readonly supervisor?: string | undefined;
}

/** The keys of an object under `collaborations` that take no names of agents, tools, groups and sub-crews. */
export interface NeighbourBase {
  /** What the agent is good at, shown to the model. */ readonly specialty?: string | undefined;
  /** Offered only when all of this holds. */ readonly when?: ConditionKeys | undefined;
  /** Higher ones are offered first. */ readonly priority?: number | undefined;
  /** Lets a tie go to the cheaper agent. */ readonly cost?: "prefer_cheaper" | undefined;
}

/** The keys of an object under `collaborations`. */
export interface NeighbourKeys extends NeighbourBase {
  /** The agent's id. */ readonly agent: string;
}
