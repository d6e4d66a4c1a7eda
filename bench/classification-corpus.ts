import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { type Described, findTellingWords } from "../src/classify/index-agents.ts";
import { splitIntoWords } from "../src/classify/split-into-words.ts";

/** Something that people say, and who should take it; nobody where it is no agent's. */
export interface LabelledInput {
  readonly say: string;
  readonly agents: readonly string[];
  readonly kind: string;
  /** Whether the confidence may be fitted to it; the others are only measured. */
  readonly isForFitting: boolean;
}

interface QueriesFile {
  readonly either: readonly { readonly say: string; readonly agents: readonly string[] }[];
  readonly none: readonly string[];
  readonly [agent: string]: unknown;
}

/** The twelve agents of `test/corpus/classification`. */
export function corpusAgents(): Described[] {
  return read("agents") as Described[];
}

/** What people say to them. */
export function corpusInputs(): LabelledInput[] {
  const { either, none, ...byAgent } = read("queries") as QueriesFile;
  const own = Object.entries(byAgent).flatMap(([agent, kinds]) =>
    Object.entries(kinds as Record<string, readonly string[]>).flatMap(([kind, says]) =>
      says.map((say) => ({ say, agents: [agent], kind })),
    ),
  );
  const others = [
    ...either.map(({ say, agents }) => ({ say, agents, kind: "either" })),
    ...none.map((say) => ({ say, agents: [], kind: "none" })),
  ];
  return [...own, ...others].map((each) => ({ ...each, isForFitting: hashOf(each.say) % 2 === 0 }));
}

/** What people say in words that the right agent does not use of itself. Nothing is fitted to it. */
export function corpusInOtherWords(): LabelledInput[] {
  const byAgent = read("other-words") as Readonly<Record<string, readonly string[]>>;
  return Object.entries(byAgent).flatMap(([agent, says]) =>
    says.map((say) => ({ say, agents: [agent], kind: "other words", isForFitting: false })),
  );
}

/** Whether an input has a word, as it is written, that one of its agents uses of itself and that tells what it is about. */
export function sharesWord({ say, agents }: LabelledInput, described: readonly Described[]): boolean {
  const own = described.filter(({ id }) => agents.includes(id)).map((agent) => Object.values(agent).flat().join(" "));
  const used = new Set(own.flatMap((text) => splitIntoWords(text).map(({ exact }) => exact)));
  return findTellingWords(splitIntoWords(say)).some(({ exact }) => used.has(exact));
}

function read(name: string): unknown {
  return parse(readFileSync(new URL(`../test/corpus/classification/${name}.yaml`, import.meta.url), "utf8"));
}

/** FNV-1a, so that which half an input is in depends on its words alone. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
