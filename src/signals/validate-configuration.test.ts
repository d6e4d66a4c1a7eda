import { describe, expect, it } from "vitest";
import { bindingShape } from "../definition/crew-shape.ts";
import { builtInSignals, createDefaultSignals } from "./default-signals.ts";
import type { SignalDefinition } from "./signal-definition.ts";
import { createSignalRegistry } from "./signal-registry.ts";
import { type GivenBinding, validateConfiguration } from "./validate-configuration.ts";
import type { SignalWorld } from "./validate-signals.ts";

function worldOf(strict: boolean, own: readonly SignalDefinition[] = []): SignalWorld {
  return {
    registry: createSignalRegistry([...builtInSignals, ...own]),
    agents: new Set(["a", "b", "c"]),
    groups: new Set(["round"]),
    strict,
  };
}

function messagesOf(rule: GivenBinding, world: SignalWorld): string[] {
  return validateConfiguration({ a: [rule] }, world).map(({ message }) => message);
}

const permissive = worldOf(false);
const strict = worldOf(true);

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
      { severity: "warning", code: "deprecated-signal", message: "signal '[X]' is deprecated: use [Y]", at: "signal" },
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

describe("bindings that are validated in code", () => {
  const world = {
    registry: createDefaultSignals(),
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

/** As a caller in JavaScript may call it. */
function validateAnything(bindings: unknown, world: unknown = permissive) {
  return validateConfiguration(
    bindings as Parameters<typeof validateConfiguration>[0],
    world as Parameters<typeof validateConfiguration>[1],
  );
}

describe("bindings that are none", () => {
  it.each<[unknown, string]>([
    [undefined, "the bindings must be a map by agent, got undefined"],
    [null, "the bindings must be a map by agent, got null"],
    ["[X]", 'the bindings must be a map by agent, got "[X]"'],
    [[{ signal: "[X]" }], "the bindings must be a map by agent, got a list"],
    [{ a: undefined }, "the bindings of agent 'a' must be a list, got undefined"],
    [{ a: null }, "the bindings of agent 'a' must be a list, got null"],
    [{ a: { signal: "[X]" } }, "the bindings of agent 'a' must be a list, got an object of Object"],
    [new Map([["a", "[X]"]]), `the bindings of agent 'a' must be a list, got "[X]"`],
    [{ a: ["[X]"] }, `binding 1 of agent 'a' must be { signal, target, … }, got "[X]"`],
    [{ a: [null] }, "binding 1 of agent 'a' must be { signal, target, … }, got null"],
    [{ a: [["X"]] }, "binding 1 of agent 'a' must be { signal, target, … }, got a list"],
    [{ a: [{}] }, "binding 1 of agent 'a' needs 'signal'"],
    [{ a: [{ target: "b" }] }, "binding 1 of agent 'a' needs 'signal'"],
    [{ a: [{ signal: 3 }] }, "'signal' of binding 1 of agent 'a' must be text, got 3"],
    [{ a: [{ signal: ["X"] }] }, "'signal' of binding 1 of agent 'a' must be text, got a list"],
    [{ a: [{ signal: "[X]", target: ["b"] }] }, "'target' of binding 1 of agent 'a' must be a name, got a list"],
    [{ a: [{ signal: "[X]", target: true }] }, "'target' of binding 1 of agent 'a' must be a name, got boolean"],
    [
      { a: [{ signal: "[X]", type: "jump", target: "b" }] },
      `'type' of binding 1 of agent 'a' must be one of route, terminate, pause, parallel, broadcast, status, sub_crew, external, got "jump"`,
    ],
    [
      { a: [{ signal: "[X]", type: "sub_crew" }] },
      "binding 1 of agent 'a' is of type sub_crew and needs 'target_crew' or 'target_crews'",
    ],
    [
      { a: [{ signal: "[X]", type: "broadcast", targets: "b" }] },
      `'targets' of binding 1 of agent 'a' must be a list of names, got "b"`,
    ],
    [
      { a: [{ signal: "[X]", taget: "b" }] },
      "binding 1 of agent 'a' has the unknown key 'taget'; did you mean 'target'?",
    ],
    [{ a: [{ signal: "[X]", type: "broadcast", targets: ["z"] }] }, "signal '[X]' targets unknown agent 'z'"],
    [JSON.parse('{"__proto__": []}'), "unknown agent '__proto__'"],
  ])("are errors in words: %j", (bindings, message) => {
    expect(validateAnything(bindings)).toEqual([expect.objectContaining({ severity: "error", message })]);
  });

  it("are warnings where loading only warns", () => {
    const twins = {
      a: [
        { signal: "[X]", target: "b" },
        { signal: "[x]", target: "b" },
      ],
    };
    expect(validateAnything(twins)).toMatchObject([{ severity: "warning", code: "ambiguous-signal" }]);
    const strange = { a: [{ signal: "[X]", target: "b", colour: "red" }] };
    expect(validateAnything(strange)).toMatchObject([{ severity: "warning", code: "unknown-key" }]);
    expect(validateAnything(strange, worldOf(true, [{ name: "[X]" }]))).toMatchObject([{ severity: "error" }]);
  });

  it("may have all keys that a binding has in a file, in both spellings", () => {
    for (const key of bindingShape.keys ?? [])
      expect(validateAnything({ a: [{ signal: "[X]", [key]: undefined }] }).map(({ code }) => code)).not.toContain(
        "unknown-key",
      );
  });

  it("may be a Map, and have null or a number where files may", () => {
    const given = [
      { signal: "[X]", target: null, type: null },
      { signal: "[Y]", target: 7 },
      { signal: "[Z]", target_crew: "team" },
    ];
    expect(validateAnything(new Map([["a", given]]), { ...permissive, agents: ["a", "7"] })).toEqual([]);
  });
});

describe("a world to validate in", () => {
  it.each<[unknown, string]>([
    [null, "validateConfiguration needs 'registry', a registry such as createDefaultSignals(); got undefined"],
    [
      { agents: [] },
      "validateConfiguration needs 'registry', a registry such as createDefaultSignals(); got undefined",
    ],
    [
      { ...permissive, agents: undefined },
      "validateConfiguration needs 'agents', a set or list of names; got undefined",
    ],
    [{ ...permissive, groups: "round" }, `validateConfiguration needs 'groups', a set or list of names; got "round"`],
    [{ ...permissive, strict: "yes" }, `validateConfiguration needs 'strict', true or false; got "yes"`],
  ])("is refused in words: %j", (world, message) => {
    expect(() => validateAnything({}, world)).toThrow(expect.objectContaining({ code: "bad-option", message }));
  });

  it("needs neither groups nor a mode", () => {
    const world = { registry: createDefaultSignals(), agents: ["a", "b"] };
    expect(validateAnything({ a: [{ signal: "[MINE]", target: "b" }] }, world)).toEqual([]);
  });
});
