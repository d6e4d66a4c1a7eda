import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "./redactor.ts";

const { redactValue } = createRedactor({ ACME_KEY: "correct-horse-9" });

describe("a redacted value", () => {
  it("has every string redacted, at any depth", () => {
    expect(redactValue({ a: ["x correct-horse-9", { b: "password: Hunter22!" }], n: 1, t: true, u: null })).toEqual({
      a: ["x [REDACTED:environment value]", { b: "password: [REDACTED:password]" }],
      n: 1,
      t: true,
      u: null,
    });
  });

  it.each([
    [{ password: "sunshine" }, { password: "[REDACTED:password]" }],
    [{ api_key: "sunshine" }, { api_key: "[REDACTED:key]" }],
    [{ apiKey: "sunshine" }, { apiKey: "[REDACTED:key]" }],
    [{ Authorization: "Bearer sunshine" }, { Authorization: "[REDACTED:credentials]" }],
    [{ client_secret: ["sunshine", "rain"] }, { client_secret: ["[REDACTED:secret]", "[REDACTED:secret]"] }],
    [{ token: "a1b2c3d4e5f6a7b8" }, { token: "[REDACTED:token]" }],
    [{ token: "tok_live_12345" }, { token: "[REDACTED:token]" }],
    [{ secret: "hunter2" }, { secret: "[REDACTED:secret]" }],
    [
      { password2: "sunshine", api_key_1: "rain" },
      { password2: "[REDACTED:password]", api_key_1: "[REDACTED:key]" },
    ],
    [{ password: 12345678 }, { password: "[REDACTED:password]" }],
    [{ password: `x correct-horse-9` }, { password: "[REDACTED:password]" }],
  ])("is a secret under a key that names one: %j", (value, expected) => {
    expect(redactValue(value)).toEqual(expected);
    expect(redactValue(redactValue(value))).toEqual(expected);
  });

  it.each([
    { token: "punctuation" },
    { token: "page 2 of 5" },
    { token: 12345678 },
    { password: 8 },
    { nextPageToken: "a1b2c3d4e5f6a7b8" },
    { password: "" },
    { password: "<your password>" },
    { password: true },
    { key: "value", keys: ["a"], max_tokens: 12 },
  ])("stays as it is where there is none: %j", (value) => expect(redactValue(value)).toEqual(value));

  it("is redacted in its keys, and two that become alike stay two", () => {
    expect(redactValue({ "correct-horse-9": 1, "x correct-horse-9": 2 })).toEqual({
      "[REDACTED:environment value]": 1,
      "x [REDACTED:environment value]": 2,
    });
    const other = createRedactor({ A_KEY: "correct-horse-9", B_KEY: "battery-staple" });
    expect(other.redactValue({ "correct-horse-9": 1, "battery-staple": 2 })).toEqual({
      "[REDACTED:environment value]": 1,
      "[REDACTED:environment value] 1": 2,
    });
  });

  it("may be a circle, deeper than the stack, or have any key", () => {
    const circle: Record<string, unknown> = { note: "correct-horse-9" };
    circle["self"] = circle;
    const copy = redactValue(circle) as Record<string, unknown>;
    expect(copy["self"]).toBe(copy);
    expect(copy["note"]).toBe("[REDACTED:environment value]");
    expect(circle["note"]).toBe("correct-horse-9");

    let deep: unknown = "correct-horse-9";
    for (let depth = 0; depth < 200_000; depth++) deep = [deep];
    let inner = redactValue(deep);
    while (Array.isArray(inner)) inner = inner[0];
    expect(inner).toBe("[REDACTED:environment value]");

    const parsed: unknown = JSON.parse('{"__proto__": {"password": "sunshine"}}');
    expect(JSON.stringify(redactValue(parsed))).toBe('{"__proto__":{"password":"[REDACTED:password]"}}');
  });

  it("passes on what JSON has no word for", () => {
    const [date, call, bytes] = [new Date(0), () => 1, new Uint8Array(2)];
    expect(redactValue([date, call, bytes, undefined, 1n])).toEqual([date, call, bytes, undefined, 1n]);
  });

  it("changes no more the second time", () => {
    const keys = fc.constantFrom("password", "token", "note", "api_key", "authorization", "list");
    const strings = fc.oneof(
      fc.string(),
      fc.constantFrom("password: Hunter22!", "x correct-horse-9", "sunshine", "Bearer abcd1234"),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        strings,
        fc.integer(),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(keys, tie("value"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(value, (each) => {
        const once = redactValue(each);
        expect(redactValue(once)).toEqual(once);
      }),
    );
  });
});
