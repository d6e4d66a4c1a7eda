import { describe, expect, it } from "vitest";
import { fields, optional, required } from "./fields.ts";
import { parseYaml } from "./parse-yaml.ts";
import { createProblemLog } from "./problem-log.ts";
import { duration, flag, integer, number, seconds, text, word } from "./scalar-shapes.ts";
import { anything, choice, list, mapOf, type Shape, spelled } from "./shape.ts";
import { createSource } from "./source.ts";

/** What `shape` makes of a YAML value under the key `key`. */
function read<Value>(shape: Shape<Value>, yaml: string) {
  const log = createProblemLog();
  const source = createSource("f.yaml", yaml);
  const reporter = log.reporter(false);
  const node = parseYaml(source, { start: 0, end: yaml.length }, reporter);
  const value = node === undefined ? undefined : shape.read(node, "key", { source, reporter });
  return { value, problems: log.diagnostics((file) => file).map(({ code, message }) => `${code}: ${message}`) };
}

const valid: readonly (readonly [name: string, yaml: string, shape: Shape<unknown>, value: unknown])[] = [
  ["text", "hello", text, "hello"],
  ["text", '"7"', text, "7"],
  ["text", '""', text, ""],
  ["word", "writer", word, "writer"],
  ["word", "7", word, "7"],
  ["flag", "true", flag, true],
  ["flag", "off", flag, false],
  ["flag", "Yes", flag, true],
  ["integer", "-3", integer(), -3],
  ["integer from 0", "0", integer({ min: 0 }), 0],
  ["number", "0.25", number(), 0.25],
  ["number from 0 to 1", "1", number({ min: 0, max: 1 }), 1],
  ["seconds", "1.5", seconds, 1.5],
  ["seconds", "300", seconds, 300],
  ["duration", "500", duration, 500],
  ["duration", "500ms", duration, 500],
  ["duration", "30s", duration, 30_000],
  ["duration", "5m", duration, 300_000],
  ["duration", "1h", duration, 3_600_000],
  ["duration", "1.5s", duration, 1500],
  ["duration", '"250"', duration, 250],
  ["choice", "next", choice("stop", "next"), "next"],
  ["list", "[a, 7]", list(word), ["a", "7"]],
  ["list", "[]", list(word), []],
  ["map", "{a: 1, b: 2}", mapOf(integer()), new Map(Object.entries({ a: 1, b: 2 }))],
  ["anything", "{a: [1, x, null, true]}", anything, { a: [1, "x", null, true] }],
];

const invalid: readonly (readonly [name: string, yaml: string, shape: Shape<unknown>, problem: string])[] = [
  ["text", "7", text, "wrong-type: 'key' must be text, got the number 7; put it in quotes"],
  ["text", "true", text, "wrong-type: 'key' must be text, got the flag true; put it in quotes"],
  ["text", "[END]", text, "wrong-type: 'key' must be text, got a list; write \"[END]\""],
  ["text", "[a, b]", text, "wrong-type: 'key' must be text, got a list"],
  ["text", "{a: 1}", text, "wrong-type: 'key' must be text, got a map"],
  ["word", '" "', word, "wrong-type: 'key' must be a name, got text ''"],
  ["word", "true", word, "wrong-type: 'key' must be a name, got the flag true"],
  ["flag", "maybe", flag, "wrong-type: 'key' must be true or false, got text 'maybe'"],
  ["flag", "1", flag, "wrong-type: 'key' must be true or false, got the number 1"],
  ["integer", "1.5", integer(), "wrong-type: 'key' must be a whole number, got the number 1.5"],
  ["integer", '"3"', integer(), "wrong-type: 'key' must be a whole number, got text '3'"],
  ["integer", "1e300", integer(), "wrong-type: 'key' must be a whole number, got the number 1e+300"],
  [
    "integer from 1",
    "0",
    integer({ min: 1 }),
    "wrong-type: 'key' must be a whole number of at least 1, got the number 0",
  ],
  ["number", ".inf", number(), "wrong-type: 'key' must be a number, got the number Infinity"],
  ["number", ".nan", number(), "wrong-type: 'key' must be a number, got the number NaN"],
  [
    "number from 0 to 1",
    "1.1",
    number({ min: 0, max: 1 }),
    "wrong-type: 'key' must be a number from 0 to 1, got the number 1.1",
  ],
  ["seconds", "0", seconds, "wrong-type: 'key' must be a number of seconds above 0, got the number 0"],
  ["seconds", "-1", seconds, "wrong-type: 'key' must be a number of seconds above 0, got the number -1"],
  ["seconds", "30s", seconds, "wrong-type: 'key' must be a number of seconds above 0, got text '30s'; write 30"],
  ["list", "writer", list(word), "wrong-type: 'key' must be a list, got text 'writer'; write [writer]"],
  [
    "list",
    '"Paid. [DONE]"',
    list(word),
    `wrong-type: 'key' must be a list, got text 'Paid. [DONE]'; write ["Paid. [DONE]"]`,
  ],
  ["list", "{a: 1}", list(word), "wrong-type: 'key' must be a list, got a map; write [{ … }]"],
  ["map", "[a]", mapOf(word), "wrong-type: 'key' must be a map, got a list; give each item a name: { name: … }"],
  [
    "map of keys",
    "x",
    fields({ a: required(word, "a"), b: optional(word, "b") }),
    "wrong-type: 'key' must be a map, got text 'x'; write { a: x }",
  ],
  [
    "map of keys",
    "[x]",
    fields({ a: required(word, "a"), b: optional(word, "b") }),
    "wrong-type: 'key' must be a map, got a list; its keys are a, b",
  ],
  [
    "list or map",
    "x",
    spelled(list(word), fields({ a: optional(word, "a") })),
    "wrong-type: 'key' must be a list or a map, got text 'x'; write [x]",
  ],
];

