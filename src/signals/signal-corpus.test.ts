import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { corpusSignals } from "../../test/corpus-signals.ts";
import { type SignalScope, scanSignals, signalScopes } from "./scan-signals.ts";
import { indexSignals } from "./signal-index.ts";

interface Mention {
  readonly about: string;
  readonly text: string;
  readonly acts: readonly SignalScope[];
}

interface Emission extends Mention {
  readonly signal: string;
  readonly level: string;
}

const index = indexSignals(corpusSignals.map((name) => ({ name, priority: 50 })));
const mentions = read<Mention>("mentions");
const emissions = read<Emission>("emissions");

describe("the corpus of texts that mention a signal without emitting it", () => {
  it("has at least 150 texts", () => expect(mentions.length).toBeGreaterThanOrEqual(150));

  it.each(mentions)("acts only where expected: $about", ({ text, acts }) => {
    expect(signalScopes.filter((scope) => scanSignals(text, index, scope).length > 0)).toEqual(acts);
  });
});

describe("the corpus of texts that emit a signal", () => {
  it("has at least 80 texts", () => expect(emissions.length).toBeGreaterThanOrEqual(80));

  it.each(emissions)("is recognised where expected: $about", ({ text, signal, level, acts }) => {
    const found = signalScopes.filter((scope) =>
      scanSignals(text, index, scope).some((match) => match.signal.name === signal && match.level === level),
    );
    expect(found).toEqual(acts);
  });
});

function read<Entry>(name: string): readonly Entry[] {
  return parse(readFileSync(new URL(`../../test/corpus/signals/${name}.yaml`, import.meta.url), "utf8"));
}
