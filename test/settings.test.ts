import { describe, expect, it } from "vitest";
import type { Agent, Binding, Crew, Settings } from "../src/vocabulary/crew.ts";
import type { Quota } from "../src/vocabulary/quota.ts";
import { loadWrittenCrew } from "./load-written-crew.ts";

/** A crew with a group, a sub-crew call and two agents, for all that settings reach; `settings` in YAML's flow form. */
function load(settings: string) {
  return loadWrittenCrew({
    "crew.yaml": `version: "2.0"
name: test
agents: [a, b]
sub_crews: {sub: {config_path: ./sub}}
routing:
  signals: {a: [{signal: "[CALL]", target_crew: sub}, {signal: "[ALL]", target: g}]}
  parallel_groups: {g: {agents: [b], next_agent: a}}
settings: ${settings}
`,
    "agents/a.md": "Say [CALL] or [ALL].",
    "agents/b.md": "Work.",
    "sub/crew.yaml": 'version: "2.0"\nname: sub\nagents: [x]\n',
    "sub/agents/x.md": "Work.",
  });
}

function settingsOf(settings: string): Settings {
  return load(settings).crew.settings;
}

const { crew: defaults } = load("{}");

describe("a setting of the crew", () => {
  it.each<[key: keyof Settings, byDefault: unknown, written: string, value: unknown]>([
    ["configMode", "permissive", "config_mode: strict", "strict"],
    ["maxHandoffs", 10, "max_handoffs: 0", 0],
    ["maxRunHandoffs", 1000, "max_run_handoffs: 0", 0],
    ["maxRounds", 100, "max_rounds: 7", 7],
    ["timeoutMs", 300_000, "timeout_seconds: 1.5", 1500],
    ["onNoSignal", "next", "on_no_signal: repair", "repair"],
    ["emit", "text", "emit: both", "both"],
    ["stripSignals", "output", "strip_signals: true", "all"],
    ["stripSignals", "output", "strip_signals: off", "none"],
    ["stripSignals", "output", "strip_signals: none", "none"],
    ["signalScope", "outside_code", "signal_scope: own_line", "own_line"],
    ["maxContextWindow", undefined, "max_context_window: 8000", 8000],
    ["contextTrimPercent", 20, "context_trim_percent: 35.5", 35.5],
    ["maxToolOutputChars", 12_000, "max_tool_output_chars: 500", 500],
    ["maxTotalToolOutputChars", undefined, "max_total_tool_output_chars: 900", 900],
    ["handoffContextChars", 2000, "handoff_context_chars: 0", 0],
    ["maxCrewDepth", 10, "max_crew_depth: 2", 2],
    ["history", undefined, "history: full", "full"],
    ["redact", true, "redact: off", false],
    ["external", undefined, "external: {webhook: 'https://x.y'}", { webhook: "https://x.y", secretEnv: undefined }],
    [
      "external",
      undefined,
      "external: {webhook: 'https://x.y', secret_env: HOOK_WEBHOOK_SECRET}",
      { webhook: "https://x.y", secretEnv: "HOOK_WEBHOOK_SECRET" },
    ],
    [
      "learning",
      { isOn: true, hints: false, auto: false },
      "learning: off",
      { isOn: false, hints: false, auto: false },
    ],
    [
      "learning",
      { isOn: true, hints: false, auto: false },
      "learning: {hints: true, auto: true}",
      { isOn: true, hints: true, auto: true },
    ],
    ["handoffsEnabled", true, "handoffs_enabled: false", false],
    ["parallelHandoffs", false, "parallel_handoffs: true", true],
    ["summarizer", undefined, "summarizer: b", "b"],
    ["classifier", undefined, "classifier: b", "b"],
    ["minConfidence", 0.4, "min_confidence: 0.7", 0.7],
    ["maxInputSizeKb", undefined, "max_input_size_kb: 64", 64],
    ["maxConsecutiveErrors", undefined, "max_consecutive_errors: 3", 3],
    ["retryBackoffMinMs", undefined, "retry_backoff_min_millis: 50", 50],
    ["retryBackoffMaxMs", undefined, "retry_backoff_max_seconds: 2.5", 2500],
  ])("%s is %j by default, and what the file says with %s", (key, byDefault, written, value) => {
    expect(defaults.settings[key]).toEqual(byDefault);
    expect(settingsOf(`{${written}}`)[key]).toEqual(value);
  });

  it("has every value that it may have", () => {
    for (const each of ["next", "stop", "pause", "repair"] as const)
      expect(settingsOf(`{on_no_signal: ${each}}`).onNoSignal).toBe(each);
    for (const each of ["anywhere", "outside_code", "own_line", "last_line"] as const)
      expect(settingsOf(`{signal_scope: ${each}}`).signalScope).toBe(each);
    for (const each of ["text", "tool", "both"] as const) expect(settingsOf(`{emit: ${each}}`).emit).toBe(each);
    for (const each of ["full", "summary", "none"] as const)
      expect(settingsOf(`{history: ${each}}`).history).toBe(each);
  });

  it.each([
    "{maxHandoffs: 4, timeoutSeconds: 9, onNoSignal: stop, maxCrewDepth: 3}",
    "{max_handoffs: 4, timeout_seconds: 9, on_no_signal: stop, max_crew_depth: 3}",
  ])("may be spelled either way: %s", (written) => {
    const { crew, diagnostics } = load(written);
    expect(diagnostics).toEqual([]);
    expect(crew.settings).toMatchObject({
      maxHandoffs: 4,
      timeoutMs: 9000,
      onNoSignal: "stop",
      maxCrewDepth: 3,
    });
  });

  it("may not be spelled both ways at once", () => {
    expect(load("{max_handoffs: 4, maxHandoffs: 5}").diagnostics).toMatchObject([{ code: "both-spellings" }]);
  });

  it("keeps its default where the file leaves it empty", () => {
    expect(settingsOf("{max_handoffs: , emit: null}")).toEqual(defaults.settings);
  });

  it("is stop on no signal for an agent file without a crew", () => {
    const { crew } = loadWrittenCrew({ "a.md": "Work." }, "a.md");
    expect(crew.settings.onNoSignal).toBe("stop");
  });

  it("may be made strict from outside", () => {
    const files = { "crew.yaml": 'version: "2.0"\nname: t\nagents: [a]\n', "agents/a.md": "Work." };
    expect(loadWrittenCrew(files, ".", { strict: true }).crew.settings.configMode).toBe("strict");
  });
});