describe("a value of the right shape", () => {
  it.each(valid)("%s reads %s", (_, yaml, shape, value) => {
    expect(read(shape, yaml)).toEqual({ value, problems: [] });
  });
});

describe("a value of the wrong shape", () => {
  it.each(invalid)("%s says what is wrong with %s", (_, yaml, shape, problem) => {
    expect(read(shape, yaml)).toEqual({ value: undefined, problems: [problem] });
  });

  it.each(["5 minutes", "5w", "-5s", "0", "0s", "s", "1e3s", "five", "true", "[5s]", "5 s", ".inf"])(
    "is a bad duration: %s",
    (yaml) => {
      const { value, problems } = read(duration, yaml);
      expect(value).toBeUndefined();
      expect(problems).toEqual([
        expect.stringMatching(/^bad-duration: 'key' must be a duration such as 500 \(milliseconds\), 30s or 5m, got /),
      ]);
    },
  );

  it("is shown in the message on one line and clipped", () => {
    expect(read(integer(), `"${"long ".repeat(20)}"`).problems).toEqual([
      "wrong-type: 'key' must be a whole number, got text 'long long long long long long long long…'",
    ]);
  });
});

describe("a choice", () => {
  const mode = choice("permissive", "strict");

  it("lists the options and suggests the nearest", () => {
    expect(read(mode, "strikt").problems).toEqual([
      "wrong-type: 'key' must be one of permissive, strict, got text 'strikt'; did you mean 'strict'?",
    ]);
  });

  it("suggests nothing where nothing is near", () => {
    expect(read(mode, "[strict]").problems).toEqual([
      "wrong-type: 'key' must be one of permissive, strict, got a list",
    ]);
  });
});

describe("a list or map with wrong elements", () => {
  it("reports each of them and keeps the others", () => {
    expect(read(list(integer()), "[1, x, 3, null]")).toEqual({
      value: [1, 3],
      problems: [
        "wrong-type: 'key' must be a whole number, got text 'x'",
        "wrong-type: 'key' must be a whole number, got nothing",
      ],
    });
    expect(read(mapOf(flag), "{a: true, b: 7}")).toEqual({
      value: new Map([["a", true]]),
      problems: ["wrong-type: 'b' must be true or false, got the number 7"],
    });
  });
});

describe("a value of two spellings", () => {
  const handoff = spelled(word, fields({ to: optional(word, "who goes on") }));

  it("is read in either", () => {
    expect(read(handoff, "b").value).toBe("b");
    expect(read(handoff, "{to: b}").value).toEqual({ to: "b" });
    expect(read(spelled(word, list(word)), "[b]").value).toEqual(["b"]);
  });

  it("is judged by the spelling that was meant", () => {
    expect(read(handoff, "true").problems).toEqual(["wrong-type: 'key' must be a name, got the flag true"]);
    expect(read(handoff, "{to: [b]}").problems).toEqual(["wrong-type: 'to' must be a name, got a list"]);
  });
});
