import { describe, expect, it } from "vitest";
import { builtInSignals, defaultSignals } from "./default-signals.ts";
import type { SignalDefinition } from "./signal-definition.ts";
import { createSignalRegistry } from "./signal-registry.ts";
import {
  chooseBindingType,
  type SignalWorld,
  validateConfiguration,
  validateEmission,
  type WrittenBinding,
} from "./validate-signals.ts";

function worldOf(strict: boolean, own: readonly SignalDefinition[] = []): SignalWorld {
  return {
    registry: createSignalRegistry([...builtInSignals, ...own]),
    agents: new Set(["a", "b", "c"]),
    groups: new Set(["round"]),
    strict,
  };
}

function messagesOf(rule: WrittenBinding, world: SignalWorld): string[] {
  return validateConfiguration({ a: [rule] }, world).map(({ message }) => message);
}

const permissive = worldOf(false);
const strict = worldOf(true);

describe("an emission", () => {
  it("is valid where the signal is registered and open to all", () => {
    expect(validateEmission(defaultSignals(), "[END]", "a")).toEqual([]);
  });

  it.each(["END", "[]", "[END", "END]"])("of %s is malformed", (signal) => {
    expect(validateEmission(defaultSignals(), signal, "a")).toEqual([
      {
        code: "bad-signal-format",
        message: `signal '${signal}' has invalid format - must match [NAME]`,
        at: "signal",
      },
    ]);
  });

  it("of a signal that nobody registered is unknown, and case tells signals apart", () => {
    for (const signal of ["[NOBODY]", "[end]"]) {
      expect(validateEmission(defaultSignals(), signal, "a")).toEqual([
        { code: "unregistered-signal", message: `signal '${signal}' is not registered (unknown signal)`, at: "signal" },
      ]);
    }
  });

  it("is refused to agents that are not allowed it", () => {
    const registry = createSignalRegistry([{ name: "[X]", behavior: "route", allowedAgents: ["b"] }]);
    expect(validateEmission(registry, "[X]", "b")).toEqual([]);
    expect(validateEmission(registry, "[X]", "a")).toEqual([
      { code: "disallowed-emitter", message: "agent 'a' is not allowed to emit signal '[X]'", at: "signal" },
    ]);
  });
});

describe("a configuration", () => {
  it("is valid where every rule is kept", () => {
    const bindings = {
      a: [
        { signal: "[QUESTION]", target: "b" },
        { signal: "[NEXT]" },
        { signal: "[END]" },
        { signal: "[WAIT]" },
        { signal: "[OK]" },
      ],
      b: [{ signal: "[ANSWER]", target: "round" }],
    };
    expect(validateConfiguration(bindings, permissive)).toEqual([]);
    expect(validateConfiguration(bindings, strict)).toEqual([]);
  });

  it("has all its problems told, agent by agent and in the order of the bindings", () => {
    const bindings = {
      a: [{ signal: "BAD", target: "b" }, { signal: "[QUESTION]" }],
      b: [{ signal: "[ANSWER]", target: "nobody" }],
    };
    expect(validateConfiguration(bindings, permissive).map(({ code }) => code)).toEqual([
      "bad-signal-format",
      "bad-target",
      "unknown-target",
    ]);
  });

  it.each([
    [{ signal: "[QUESTION]", target: "t" }, "signal '[QUESTION]' targets unknown agent 't'"],
    [{ signal: "[QUESTION]" }, "routing signal '[QUESTION]' must have a target agent"],
    [{ signal: "[X]", type: "route" }, "routing signal '[X]' must have a target agent"],
    [{ signal: "X", target: "b" }, "signal 'X' has invalid format - must match [NAME]"],
    [{ signal: "[X]", target: "b", type: "parallel" }, "signal '[X]' targets unknown group 'b'"],
  ] as const)("with %j gives its error in permissive mode: %s", (rule, message) => {
    expect(messagesOf(rule, permissive)).toEqual([message]);
  });

  it("may use a signal that nobody registered in permissive mode only", () => {
    const rule = { signal: "[MINE]", target: "b" };
    expect(messagesOf(rule, permissive)).toEqual([]);
    expect(messagesOf(rule, strict)).toEqual(["signal '[MINE]' is not registered (unknown signal)"]);
  });

  it("may give a termination signal a target in permissive mode only", () => {
    const rule = { signal: "[END]", target: "b" };
    expect(messagesOf(rule, permissive)).toEqual([]);
    expect(messagesOf(rule, strict)).toEqual(["termination signal '[END]' must have empty target, got 'b'"]);
  });

  it("may give a status signal a target in both modes", () => {
    expect(messagesOf({ signal: "[OK]", target: "b" }, permissive)).toEqual([]);
    expect(messagesOf({ signal: "[OK]", target: "b" }, strict)).toEqual([]);
  });

  it("may target only what a definition finds valid", () => {
    const world = worldOf(false, [{ name: "[X]", behavior: "route", validTargets: ["a", "b"] }]);
    expect(messagesOf({ signal: "[X]", target: "b" }, world)).toEqual([]);
    expect(messagesOf({ signal: "[X]", target: "c" }, world)).toEqual(["signal '[X]' cannot target 'c' (valid: a, b)"]);
  });

  it("is told who may not emit what it binds", () => {
    const world = worldOf(false, [{ name: "[X]", behavior: "route", allowedAgents: ["b"] }]);
    expect(messagesOf({ signal: "[X]", target: "b" }, world)).toEqual([
      "agent 'a' is not allowed to emit signal '[X]'",
    ]);
  });

  it("is told what replaces a deprecated signal", () => {
    const world = worldOf(true, [{ name: "[X]", behavior: "route", deprecated: "use [Y]" }]);
    expect(validateConfiguration({ a: [{ signal: "[X]", target: "b" }] }, world)).toEqual([
      { code: "deprecated-signal", message: "signal '[X]' is deprecated: use [Y]", at: "signal" },
    ]);
  });

  it("need not give a target where the definition has a default one", () => {
    const world = worldOf(true, [{ name: "[X]", behavior: "route", defaultTarget: "b" }]);
    expect(messagesOf({ signal: "[X]" }, world)).toEqual([]);
  });

  it("need not give a target to a signal that calls a sub-crew", () => {
    expect(messagesOf({ signal: "[QUESTION]", callsCrew: true }, strict)).toEqual([]);
  });
});

