import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toStrictSchema } from "./strict-schema.ts";

const text = { type: "string" };
const object = (properties: object, rest: object = { required: Object.keys(properties) }) => ({
  type: "object",
  properties,
  ...rest,
});

describe("a schema for strict mode", () => {
  it("is closed wherever it describes an object", () => {
    const lines = { type: "array", items: object({ sku: text }) };
    const schema = { ...object({ lines, to: { anyOf: [object({ id: text }), { type: "null" }] } }), title: "order" };
    const closed = { required: ["sku"], additionalProperties: false };
    expect(toStrictSchema(schema)).toEqual({
      ...object({
        lines: { type: "array", items: object({ sku: text }, closed) },
        to: { anyOf: [object({ id: text }, { required: ["id"], additionalProperties: false }), { type: "null" }] },
      }),
      title: "order",
      additionalProperties: false,
    });
  });

  it("is what Zod writes for objects, enums, unions and definitions that are used twice", () => {
    const point = z.object({ x: z.number().min(0) }).meta({ id: "point" });
    const shape = z.object({ kind: z.enum(["a", "b"]), from: point, to: point, note: z.string().nullable() });
    expect(toStrictSchema(z.toJSONSchema(shape, { io: "input" }))).toMatchObject({
      additionalProperties: false,
      $defs: { point: { additionalProperties: false } },
    });
  });

  it.each([
    ["a key that may be left out", object({ a: text, b: text }, { required: ["a"] })],
    ["no list of the keys that are needed", object({ a: text }, {})],
    ["keys of any name", object({ tags: { type: "object", additionalProperties: text } })],
    ["more keys than it names", object({ a: text }, { required: ["a"], additionalProperties: true })],
    ["a keyword that strict mode does not have", object({ a: { ...text, minLength: 1 } })],
    ["a default", object({ a: { ...text, default: "x" } })],
    ["a format that strict mode does not have", object({ a: { ...text, format: "uri" } })],
    ["a pattern that looks around", object({ a: { ...text, pattern: "^(?!x)" } })],
    ["such an option", object({ a: { anyOf: [text, { type: "object" }] } })],
    ["such a definition", { ...object({ a: { $ref: "#/$defs/b" } }), $defs: { b: { type: "object" } } }],
    ["such an item", object({ a: { type: "array", items: { oneOf: [text] } } })],
    ["no object at all", { type: "array", items: text }],
    ["nothing", undefined],
  ])("cannot be said of one with %s", (_, schema) => {
    expect(toStrictSchema(schema)).toBeUndefined();
  });
});
