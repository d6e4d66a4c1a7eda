import { describe, expect, it } from "vitest";
import { createDefaultSignals } from "./default-signals.ts";
import type { SignalDefinition } from "./signal-definition.ts";
import { createSignalRegistry } from "./signal-registry.ts";
import { chooseBindingType, validateEmission } from "./validate-signals.ts";

describe("an emission", () => {
  it("is valid where the signal is registered and open to all", () => {
    expect(validateEmission(createDefaultSignals(), "[END]", "a")).toEqual([]);
  });

  it.each(["END", "[]", "[END", "END]"])("of %s is malformed", (signal) => {
    expect(validateEmission(createDefaultSignals(), signal, "a")).toEqual([
      {
        code: "bad-signal-format",
        message: `signal '${signal}' has invalid format - must match [NAME]`,
        at: "signal",
      },
    ]);
  });

  it("of a signal that nobody registered is unknown, and case tells signals apart", () => {
    for (const signal of ["[NOBODY]", "[end]"]) {
      expect(validateEmission(createDefaultSignals(), signal, "a")).toEqual([
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
