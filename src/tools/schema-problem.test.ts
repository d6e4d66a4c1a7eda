import { describe, expect, it } from "vitest";
import { findSchemaProblem } from "./find-schema-problem.ts";

const text = (pattern: string) => ({ type: "object", properties: { x: { type: "string", pattern } } });

describe("what does not fit a schema", () => {
  it("is told with the pattern that is not met", () => {
    expect(findSchemaProblem({ x: "abc" }, text("^a"))).toBeUndefined();
    expect(findSchemaProblem({ x: "bc" }, text("^a"))).toContain('#/x String does not match format "pattern ^a"');
  });

  it("is found in linear time", () => {
    expect(findSchemaProblem({ x: `${"a".repeat(5000)}!` }, text("^(a+)+$"))).toContain("does not match");
  });

  it.each([
    ["a property of any name", { properties: { default: { pattern: "^(a+)+$" } } }, (x: string) => ({ default: x })],
    ["items", { items: { anyOf: [{ pattern: "^(a+)+$" }] } }, (x: string) => [x]],
    ["what is referred to", { $ref: "#/$defs/a", $defs: { a: { pattern: "^(a+)+$" } } }, (x: string) => x],
    ["an address", { format: "url" }, (x: string) => `http://${x} a`],
  ])("is found in linear time in %s", (_, schema, holding) => {
    expect(findSchemaProblem(holding(`${"a".repeat(5000)}!`), schema)).toContain("does not");
  });

  it("is judged by patterns beside other conditions, and not by data that looks like one", () => {
    const schema = { allOf: [{ minLength: 2 }], pattern: "^a" };
    expect([findSchemaProblem("ab", schema), findSchemaProblem("a", schema), findSchemaProblem("bb", schema)]).toEqual([
      undefined,
      expect.stringContaining("too short"),
      expect.stringContaining("pattern ^a"),
    ]);
    expect(findSchemaProblem({ pattern: "x" }, { const: { pattern: "x" } })).toBeUndefined();
    expect(findSchemaProblem({ pattern: 1 }, { properties: { pattern: { type: "number" } } })).toBeUndefined();
  });

  it.each([{ $ref: "#" }, { $ref: "#/nowhere" }, { allOf: "x" }, text("(")])(
    "is everything, where the schema is %j",
    (schema) => expect(findSchemaProblem({ x: "a" }, schema)).toContain("The schema cannot be used"),
  );
});
