import { describe, expect, it } from "vitest";
import { findSchemaProblem } from "./find-schema-problem.ts";

const text = (pattern: string) => ({ type: "object", properties: { x: { type: "string", pattern } } });

describe("what does not fit a schema", () => {
  it("is told with the pattern that is not met", () => {
    expect(findSchemaProblem({ x: "abc" }, text("^a"))).toBeUndefined();
    expect(findSchemaProblem({ x: "bc" }, text("^a"))).toBe("does not fit the schema: 'x' must match ^a");
  });

  it.each([
    [{ to: 3 }, `'to' must be "string", not "number"`],
    [{ too: "x" }, "it lacks 'to'; 'too' is not known"],
    [{ to: "x", days: ["mon", 3] }, `'days.1' must be one of "mon","tue"`],
    [{ to: "" }, "'to': String is too short (0 < 1)."],
  ])("is told in plain words, at its place: %j", (value, problem) => {
    const schema = {
      type: "object",
      properties: { to: { type: "string", minLength: 1 }, days: { items: { enum: ["mon", "tue"] } } },
      required: ["to"],
      additionalProperties: false,
    };
    expect(findSchemaProblem(value, schema)).toBe(`does not fit the schema: ${problem}`);
  });

  it("is found in linear time", () => {
    expect(findSchemaProblem({ x: `${"a".repeat(5000)}!` }, text("^(a+)+$"))).toContain("must match");
  });

  it.each([
    ["a property of any name", { properties: { default: { pattern: "^(a+)+$" } } }, (x: string) => ({ default: x })],
    ["items", { items: { anyOf: [{ pattern: "^(a+)+$" }] } }, (x: string) => [x]],
    ["what is referred to", { $ref: "#/$defs/a", $defs: { a: { pattern: "^(a+)+$" } } }, (x: string) => x],
    ["an address", { format: "url" }, (x: string) => `http://${x} a`],
  ])("is found in linear time in %s", (_, schema, holding) => {
    expect(findSchemaProblem(holding(`${"a".repeat(5000)}!`), schema)).toContain("does not fit");
  });

  it("is judged by patterns beside other conditions, and not by data that looks like one", () => {
    const schema = { allOf: [{ minLength: 2 }], pattern: "^a" };
    expect([findSchemaProblem("ab", schema), findSchemaProblem("a", schema), findSchemaProblem("bb", schema)]).toEqual([
      undefined,
      expect.stringContaining("too short"),
      expect.stringContaining("must match ^a"),
    ]);
    expect(findSchemaProblem({ pattern: "x" }, { const: { pattern: "x" } })).toBeUndefined();
    expect(findSchemaProblem({ pattern: 1 }, { properties: { pattern: { type: "number" } } })).toBeUndefined();
  });

  it.each([{ $ref: "#" }, { $ref: "#/nowhere" }, { allOf: "x" }, text("(")])(
    "is everything, where the schema is %j",
    (schema) => expect(findSchemaProblem({ x: "a" }, schema)).toContain("The schema cannot be used"),
  );
});