describe("a setting that reaches agents, groups and calls", () => {
  const limits = (crew: Crew) => crew.agents.get("a")?.limits;
  const call = (crew: Crew): Binding["move"] | undefined => crew.bindings.get("a")?.[0]?.move;

  it.each<[key: string, read: (crew: Crew) => unknown, byDefault: unknown, written: string, value: unknown]>([
    ["the groups' timeout", (crew) => crew.groups.get("g")?.timeoutMs, 60_000, "parallel_timeout_seconds: 5", 5000],
    ["tool timeouts", (crew) => limits(crew)?.toolTimeoutMs, 300_000, "tool_timeout_seconds: 0.5", 500],
    ["tool timeouts", (crew) => limits(crew)?.toolTimeoutMs, 300_000, "tool_execution_timeout_seconds: 8", 8000],
    ["model timeouts", (crew) => limits(crew)?.llmTimeoutMs, 600_000, "llm_timeout_seconds: 20", 20_000],
    ["advisor timeouts", (crew) => limits(crew)?.advisorTimeoutMs, 600_000, "llm_timeout_seconds: 20", 20_000],
    ["transfers at once", (crew) => crew.agents.get("a")?.parallelHandoffs, false, "parallel_handoffs: true", true],
  ])("%s: by default and with what the file says", (_, read, byDefault, written, value) => {
    expect(read(defaults)).toBe(byDefault);
    expect(read(load(`{${written}}`).crew)).toBe(value);
  });

  it("gives sub-crew calls their timeout and history", () => {
    expect(call(defaults)).toMatchObject({ timeoutMs: 120_000, history: "summary" });
    const { crew } = load("{sub_crew_timeout_seconds: 7, history: none}");
    expect(call(crew)).toMatchObject({ timeoutMs: 7000, history: "none" });
  });

  it("gives way to what an agent says itself", () => {
    const agents = { "agents/a.md": "---\nllm_timeout: 3s\ntool_timeout: 100\nparallel_handoffs: false\n---\nWork." };
    const crew =
      'version: "2.0"\nname: t\nagents: [a]\nsettings: {llm_timeout_seconds: 9, tool_timeout_seconds: 9, parallel_handoffs: on}';
    const loaded: Agent | undefined = loadWrittenCrew({ "crew.yaml": crew, ...agents }).crew.agents.get("a");
    expect(loaded).toMatchObject({ limits: { llmTimeoutMs: 3000, toolTimeoutMs: 100 }, parallelHandoffs: false });
  });
});

