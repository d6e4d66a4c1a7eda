import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanSignals } from "../signals/scan-signals.ts";
import { indexSignals } from "../signals/signal-index.ts";
import { variables } from "./planted-secrets.ts";
import { createRedactor } from "./redactor.ts";

const redactor = createRedactor(variables);

/** Pieces that rules look at, so that texts put together from them come close to secrets or are some. */
const pieces = [
  ..."sk- sk-ant- sk-proj- ghp_ xoxb- eyJ eyJhbGciOi AKIA ya29. SG. hf_ key- 1//0 M 12345678: 123456789: dapi pat sk_ SK".split(
    " ",
  ),
  ...'password PASSWORD= password= password: token: "token": api_key= secret API\u0020key: Authorization: Cookie: Set-Cookie:'.split(
    " ",
  ),
  ..."Bearer Basic session= sig= ?sig= ;Password= https:// postgres:// user: @host / hooks.slack.com/services/".split(
    " ",
  ),
  ...'-----BEGIN RSA\u0020PRIVATE\u0020KEY----- -----END ----- PRIVATE KEY ----- \\n \\" \\'.split(" "),
  "-----BEGIN RSA PRIVATE KEY-----\n",
  "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n",
  "-----END RSA PRIVATE KEY-----",
  "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfnygt",
  "abcdefghijklmnopqrstuvwxyzABCDEF0123456789",
  "a1B2c3D4e5F6a7B8c9D0",
  "0123456789abcdef0123456789abcdef",
  "ABCDEFGHIJ234567",
  "Hunter22!",
  "the token is ",
  "my password was ",
  "[REDACTED:password]",
  "[REDACTED:",
  "[REDACTED:JWT",
  "[",
  "]",
  ..." \n \t \" ' ` , ; : = - _ . / + & ? ( ) { } $ < > * é ậ 😀 \\".split(" "),
  " ",
  "word",
  ...Object.values(variables),
  ...Object.values(variables).map((value) => value.slice(0, 9)),
  ...Object.values(variables).map((value) => btoa(`x:${value}`)),
];
const text = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...pieces) },
      { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
    ),
    {
      maxLength: 14,
    },
  )
  .map((parts) => parts.join(""));

describe("a redactor", () => {
  it("redacts a stream as it does the whole, however it is cut", () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 30 }), (whole, lengths) => {
        expect(streamed(whole, lengths)).toBe(redactor.redact(whole));
        expect(streamed(whole, [1])).toBe(redactor.redact(whole));
      }),
      { numRuns: Number(process.env["RUNS"] ?? 3000) },
    );
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(text, (whole) => {
        const once = redactor.redact(whole);
        expect(redactor.redact(once)).toBe(once);
      }),
      { numRuns: Number(process.env["RUNS"] ?? 6000) },
    );
  });
});

function streamed(whole: string, lengths: readonly number[]): string {
  const stream = redactor.createStream();
  let output = "";
  for (let at = 0, turn = 0; at < whole.length; turn++) {
    const length = Math.max(1, lengths[turn % lengths.length] ?? 1);
    output += stream.push(whole.slice(at, at + length));
    at += length;
  }
  return output + stream.end();
}
