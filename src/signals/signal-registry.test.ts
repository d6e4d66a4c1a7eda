import { describe, expect, it } from "vitest";
import { BatonError } from "../vocabulary/errors.ts";
import { createDefaultSignals } from "./default-signals.ts";
import type { SignalDefinition } from "./signal-definition.ts";
import { createSignalRegistry } from "./signal-registry.ts";

describe("the built-in signals", () => {
  it.each([
    ["[STOP]", "terminate", 110],
    ["[END]", "terminate", 100],
    ["[END_EXAM]", "terminate", 100],
    ["[DONE]", "terminate", 100],
    ["[NEXT]", "route", 50],
    ["[QUESTION]", "route", 50],
    ["[ANSWER]", "route", 50],
    ["[ERROR]", "status", 90],
    ["[RETRY]", "status", 70],
    ["[OK]", "status", 30],
    ["[WAIT]", "pause", 80],
  ])("include %s, which is %s with priority %i", (name, behavior, priority) => {
    expect(createDefaultSignals().get(name)).toMatchObject({ name, behavior, priority });
  });

  it("are eleven, each with a description", () => {
    const signals = createDefaultSignals().list();
    expect(signals).toHaveLength(11);
    expect(signals.every(({ description = "" }) => description !== "")).toBe(true);
  });

  it("come in a fresh registry each time", () => {
    createDefaultSignals().register({ name: "[MINE]", behavior: "route" });
    expect(createDefaultSignals().has("[MINE]")).toBe(false);
  });
});

describe("a registry", () => {
  it("gives back what was registered", () => {
    const registry = createSignalRegistry();
    const definition = { name: "[ESCALATE]", behavior: "route", priority: 70 } as const;
    registry.register(definition);
    expect(registry.get("[ESCALATE]")).toEqual(definition);
    expect(registry.has("[ESCALATE]")).toBe(true);
  });

  it("knows nothing of what was not registered", () => {
    expect(createSignalRegistry().get("[END]")).toBeUndefined();
    expect(createSignalRegistry().has("constructor")).toBe(false);
  });

  it("lists signals in the order in which they were registered", () => {
    const registry = createSignalRegistry([
      { name: "[B]", behavior: "route" },
      { name: "[A]", behavior: "pause" },
    ]);
    registry.register({ name: "[C]", behavior: "status" });
    expect(registry.list().map(({ name }) => name)).toEqual(["[B]", "[A]", "[C]"]);
  });

  it("holds names that differ in case side by side", () => {
    const registry = createSignalRegistry([{ name: "[END]", behavior: "terminate" }]);
    registry.register({ name: "[end]", behavior: "route" });
    expect(registry.get("[END]")?.behavior).toBe("terminate");
    expect(registry.get("[end]")?.behavior).toBe("route");
  });

  it("hands out lists that do not change it", () => {
    const registry = createDefaultSignals();
    expect(registry.list()).not.toBe(registry.list());
  });

  it("refuses a name that is taken, in the protocol's words", () => {
    const register = () => createDefaultSignals().register({ name: "[END]", behavior: "route" });
    expect(register).toThrow(BatonError);
    expect(register).toThrow(
      expect.objectContaining({ code: "duplicate-signal", message: "signal '[END]' already registered" }),
    );
  });

  it.each(["END", "[]", "[END", "END]", "[A!]"])("refuses the malformed name %s", (name) => {
    expect(() => createSignalRegistry([{ name, behavior: "route" }])).toThrow(
      expect.objectContaining({
        code: "bad-signal-format",
        message: `signal '${name}' has invalid format - must match [NAME]`,
      }),
    );
  });
});

