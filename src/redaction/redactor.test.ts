import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { variables } from "../../test/planted-secrets.ts";
import { createRedactor } from "./redactor.ts";

const redactor = createRedactor(variables);
const values = Object.values(variables);

/** Pieces that the rules look at. Texts made of them come close to secrets, or are secrets. */
const pieces = [
  ..."sk- sk-ant- sk-proj- ghp_ xoxb- eyJ eyJhbGciOi AKIA ya29. SG. hf_ key- 1//0 M 123456789: dapi pat sk_ SK".split(
    " ",
  ),
  ...'password PASSWORD= password= password: token: "token": api_key= secret Authorization: Cookie: Set-Cookie:'.split(
    " ",
  ),
  ..."Bearer Basic session= sig= ?sig= ;Password= https:// postgres:// user: @host hooks.slack.com/services/".split(
    " ",
  ),
  ...'-----BEGIN -----END ----- PRIVATE KEY \\n \\" \\ " \' ` , ; : = - _ . / + & ? ( ) { } $ < > * é ậ 😀 [ ]'.split(
    " ",
  ),
  "-----BEGIN RSA PRIVATE KEY-----\n",
  "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n",
  "-----END RSA PRIVATE KEY-----",
  "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfnygt",
  "abcdefghijklmnopqrstuvwxyzABCDEF0123456789",
  "a1B2c3D4e5F6a7B8c9D0",
  "a1B2c3D4e5F6a7B8c9D0".repeat(8),
  "0123456789abcdef0123456789abcdef",
  "ABCDEFGHIJ234567",
  "Hunter22!",
  "API key: ",
  "the token is ",
  "my password was ",
  "[REDACTED:password]",
  "[REDACTED:",
  "[REDACTED:JWT",
  "\\n",
  "%3D",
  "\u001b[32m",
  "\n",
  "\t",
  " ",
  "word",
  ...values,
  ...values.map((value) => value.slice(0, 9)),
  ...values.map((value) => Buffer.from(`x:${value}`).toString("base64")),
];
const piece = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...pieces) },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
);
const texts = fc.array(piece, { maxLength: 14 }).map((parts) => parts.join(""));
const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 });

