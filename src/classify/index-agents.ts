import type { Agent } from "../crew.ts";
import { type Word, wordsOf } from "./words-of.ts";

/** A word, or two in a row, that some agents use of themselves. */
export interface Term {
  /** How much it tells agents apart: more, the fewer use it. */
  readonly rarity: number;
  /** How much it says of each agent, by the agent's position. */
  readonly weights: ReadonlyMap<number, number>;
}

/** The words of a crew's agents, made to be looked up. */
export interface AgentIndex {
  readonly agents: readonly Agent[];
  readonly terms: ReadonlyMap<string, Term>;
  /** By how terms are typed without marks. */
  readonly bare: ReadonlyMap<string, readonly Term[]>;
  /** Single words with one letter left out, for those that are misspelt. */
  readonly misspelt: ReadonlyMap<string, readonly Term[]>;
  /** Of a word that one agent alone uses. */
  readonly highestRarity: number;
}

/** How much a word says of an agent, by where it stands. */
const WEIGHTS = { domain: 2, specialties: 2, description: 1.5, id: 1.5, name: 1, role: 1, usage: 0.75 };
/** Words of this weight say half of all that a word can say. */
const HALF = 1;

/** Reads what a crew's agents say of themselves. */
export function indexAgents(agents: readonly Agent[]): AgentIndex {
  const found = new Map<string, { readonly bare: string; readonly weights: Map<number, number> }>();
  for (const [position, agent] of agents.entries()) {
    for (const [text, weight] of fieldsOf(agent)) {
      for (const { exact, bare } of termsOf(wordsOf(text))) {
        const term = found.get(exact) ?? { bare, weights: new Map<number, number>() };
        found.set(exact, term);
        term.weights.set(position, (term.weights.get(position) ?? 0) + weight);
      }
    }
  }
  const terms = new Map<string, Term>();
  const bare = new Map<string, Term[]>();
  const misspelt = new Map<string, Term[]>();
  for (const [exact, { bare: typed, weights }] of found) {
    const said = new Map([...weights].map(([position, weight]) => [position, weight / (weight + HALF)]));
    const term = { rarity: rarityOf(weights.size, agents.length), weights: said };
    terms.set(exact, term);
    if (typed !== exact) add(bare, typed, term);
    if (!typed.includes(" ")) for (const slip of slipsOf(typed)) add(misspelt, slip, term);
  }
  return { agents, terms, bare, misspelt, highestRarity: rarityOf(1, agents.length) };
}

function fieldsOf({ id, name, role, domain, specialties, description, usage }: Agent): [string, number][] {
  return [
    [id.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2"), WEIGHTS.id],
    [name ?? "", WEIGHTS.name],
    [role ?? "", WEIGHTS.role],
    [domain ?? "", WEIGHTS.domain],
    ...specialties.map((specialty): [string, number] => [specialty, WEIGHTS.specialties]),
    [description ?? "", WEIGHTS.description],
    [usage ?? "", WEIGHTS.usage],
  ];
}

/** Words that say something, and pairs of neighbours: many words of Vietnamese are two syllables. */
export function termsOf(words: readonly Word[]): Word[] {
  const pairs = words.slice(1).flatMap((second, index): Word[] => {
    const first = words[index];
    if (first === undefined || (first.isStop && second.isStop)) return [];
    return [{ exact: `${first.exact} ${second.exact}`, bare: `${first.bare} ${second.bare}`, isStop: false }];
  });
  return [...words.filter(({ isStop }) => !isStop), ...pairs];
}

/** The same for two words that differ in one letter, or in the order of two: each without any one of its letters. */
export function slipsOf(word: string): string[] {
  if (word.length < SHORTEST_MISSPELT) return [];
  return [word, ...Array.from(word, (_, index) => word.slice(0, index) + word.slice(index + 1))];
}

/** Of shorter words too many are alike. */
const SHORTEST_MISSPELT = 5;

function rarityOf(users: number, agents: number): number {
  return Math.log(1 + (agents - users + 0.5) / (users + 0.5));
}

function add(map: Map<string, Term[]>, key: string, term: Term): void {
  const terms = map.get(key);
  if (terms === undefined) map.set(key, [term]);
  else terms.push(term);
}
