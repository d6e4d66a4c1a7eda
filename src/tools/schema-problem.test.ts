import { describe, expect, it } from "vitest";
import { schemaProblem } from "./schema-problem.ts";

const text = (pattern: string, more: object = {}) => ({ properties: { k: { type: "string", pattern, ...more } } });

describe("a pattern in a schema", () => {
  it.each([
    [{ k: "abc" }, text("^[a-c]+$"), true],
    [{ k: "abd" }, text("^[a-c]+$"), false],
    [{ k: "a" }, text("^a", { allOf: [{ minLength: 2 }] }), false],
    [{ k: "2026-01-01" }, text("^2026", { format: "date" }), true],
    [{ k: "2026-99-99" }, text("^2026", { format: "date" }), false],
    [{ pattern: "x" }, { properties: { pattern: { type: "string" } }, additionalProperties: false }, true],
    [{ k: { pattern: "(" } }, { properties: { k: { const: { pattern: "(" } } } }, true],
    [["b"], { items: { pattern: "a" } }, false],
    [{ a_1: 1 }, { patternProperties: { "^a_": { type: "number" } }, additionalProperties: false }, true],
    [{ a_1: "x" }, { patternProperties: { "^a_": { type: "number" } }, additionalProperties: false }, false],
    [{ b_1: 1 }, { patternProperties: { "^a_": { type: "number" } }, additionalProperties: false }, false],
    [{ a: 1 }, { properties: { a: { minimum: 5 } }, patternProperties: { a: { type: "number" } } }, false],
    [{ __proto__x: 1 }, { patternProperties: { "^__proto__": { type: "string" } } }, false],
  ])("holds as it is written: %j %j", (value, schema, fits) => {
    expect(schemaProblem(value, schema) === undefined).toBe(fits);
  });

  it("is named where it does not hold", () => {
    expect(schemaProblem({ k: "x" }, text("^a$"))).toContain('String does not match pattern "^a$".');
  });

  it("is compared anew for each value, where it is about names", () => {
    const schema = { patternProperties: { "^a": { type: "number" } }, additionalProperties: false };
    expect(schemaProblem({ a: 1 }, schema)).toBeUndefined();
    expect(schemaProblem({ ab: "x" }, schema)).toContain("does not fit");
  });

  it.each([
    [{ k: `${"a".repeat(60)}!` }, text("^(a+)+$")],
    [{ [`${"a".repeat(60)}!`]: 1 }, { patternProperties: { "^(a+)+$": {} }, additionalProperties: false }],
    [{ k: `http://${"a".repeat(60)}!` }, { properties: { k: { format: "url", pattern: "^(h+)+$" } } }],
  ])("takes no time that grows without bound: %j", (value, schema) => {
    expect(schemaProblem(value, schema)).toContain("does not fit");
  });

  it("that another language has is left to the tool whose schema it is", () => {
    expect(schemaProblem({ k: "x" }, text("(?i)^a$"))).toBeUndefined();
    expect(schemaProblem({ k: 1 }, text("(?!b)a"))).toContain("does not fit");
    const names = { patternProperties: { "(?i)^a": { type: "number" } }, additionalProperties: false };
    expect(schemaProblem({ A: 1 }, names)).toBeUndefined();
  });
});

it("a schema that refers to nothing fits nothing, and says why", () => {
  const problem = schemaProblem({ k: 1 }, { properties: { k: { $ref: "#/$defs/none" } } });
  expect(problem).toContain("cannot be checked by the schema");
});
