import { signalScopes } from "../signals/scan-signals.ts";
import { fields, ignored, optional, required, withDefault } from "./fields.ts";
import { pauseTimeoutShape } from "./pause-timeout-shape.ts";
import { quotasShape } from "./quota-shape.ts";
import { flag, integer, number, seconds, webAddress, word, wordOrFlag } from "./scalar-shapes.ts";
import { choice, list, spelled } from "./shape.ts";

const ofGoAgentic = "a setting of go-agentic without a meaning here";

const learningShape = fields({
  hints: withDefault(flag, false, "show the figures to routers and transferring agents"),
  auto: withDefault(flag, false, "let the figures change routes"),
});

const externalShape = fields({
  webhook: required(webAddress, "the address that external signals are posted to"),
  secret_env: optional(
    word,
    "the environment variable with the secret that signs them: *_WEBHOOK_SECRET, or one that baton.yaml lists",
  ),
});

/** Settings that only files of go-agentic have. */
export const idleSettings: ReadonlySet<string> = new Set([
  "language",
  "organization",
  "tool_result_timeout_seconds",
  "min_tool_timeout_millis",
  "stream_chunk_timeout_millis",
  "sse_keep_alive_seconds",
  "request_store_cleanup_minutes",
  "min_agent_id_length",
  "max_agent_id_length",
  "max_request_body_size_kb",
  "stream_buffer_size",
  "max_stored_requests",
  "client_cache_ttl_minutes",
  "graceful_shutdown_check_millis",
  "timeout_warning_threshold_pct",
  "max_memory_mb",
  "max_daily_memory_gb",
  "memory_alert_percent",
  "slow_call_threshold_seconds",
  "max_errors_per_hour",
  "max_errors_per_day",
  "collect_metrics",
]);

export const settingsShape = fields({
  config_mode: withDefault(
    choice("permissive", "strict"),
    "permissive",
    "strict makes unknown keys and unregistered signals errors",
  ),
  max_handoffs: withDefault(
    integer({ min: 0 }),
    10,
    "handoffs of every kind allowed in the crew's run; a sub-crew has its own limit",
  ),
  max_run_handoffs: withDefault(
    integer({ min: 0 }),
    1000,
    "handoffs of all crews of one run together; the crew that is run sets it",
  ),
  max_rounds: withDefault(integer({ min: 1 }), 100, "answers allowed in the crew's run"),
  timeout_seconds: withDefault(seconds, 300, "wall time of the run, pauses not counted"),
  on_no_signal: optional(
    choice("next", "stop", "pause", "repair"),
    "what follows an answer without a signal: next in a crew, stop for agent files",
  ),
  emit: withDefault(
    choice("text", "tool", "both"),
    "text",
    "how agents give signals: in the answer, by a tool, or both",
  ),
  strip_signals: optional(
    wordOrFlag(["output", "all", "none"], "all", "none"),
    "where matched signal tokens are taken out: output (what the run's reader gets; the default in 2.0), all (also what later agents see; true means this), none (the default in 1.0; false means this)",
  ),
  signal_scope: withDefault(choice(...signalScopes), "outside_code", "where in an answer a token counts"),
  max_context_window: optional(integer({ min: 1 }), "tokens of history; the model's own, or 128000, when absent"),
  context_trim_percent: withDefault(
    number({ min: 0, max: 100 }),
    20,
    "how much of the window is freed when history outgrows it",
  ),
  max_tool_output_chars: withDefault(integer({ min: 1 }), 12_000, "longer tool output is cut in the middle"),
  max_total_tool_output_chars: optional(integer({ min: 1 }), "the same for all tool output of one turn"),
  handoff_context_chars: withDefault(integer({ min: 0 }), 2_000, "how much prior work a transfer carries"),
  pause_timeout: optional(
    pauseTimeoutShape,
    "how long a pause without its own limit waits, and what follows: `2h` fails the run then, `{ after, then }` decides otherwise",
  ),
  parallel_timeout_seconds: withDefault(seconds, 60, "the longest that a group without its own timeout may take"),
  tool_timeout_seconds: withDefault(seconds, 300, "the longest a tool call may take"),
  tool_execution_timeout_seconds: optional(seconds, "go-agentic's name of tool_timeout_seconds"),
  llm_timeout_seconds: withDefault(seconds, 600, "the longest a model call may take"),
  max_crew_depth: withDefault(integer({ min: 0 }), 10, "nesting of sub-crews"),
  sub_crew_timeout_seconds: withDefault(seconds, 120, "the longest a sub-crew call may take"),
  history: optional(
    choice("full", "summary", "none"),
    "what history a callee sees; when absent, sub-crews see a summary, and agents that a pattern leads to see none",
  ),
  quotas: optional(quotasShape, "what a run may spend"),
  redact: withDefault(flag, true, "remove secrets from what enters the run"),
  external: optional(externalShape, "where external signals go"),
  learning: optional(
    spelled(flag, learningShape),
    "whether the outcomes of handoffs are recorded, and how they are used",
  ),
  handoffs_enabled: withDefault(flag, true, "false: transfer tools are not offered"),
  parallel_handoffs: withDefault(flag, false, "several transfers in one answer run as a group"),
  summarizer: optional(word, "the agent that writes summaries of history"),
  classifier: optional(word, "the agent that chooses the entry point"),
  min_confidence: withDefault(number({ min: 0, max: 1 }), 0.4, "below it the crew's first agent takes the input"),
  queue: optional(word, "the queue of baton.yaml in which runs wait for a worker; `default` when absent"),
  max_tokens_per_call: optional(integer({ min: 1 }), "tokens that one model call may use"),
  max_tokens_per_day: optional(integer({ min: 0 }), "tokens that may be used in a day"),
  max_cost_per_day: optional(number({ min: 0 }), "dollars that may be spent in a day"),
  cost_alert_threshold: optional(
    number({ min: 0, max: 1 }),
    "share of a cap at which the event quota.warning is emitted",
  ),
  block_on_quota_exceed: optional(flag, "false: caps of this section only warn"),
  max_calls_per_minute: optional(integer({ min: 1 }), "model calls that may be made within a minute"),
  max_calls_per_hour: optional(integer({ min: 1 }), "model calls that may be made within an hour"),
  max_calls_per_day: optional(integer({ min: 1 }), "model calls that may be made in a day"),
  max_consecutive_errors: optional(integer({ min: 1 }), "failed model calls in a row after which the run fails"),
  retry_backoff_min_millis: optional(integer({ min: 0 }), "the first wait before a retry, in milliseconds"),
  retry_backoff_max_seconds: optional(seconds, "the longest wait before a retry"),
  max_input_size_kb: optional(integer({ min: 1 }), "the largest input that is accepted; 4096 when absent"),
  max_attachment_mb: optional(
    number({ min: 0 }),
    "the largest file that comes with an input or result; 20 when absent",
  ),
  max_run_attachments_mb: optional(number({ min: 0 }), "all files of a run together; 50 when absent"),
  max_attachment_chars: optional(
    integer({ min: 1 }),
    "text files longer than this are cut in the middle for models; 100000 when absent",
  ),
  attachment_hosts: optional(
    list(word),
    "hosts from which whoever starts a run over HTTP may let files be fetched, besides those of the crew's web tools",
  ),
  ...Object.fromEntries([...idleSettings].map((key) => [key, ignored(ofGoAgentic)])),
});
