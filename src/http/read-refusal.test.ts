import { describe, expect, it } from "vitest";
import { readRefusal } from "./read-refusal.ts";

const noon = "Mon, 16 Nov 2026 12:00:00 GMT";

describe("a server's refusal", () => {
  it.each([
    ["statusCode", { statusCode: 429 }],
    ["status", { status: 429 }],
    ["code", { code: 429 }],
    ["the first that is a status", { statusCode: "429", status: 0, code: 429 }],
  ])("has the status in %s", (_, error) => {
    expect(readRefusal(error)).toEqual({ status: 429 });
  });

  it.each([
    ["in milliseconds", { "retry-after-ms": "1500", "retry-after": "9" }, 1500],
    ["in seconds", { "retry-after": " 2.5 " }, 2500],
    ["until a date", { date: noon, "retry-after": "Mon, 16 Nov 2026 12:00:30 GMT" }, 30_000],
    ["until a date that is past", { date: noon, "retry-after": "Mon, 16 Nov 2026 11:00:00 GMT" }, 0],
  ])("says %s how long to wait", (_, responseHeaders, retryAfterMs) => {
    expect(readRefusal({ responseHeaders })).toEqual({ retryAfterMs });
  });

  it.each([
    [{ "retry-after": "soon" }],
    [{ "retry-after": "-5" }],
    [{ "retry-after": "" }],
    [{ "retry-after": "Mon, 16 Nov 2026 12:00:30 GMT" }],
    [{}],
    [undefined],
  ])("says nothing of a wait in %j", (responseHeaders) => {
    expect(readRefusal({ responseHeaders })).toEqual({});
  });

  it.each([[undefined], [null], ["refused"], [new Error("refused")]])("cannot be read in %j", (error) => {
    expect(readRefusal(error)).toEqual({});
  });
});