describe("a redactor", () => {
  it("redacts a stream as it does the whole, however it is cut", () => {
    const property = fc.property(texts, cuts, (whole, lengths) => {
      expect(streamed(whole, lengths).join("")).toBe(redactor.redact(whole));
      expect(streamed(whole, [1]).join("")).toBe(redactor.redact(whole));
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it("changes nothing the second time", () => {
    const property = fc.property(texts, (whole) => {
      const once = redactor.redact(whole);
      expect(redactor.redact(once)).toBe(once);
    });
    fc.assert(property, { numRuns: 3000 });
  });

  it("leaves clean text as it is", () => {
    const property = fc.property(fc.lorem({ maxCount: 30, mode: "sentences" }), (whole) => {
      expect(redactor.redact(whole)).toBe(whole);
    });
    fc.assert(property);
  });
});

describe("a stream of redacted text", () => {
  it("holds nothing back of prose but a word that may begin a secret", () => {
    const stream = redactor.createStream();
    expect(stream.push("The fox jumps, and")).toBe("The fox jumps, and");
    expect(stream.push(" then: nothing. [")).toBe(" then: nothing. ");
    expect(stream.push("DONE] x ")).toBe("[DONE] x ");
    expect(stream.push("gh")).toBe("");
    expect(stream.push("ost ")).toBe("ghost ");
    expect(stream.end()).toBe("");
  });

  it("never holds back much, whatever comes", () => {
    const property = fc.property(texts, cuts, (whole, lengths) => {
      const stream = redactor.createStream();
      let [given, taken] = ["", ""];
      for (const chunk of chunksOf(whole, lengths)) {
        given += stream.push(chunk);
        taken += chunk;
        const held = redactor.redact(taken).length - given.length;
        expect(held).toBeLessThan(1200);
      }
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it("drops a key of a megabyte as it comes", () => {
    const stream = redactor.createStream();
    expect(stream.push(`Look:\n-----BEGIN PRIVATE KEY-----\n${"MIIEpAIB".repeat(8)}\n`)).toBe(
      "Look:\n[REDACTED:private key]",
    );
    for (let count = 0; count < 16_000; count++) expect(stream.push(`${"abcdEFGH".repeat(8)}\n`)).toBe("");
    expect(stream.push("abcd==\n-----END PRIVATE KEY-----\nDone.")).toBe("\nDone.");
  });

  it("begins anew after its end", () => {
    const stream = redactor.createStream();
    expect(stream.push("password: ") + stream.push("Hunt") + stream.end()).toBe("password: Hunt");
    expect(stream.push("er22!") + stream.end()).toBe("er22!");
  });
});

describe("the values of variables", () => {
  const redact = (text: string, env: Record<string, string | undefined>) => createRedactor(env).redact(text);

  it.each([
    "ACME_KEY",
    "ACME_TOKEN",
    "ACME_SECRET",
    "ACME_PASSWORD",
    "ACME_PASSWD",
    "ACME_CREDENTIALS",
    "PGPASSWORD",
    "TOKEN",
  ])("are secrets under a name such as %s", (name) => {
    expect(redact("it is correct horse 9, no?", { [name]: "correct horse 9" })).toBe(
      "it is [REDACTED:environment value], no?",
    );
  });

  it.each([
    ["HOME", "/home/ada/x9"],
    ["PWD", "/home/ada/x9"],
    ["ACME_KEY", "short"],
    ["ACME_TOKEN", "localhost"],
    ["ACME_TOKEN", "undefined"],
    ["ACME_KEY", "00000000"],
    ["GOOGLE_APPLICATION_CREDENTIALS", "/etc/acme/service.json"],
    ["ACME_URL", "https://example.com/a"],
  ])("are none under %s=%s", (name, value) => {
    expect(redact(`see ${value} here`, { [name]: value })).toBe(`see ${value} here`);
  });

  it("are, of an address, only its password, as written and decoded", () => {
    const env = { DATABASE_URL: "postgres://application:horse%2Fbattery@db.local/app" };
    expect(redact("application horse%2Fbattery horse/battery db.local", env)).toBe(
      "application [REDACTED:environment value] [REDACTED:environment value] db.local",
    );
  });

  it("are found encoded, wherever they lie in what was encoded", () => {
    const value = "correct?horse>9~battery";
    const env = { ACME_KEY: value };
    for (const before of ["", "a", "ab", "abc"]) {
      const bytes = Buffer.from(`${before}${value}:after`);
      expect(redact(bytes.toString("base64"), env)).toContain("[REDACTED:environment value]");
      expect(redact(bytes.toString("base64url"), env)).toContain("[REDACTED:environment value]");
    }
    expect(redact(encodeURIComponent(`a ${value}`), env)).toBe("a%20[REDACTED:environment value]");
  });

  it("are found as the longest of those that begin alike", () => {
    const env = { A_KEY: "correct-horse", B_KEY: "correct-horse-battery", C_KEY: undefined };
    expect(redact("correct-horse-battery correct-horse-bat", env)).toBe(
      "[REDACTED:environment value] [REDACTED:environment value]-bat",
    );
  });
});

function streamed(whole: string, lengths: readonly number[]): string[] {
  const stream = redactor.createStream();
  return [...chunksOf(whole, lengths).map((chunk) => stream.push(chunk)), stream.end()];
}

function chunksOf(whole: string, lengths: readonly number[]): string[] {
  const chunks: string[] = [];
  for (let at = 0; at < whole.length; at += chunks.at(-1)?.length ?? 1) {
    chunks.push(whole.slice(at, at + (lengths[chunks.length % lengths.length] ?? 1)));
  }
  return chunks;
}
