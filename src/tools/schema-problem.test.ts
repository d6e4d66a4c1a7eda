import { format } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import { schemaProblem } from "./schema-problem.ts";

const endless = "^(a+)+$";
const long = `${"a".repeat(50_000)}!`;

describe("a value and a schema", () => {
  it.each([
    ["alone", { pattern: endless }, (text: string) => text],
    ["of a property", { properties: { default: { pattern: endless } } }, (text: string) => ({ default: text })],
    ["of items", { items: { allOf: [{ pattern: endless }] } }, (text: string) => [text]],
    ["by reference", { $ref: "#/$defs/a", $defs: { a: { pattern: endless } } }, (text: string) => text],
    ["beside others", { pattern: endless, allOf: [{ minLength: 2 }] }, (text: string) => text],
  ])(
    "fit or not, in no time, by a pattern %s that JavaScript's own search would not come to an end with",
    (_, schema, holding) => {
      expect(schemaProblem(holding("aaa"), schema)).toBeUndefined();
      expect(schemaProblem(holding(long), schema)).toContain("^(a+)+$");
    },
  );

  it("fit by patterns that look ahead, too, and by what only looks like a pattern", () => {
    const schema = { pattern: "^(?!no)", minLength: 2 };
    expect(schemaProblem("yes", schema)).toBeUndefined();
    expect(schemaProblem("no", schema)).toContain("does not match pattern");
    expect(schemaProblem({ pattern: "b" }, { const: { pattern: "b" } })).toBeUndefined();
    expect(schemaProblem({ pattern: "x" }, { properties: { pattern: { pattern: "^x$" } } })).toBeUndefined();
    expect(schemaProblem({ pattern: "y" }, { properties: { pattern: { pattern: "^x$" } } })).toContain("/pattern");
  });

  it("fit as an address in no time", () => {
    expect(schemaProblem("https://example.com/a?b", { format: "url" })).toBeUndefined();
    expect(schemaProblem("mailto:a@example.com", { format: "url" })).toContain('"url"');
    expect(schemaProblem(`http://${"a".repeat(5000)} !`, { format: "url" })).toContain('"url"');
  });

  it("leave the validator as it was for others", () => {
    const before = { ...format };
    schemaProblem("x", { pattern: "^x$", format: "url" });
    expect(format).toEqual(before);
  });
});