describe("what a binding does", () => {
  const groups = new Set(["round"]);
  const route: SignalDefinition = { name: "[X]", behavior: "route" };

  it.each([
    ["its type", { type: "external", target: "b" }, route, "external"],
    ["its type, above what it calls", { type: "pause", callsCrew: true }, route, "pause"],
    ["sub_crew where it calls one", { callsCrew: true, target: "b" }, route, "sub_crew"],
    ["parallel where its target is a group", { target: "round" }, route, "parallel"],
    ["route where it has a target", { target: "b" }, undefined, "route"],
    ["route with a target, whatever is registered", { target: "b" }, { name: "[X]", behavior: "terminate" }, "route"],
    ["route with a target, for a status too", { target: "b" }, { name: "[X]", behavior: "status" }, "route"],
    ["the registered pause without a target", {}, { name: "[X]", behavior: "pause" }, "pause"],
    ["the registered status without a target", {}, { name: "[X]", behavior: "status" }, "status"],
    ["the registered broadcast without a target", {}, { name: "[X]", behavior: "broadcast" }, "broadcast"],
    ["terminate where nothing else says", {}, undefined, "terminate"],
    ["route to the registered default target", {}, { ...route, defaultTarget: "b" }, "route"],
    ["parallel to a default target that is a group", {}, { ...route, defaultTarget: "round" }, "parallel"],
  ] as const)("is %s", (_, rule, definition, type) => {
    expect(chooseBindingType({ signal: "[X]", ...rule }, definition, groups)).toBe(type);
  });
});

describe("bindings that are validated in code", () => {
  const world = {
    registry: defaultSignals(),
    agents: new Set(["a", "b"]),
    groups: new Set<string>(),
    strict: true,
  };
  const messages = (bindings: Parameters<typeof validateConfiguration>[0]) =>
    validateConfiguration(bindings, world).map(({ message }) => message);

  it("take an empty target for none, as files do", () => {
    expect(messages({ a: [{ signal: "[END]", target: "" }] })).toEqual([]);
  });

  it("are refused where a file would be: unknown emitters, signals bound twice, pauses that lead somewhere", () => {
    expect(
      messages({
        c: [],
        a: [{ signal: "[END]" }, { signal: "[END]" }],
        b: [{ signal: "[WAIT]", target: "a" }],
      }),
    ).toEqual([
      "unknown agent 'c'",
      "agent 'a' binds signal '[END]' twice",
      "pause signal '[WAIT]' must have empty target, got 'a'",
    ]);
  });
});