describe("a definition that contradicts itself", () => {
  it.each<[SignalDefinition, string]>([
    [
      { name: "[OVER]", behavior: "terminate", defaultTarget: "a" },
      "termination signal '[OVER]' must have empty target, got 'a'",
    ],
    [
      { name: "[HOLD]", behavior: "pause", defaultTarget: "a" },
      "pause signal '[HOLD]' must have empty target, got 'a'",
    ],
    [
      { name: "[ALL]", behavior: "broadcast", defaultTarget: "a" },
      "signal '[ALL]' is of type broadcast, which has no target",
    ],
    [
      { name: "[GO]", behavior: "route", defaultTarget: "c", validTargets: ["a", "b"] },
      "signal '[GO]' cannot target 'c' (valid: a, b)",
    ],
    [
      { name: "[GO]", behavior: "route", validTargets: [] },
      "signal '[GO]' has an empty list of valid targets, so nothing could be its target",
    ],
    [
      { name: "[GO]", behavior: "route", allowedAgents: [] },
      "signal '[GO]' has an empty list of allowed agents, so no agent could emit it",
    ],
    [
      { name: "[OVER]", behavior: "terminate", validTargets: ["a"] },
      "signal '[OVER]' is of type terminate, which has no target",
    ],
    [
      { name: "[HOLD]", behavior: "pause", validTargets: ["a"] },
      "signal '[HOLD]' is of type pause, which has no target",
    ],
    [
      { name: "[GO]", behavior: "jump" as "route" },
      `signal '[GO]': 'behavior' must be one of route, terminate, pause, parallel, broadcast, status, got "jump"`,
    ],
    [{ name: "[GO]", priority: Number.NaN }, "signal '[GO]': 'priority' must be a number, got NaN"],
    [{ name: "[GO]", priority: "high" as unknown as number }, `signal '[GO]': 'priority' must be a number, got "high"`],
    ...(["description", "defaultTarget", "example", "deprecated"] as const).map((field): [SignalDefinition, string] => [
      { name: "[GO]", [field]: 7 },
      `signal '[GO]': '${field}' must be text, got 7`,
    ]),
    [
      { name: "[GO]", allowedAgents: "a" as unknown as string[] },
      `signal '[GO]': 'allowedAgents' must be a list of names, got "a"`,
    ],
  ])("is refused: %j", (definition, message) => {
    expect(() => createSignalRegistry().register(definition)).toThrow(expect.objectContaining({ message }));
    expect(() => createSignalRegistry([definition])).toThrow(BatonError);
  });

  it("is not one whose default target is empty", () => {
    const registry = createSignalRegistry([{ name: "[OVER]", behavior: "terminate", defaultTarget: "" }]);
    expect(registry.get("[OVER]")).toEqual({ name: "[OVER]", behavior: "terminate" });
  });
});

describe("a registry's report", () => {
  it("has a heading, the total, and a block per behaviour with its number of signals", () => {
    const lines = createDefaultSignals().report().split("\n");
    expect(lines.slice(0, 2)).toEqual(["=== SIGNAL REGISTRY REPORT ===", "Total Signals Registered: 11"]);
    expect(lines.filter((line) => line.startsWith("---"))).toEqual([
      "--- route Signals (3) ---",
      "--- terminate Signals (4) ---",
      "--- pause Signals (1) ---",
      "--- status Signals (3) ---",
    ]);
  });

  it("says who may emit a signal and what replaces it", () => {
    const registry = createSignalRegistry([
      {
        name: "[HELP]",
        behavior: "route",
        description: "Asks for help",
        allowedAgents: ["alice", "bob"],
        deprecated: "use [ESCALATE]",
      },
    ]);
    const report = registry.report();
    expect(report).toContain("[HELP]  Asks for help");
    expect(report).toContain("only from: alice, bob");
    expect(report).toContain("deprecated: use [ESCALATE]");
    expect(report).toContain("never bound");
  });

  it("of an empty registry has no blocks", () => {
    expect(createSignalRegistry().report().trim()).toBe("=== SIGNAL REGISTRY REPORT ===\nTotal Signals Registered: 0");
  });
});
