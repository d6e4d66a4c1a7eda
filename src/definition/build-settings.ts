import { usualAttachmentLimits } from "../vocabulary/attachment.ts";
import type { Settings } from "../vocabulary/crew.ts";
import { buildQuotas, quotasOfSettings } from "./build-quotas.ts";
import type { CrewFile } from "./crew-files.ts";
import { buildPauseTimeout } from "./pause-timeout-shape.ts";
import { settingsShape } from "./settings-shape.ts";
import type { ValueOf } from "./shape.ts";

export type SettingsKeys = ValueOf<typeof settingsShape>;

/** The settings as written, with defaults for what is not. */
export function settingsKeys(crew: CrewFile): SettingsKeys {
  return crew.keys.settings ?? settingsShape.absent;
}

export function buildSettings(crew: CrewFile): Settings {
  const keys = settingsKeys(crew);
  return {
    configMode: crew.reporter.strict ? "strict" : "permissive",
    maxHandoffs: keys.max_handoffs,
    maxRunHandoffs: keys.max_run_handoffs,
    maxRounds: keys.max_rounds,
    timeoutMs: inMs(keys.timeout_seconds),
    onNoSignal: keys.on_no_signal ?? (crew.isImplied ? "stop" : "next"),
    emit: keys.emit,
    stripSignals: keys.strip_signals ?? (crew.keys.version === "1.0" ? "none" : "output"),
    signalScope: keys.signal_scope,
    maxContextWindow: keys.max_context_window,
    contextTrimPercent: keys.context_trim_percent,
    maxToolOutputChars: keys.max_tool_output_chars,
    maxTotalToolOutputChars: keys.max_total_tool_output_chars,
    handoffContextChars: keys.handoff_context_chars,
    pauseTimeout: buildPauseTimeout(keys.pause_timeout),
    queue: keys.queue,
    parallelTimeoutMs: inMs(keys.parallel_timeout_seconds),
    maxCrewDepth: keys.max_crew_depth,
    subCrewTimeoutMs: inMs(keys.sub_crew_timeout_seconds),
    maxInputSizeKb: keys.max_input_size_kb,
    maxConsecutiveErrors: keys.max_consecutive_errors,
    retryBackoffMinMs: keys.retry_backoff_min_millis,
    retryBackoffMaxMs: keys.retry_backoff_max_seconds === undefined ? undefined : inMs(keys.retry_backoff_max_seconds),
    history: keys.history,
    quotas: [...buildQuotas(keys.quotas, keys.cost_alert_threshold), ...quotasOfSettings(keys)],
    redact: keys.redact,
    external: buildExternal(keys.external),
    learning: buildLearning(keys.learning),
    handoffsEnabled: keys.handoffs_enabled,
    parallelHandoffs: keys.parallel_handoffs,
    summarizer: keys.summarizer,
    classifier: keys.classifier,
    minConfidence: keys.min_confidence,
    ...buildAttachmentLimits(keys),
  };
}

function buildAttachmentLimits(keys: SettingsKeys): Pick<Settings, "attachments"> {
  const {
    max_attachment_mb: maxMb,
    max_run_attachments_mb: maxRunMb,
    max_attachment_chars: maxChars,
    attachment_hosts: hosts,
  } = keys;
  if (maxMb === undefined && maxRunMb === undefined && maxChars === undefined && hosts === undefined) return {};
  const usual = usualAttachmentLimits;
  const toBytes = (mb: number) => Math.floor(mb * 2 ** 20);
  return {
    attachments: {
      maxBytes: maxMb === undefined ? usual.maxBytes : toBytes(maxMb),
      maxRunBytes: maxRunMb === undefined ? usual.maxRunBytes : toBytes(maxRunMb),
      maxChars: maxChars ?? usual.maxChars,
      hosts: hosts ?? usual.hosts,
    },
  };
}

export function inMs(seconds: number): number {
  return Math.round(seconds * 1000);
}

function buildExternal(keys: SettingsKeys["external"]): Settings["external"] {
  return keys?.webhook === undefined ? undefined : { webhook: keys.webhook, secretEnv: keys.secret_env };
}

function buildLearning(keys: SettingsKeys["learning"]): Settings["learning"] {
  if (typeof keys === "object") return { isOn: true, hints: keys.hints, auto: keys.auto };
  return { isOn: keys ?? true, hints: false, auto: false };
}
