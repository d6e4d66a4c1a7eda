import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../src/vocabulary/diagnostic.ts";
import { loadWrittenCrew } from "./load-written-crew.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

/** A crew in the form that go-agentic's examples have, with more keys for its settings and its one agent. */
function goFiles(crew = "", agent = ""): Record<string, string> {
  return {
    "config/crew.yaml": `version: "1.0"
description: A desk
entry_point: clerk
agents: [clerk]
tasks:
  - { name: greet, agent: clerk }
${crew}`,
    "config/agents/clerk.yaml": `id: clerk
name: Clerk
role: greets
backstory: You greet.
${agent}`,
  };
}

function load(crew = "", agent = "") {
  return loadWrittenCrew(goFiles(crew, agent), "config");
}

function errorsOf(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

function messagesOf(diagnostics: readonly Diagnostic[], code: string): string[] {
  return diagnostics.filter((each) => each.code === code).map(({ message }) => message);
}

describe("a crew of go-agentic", () => {
  it("is in strict mode without the limits that strict mode asks for here, and with unknown keys", () => {
    const { crew, diagnostics } = load("settings: { config_mode: strict, sse_keep_alive_seconds: 30, colour_ms: 3 }\n");
    expect(errorsOf(diagnostics)).toEqual([]);
    expect(messagesOf(diagnostics, "read-as")[0]).toContain("'config_mode: strict' is read as go-agentic reads it");
    expect(crew.settings.configMode).toBe("permissive");
    expect(crew.settings.maxHandoffs).toBe(10);
  });

  it("stays strict in a file that only Baton reads, and where the caller says so", () => {
    const files = goFiles("settings: { config_mode: strict }\n");
    const own = { ...files, "config/crew.yaml": files["config/crew.yaml"]?.replace(/tasks:\n.*\n/, "") ?? "" };
    expect(errorsOf(loadWrittenCrew(own, "config").diagnostics)).toContain(
      "strict mode needs 'settings.max_handoffs' to be given",
    );
    const { diagnostics } = loadWrittenCrew(files, "config", { strict: true });
    expect(errorsOf(diagnostics)).toContain("strict mode needs 'settings.max_handoffs' to be given");
  });

  it("tells all keys that nobody ever read in one line", () => {
    const { diagnostics } = load("settings: { language: en, stream_buffer_size: 4 }\n");
    const [line, ...others] = messagesOf(diagnostics, "no-effect");
    expect(line).toContain("'tasks' (not in go-agentic either); 'language', 'stream_buffer_size'");
    expect(others).toEqual([]);
  });

  it("still says where a key is nearly one that has a meaning", () => {
    const { diagnostics } = load("settings: { max_handofs: 4 }\n");
    expect(messagesOf(diagnostics, "unknown-key")).toEqual(["unknown key 'max_handofs'; did you mean 'max_handoffs'?"]);
  });

  it("without a version is one of version 1.0", () => {
    const files = goFiles();
    const text = files["config/crew.yaml"]?.replace('version: "1.0"\n', "") ?? "";
    const { crew, diagnostics } = loadWrittenCrew({ ...files, "config/crew.yaml": text }, "config");
    expect(messagesOf(diagnostics, "read-as")).toEqual([`'version' is missing: the file is read as version "1.0"`]);
    expect(crew.settings.stripSignals).toBe("none");
  });

  it("is one of version 1.0 whatever its version says after the first number", () => {
    const files = goFiles();
    const text = files["config/crew.yaml"]?.replace('"1.0"', "1.2.3") ?? "";
    const { diagnostics } = loadWrittenCrew({ ...files, "config/crew.yaml": text }, "config");
    expect(messagesOf(diagnostics, "read-as")).toEqual([`'version' is 1.2.3: the file is read as version "1.0"`]);
  });

  it("has no default where one is null, and no limit where one is 0", () => {
    const routing = "routing: { defaults: { clerk: null } }\nsettings: { max_rounds: 0, max_calls_per_day: 0 }\n";
    const { crew, diagnostics } = load(routing);
    expect(errorsOf(diagnostics)).toEqual([]);
    expect(crew.defaults.has("clerk")).toBe(false);
    expect(crew.settings.maxRounds).toBe(100);
    expect(crew.settings.quotas).toEqual([]);
  });

  it("knows quotas that block by their older name", () => {
    const quotas = (mode: boolean) =>
      load(`settings: { max_calls_per_day: 5, enforce_quotas: ${mode} }\n`).crew.settings.quotas;
    expect(quotas(true)).toMatchObject([{ maxLlmCalls: 5, onExceed: "stop" }]);
    expect(quotas(false)).toMatchObject([{ maxLlmCalls: 5, onExceed: "warn" }]);
  });

  it("ends at a signal without a target, whatever the signal is called, and says so", () => {
    const { crew, diagnostics } = load(
      `routing: { signals: { clerk: [{ signal: "[ANSWER]", target: "", parallel_targets: [clerk] }] } }\n`,
    );
    expect(errorsOf(diagnostics)).toEqual([]);
    expect(messagesOf(diagnostics, "read-as")).toEqual([
      "signal '[ANSWER]' has no target: it ends the run, as in go-agentic",
    ]);
    expect(crew.bindings.get("clerk")).toMatchObject([{ signal: "[ANSWER]", move: { type: "terminate" } }]);
  });

  it("may route with a signal that ends runs elsewhere", () => {
    const { diagnostics } = load(
      `routing: { signals: { clerk: [{ signal: "[END]", target: clerk }] } }\nsettings: { config_mode: strict }\n`,
    );
    expect(errorsOf(diagnostics)).toEqual([]);
  });

  it("may be in a file of any name", () => {
    const { "config/crew.yaml": crew = "", ...agents } = goFiles();
    const files = { "config/desk-strict.yaml": crew, ...agents };
    expect(loadWrittenCrew(files, "config/desk-strict.yaml").crew.listed).toEqual(["clerk"]);
    const { exitCode, stdout } = runBaton(["check", "config"], { cwd: writeCrew(files) });
    expect(exitCode).toBe(3);
    expect(stdout).toContain("desk-strict.yaml is a crew's file; give its path to run it");
  });
});

describe("an agent of go-agentic", () => {
  it("has a model of OpenAI where it names no provider", () => {
    expect(load("", "model: gpt-4o\n").crew.agents.get("clerk")?.models).toEqual([
      { provider: "openai", model: "gpt-4o" },
    ]);
  });

  it("does not read the older form of a model beside the newer one", () => {
    const { crew, diagnostics } = load("", "model: gpt-4o\nprimary: { model: gemma3, provider: ollama }\n");
    expect(crew.agents.get("clerk")?.models).toEqual([{ provider: "ollama", model: "gemma3" }]);
    expect(messagesOf(diagnostics, "no-effect")[0]).toContain("'model' ('primary' is given)");
  });

  it("knows costs that block by their older names, in their section and beside the other keys", () => {
    const nested = "cost_limits: { max_tokens_per_call: 9, enforce: true }\n";
    const flat = "max_tokens_per_call: 9\nmax_cost_per_day: 2\nenforce_cost_limits: true\n";
    expect(load("", nested).crew.agents.get("clerk")?.quotas).toMatchObject([
      { maxTokensPerCall: 9, onExceed: "stop" },
    ]);
    expect(load("", flat).crew.agents.get("clerk")?.quotas).toMatchObject([
      { per: "day", maxCostUsd: 2, onExceed: "stop" },
      { maxTokensPerCall: 9, onExceed: "stop" },
    ]);
    expect(errorsOf(load("", `${nested}${flat}`).diagnostics)).toEqual([]);
  });

  it("is known by its own keys in a crew of version 2.0", () => {
    const files = goFiles("", "cost_limits: { max_tokens_per_call: 9, enforce: true }\nlogging: { log_level: info }\n");
    const text = `version: "2.0"\nname: desk\nentry_point: clerk\nagents: [clerk]\n`;
    const { crew, diagnostics } = loadWrittenCrew({ ...files, "config/crew.yaml": text }, "config");
    expect(messagesOf(diagnostics, "unknown-key")).toEqual([]);
    expect(crew.agents.get("clerk")?.quotas).toMatchObject([{ onExceed: "stop" }]);
  });

  it("may leave texts empty that it does not need", () => {
    const { diagnostics } = load("", `model: ""\nprovider_url: ""\nprimary: { model: gemma3, provider: ollama }\n`);
    expect(errorsOf(diagnostics)).toEqual([]);
  });
});

describe("tools that are written in Go", () => {
  const files = {
    ...goFiles("", "tools: [LookUp, WriteDown]\n"),
    "replies.yaml": `clerk: [{ tools: [{ name: LookUp, args: { q: 1 } }] }, "Done."]\n`,
  };

  it("are one error that names them all and what to do", () => {
    const errors = errorsOf(loadWrittenCrew(files, "config").diagnostics);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain("'LookUp', 'WriteDown'");
    expect(errors[0]).toContain(
      "declare each under 'tools' in crew.yaml, or try the crew without them by --stub-tools",
    );
  });

  it("are answered by stubs that say that they are stubs, where that is asked for", () => {
    const cwd = writeCrew(files);
    const asked = ["run", "config", "Hello", "--script", "replies.yaml"];
    expect(runBaton(asked, { cwd }).exitCode).toBe(3);
    const { exitCode, stdout, stderr } = runBaton([...asked, "--stub-tools", "--events"], { cwd });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("This is a stub: the tool 'LookUp' is not there");
    expect(stderr).toContain("stubs answer for tools that are declared nowhere: 'LookUp', 'WriteDown'");
  });

  it("are answered by stubs after a pause too", () => {
    const waiting = "routing: { agent_behaviors: { clerk: { wait_for_signal: true } } }\n";
    const crew = { ...goFiles(waiting, "tools: [LookUp]\n"), "replies.yaml": 'clerk: ["Which one?", "Done."]\n' };
    const cwd = writeCrew({ ...crew, "package.json": "{}" });
    const asked = ["run", "config", "Hello", "--script", "replies.yaml", "--stub-tools"];
    expect(runBaton(asked, { cwd, home: "" }).exitCode).toBe(4);
    const { exitCode, stderr } = runBaton(["resume", "last", "the first"], { cwd, home: "" });
    expect(stderr).not.toContain("unknown-tool");
    expect(exitCode).toBe(4);
  });

  it("do not keep a crew from being drawn or checked", () => {
    const cwd = writeCrew(files);
    expect(runBaton(["graph", "config"], { cwd }).stdout).toContain("clerk");
    expect(runBaton(["check", "config", "--stub-tools"], { cwd }).exitCode).toBe(0);
  });
});