describe("the quotas of the crew", () => {
  const none: Partial<Quota> = { per: "run", alertThreshold: 0.8, onExceed: "stop" };

  it("are none by default", () => expect(defaults.settings.quotas).toEqual([]));

  it.each<[written: string, quota: Partial<Quota>]>([
    ["quotas: {max_cost_usd: 1.5}", { ...none, maxCostUsd: 1.5 }],
    ["quotas: {max_tokens: 0}", { ...none, maxTokens: 0 }],
    ["quotas: {max_llm_calls: 3}", { ...none, maxLlmCalls: 3 }],
    ["quotas: {max_tool_calls: 4}", { ...none, maxToolCalls: 4 }],
    ["quotas: {max_calls_per_minute: 5}", { ...none, maxCallsPerMinute: 5 }],
    ["quotas: {max_tokens: 9, alert_threshold: 0.5}", { ...none, maxTokens: 9, alertThreshold: 0.5 }],
    ["quotas: {maxTokens: 9, onExceed: degrade}", { ...none, maxTokens: 9, onExceed: "degrade" }],
    ["quotas: {max_tokens: 9, on_exceed: pause, per: day}", { maxTokens: 9, onExceed: "pause", per: "day" }],
    ["max_tokens_per_call: 100", { ...none, maxTokensPerCall: 100 }],
    ["max_tokens_per_day: 100", { ...none, per: "day", maxTokens: 100 }],
    ["max_cost_per_day: 2.5", { ...none, per: "day", maxCostUsd: 2.5 }],
    ["max_calls_per_minute: 6", { ...none, maxCallsPerMinute: 6 }],
    ["max_calls_per_hour: 60", { ...none, maxCallsPerHour: 60 }],
    ["max_calls_per_day: 600", { ...none, per: "day", maxLlmCalls: 600 }],
    ["max_cost_per_day: 2, cost_alert_threshold: 0.6", { per: "day", maxCostUsd: 2, alertThreshold: 0.6 }],
    ["max_cost_per_day: 2, block_on_quota_exceed: false", { per: "day", maxCostUsd: 2, onExceed: "warn" }],
  ])("are set by %s", (written, quota) => {
    const { quotas } = settingsOf(`{${written}}`);
    expect(quotas).toHaveLength(1);
    expect(quotas[0]).toMatchObject(quota);
  });

  it("may be several, each with its own caps", () => {
    const { quotas } = settingsOf("{quotas: [{max_tokens: 1}, {max_tokens: 2, per: day}], max_calls_per_hour: 3}");
    expect(quotas).toMatchObject([{ maxTokens: 1 }, { maxTokens: 2, per: "day" }, { maxCallsPerHour: 3 }]);
  });
});

describe("a setting of go-agentic without a meaning here", () => {
  it.each(["language: vi", "max_memory_mb: 512", "streamBufferSize: 100", "collect_metrics: true"])(
    "is taken with a warning: %s",
    (written) => {
      const { crew, diagnostics } = load(`{${written}}`);
      const found = diagnostics.filter(({ line }) => line === 8);
      expect(found).toMatchObject([{ code: "no-effect", severity: "warning" }]);
      expect(crew.settings).toEqual(defaults.settings);
    },
  );
});
