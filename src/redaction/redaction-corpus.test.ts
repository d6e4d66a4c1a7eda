import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { plantSecrets, variables } from "../../test/planted-secrets.ts";
import { isSignalName } from "../signals/signal-name.ts";
import { SHORTEST_TOKEN } from "./anchors.ts";
import { formatMarker, isMarker } from "./marker.ts";
import { createRedactor } from "./redactor.ts";
import { secretKinds } from "./secret-kinds.ts";
import { tokenKinds } from "./token-kinds.ts";

const redactor = createRedactor(variables);
const planted = plantSecrets(1);
/** At most this many characters of a secret may remain by chance. */
const PART = 9;

describe("the planted secrets", () => {
  it("are at least 200, of every kind there is, and those are at least 40", () => {
    expect(planted.length).toBeGreaterThanOrEqual(200);
    expect(secretKinds.length).toBeGreaterThanOrEqual(40);
    expect([...new Set(planted.map(({ kind }) => kind))].sort()).toEqual([...secretKinds].sort());
  });

  it.each(planted)("leave no part of a $kind $about", ({ kind, text, secret }) => {
    const redacted = redactor.redact(text);
    expect(partsOf(secret).filter((part) => redacted.includes(part))).toEqual([]);
    expect(redacted).toContain(formatMarker(kind));
    expect(redactor.redact(redacted)).toBe(redacted);
    expect(JSON.stringify(redactor.redactValue({ deep: [text] }))).toBe(JSON.stringify({ deep: [redacted] }));
  });

  it("leave no part in a stream, cut anywhere", () => {
    for (const { text, secret } of planted) {
      const expected = redactor.redact(text);
      const step = Math.max(1, Math.floor(text.length / 25));
      for (let cut = 1; cut < text.length; cut += step) {
        const stream = redactor.createStream();
        const first = stream.push(text.slice(0, cut));
        expect(partsOf(secret).filter((part) => first.includes(part))).toEqual([]);
        expect(first + stream.push(text.slice(cut)) + stream.end()).toBe(expected);
      }
    }
  });
});

describe("the innocent texts", () => {
  const whole = readFileSync(new URL("../../test/corpus/redaction/innocent.txt", import.meta.url), "utf8");
  const lines = whole.split("\n");

  it("are at least 150", () => expect(lines.length).toBeGreaterThanOrEqual(150));

  it("raise no alarm", () => {
    expect(lines.filter((line) => redactor.redact(line) !== line)).toEqual([]);
    expect(redactor.redact(whole)).toBe(whole);
  });
});

describe("a marker", () => {
  it.each(secretKinds)("of a %s never names a signal", (kind) => {
    expect(isMarker(formatMarker(kind))).toBe(true);
    expect(isSignalName(formatMarker(kind))).toBe(false);
  });
});

describe("the kinds of tokens", () => {
  it("are each as long as a run that is looked at", () => {
    const lengths = tokenKinds.map(({ prefix, lead, body }) =>
      [...lead, body].reduce((sum, { atLeast }) => sum + atLeast, prefix.length),
    );
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(SHORTEST_TOKEN);
  });
});

/** Parts of a secret, every few characters. The lines around a key are not secret. */
function partsOf(secret: string): string[] {
  const body = secret.replace(/-----[A-Z ]+-----/g, "");
  return Array.from({ length: Math.max(1, body.length - PART + 1) }, (_, at) => body.slice(at, at + PART));
}
