import type { Agent } from "../crew.ts";
import { type Word, wordsOf } from "./words-of.ts";

/** What an agent says of itself. */
export type Described = Pick<Agent, "id" | "specialties"> &
  Partial<Pick<Agent, "name" | "role" | "domain" | "description" | "usage">>;

/** A word, or two in a row, that some agents use of themselves. */
export interface Term {
  /** How much it tells agents apart: more, the fewer use it. */
  readonly rarity: number;
  /** How much it says of each agent, by the agent's position. */
  readonly weights: ReadonlyMap<number, number>;
}

/** The words of a crew's agents, made to be looked up. */
export interface AgentIndex {
  readonly agents: readonly Described[];
  readonly terms: ReadonlyMap<string, Term>;
  /** By how terms are typed without marks. */
  readonly bare: ReadonlyMap<string, readonly Term[]>;
  /** Single words with one letter left out, for those that are misspelt. */
  readonly misspelt: ReadonlyMap<string, readonly Term[]>;
  /** Of a word that one agent alone uses. */
  readonly highestRarity: number;
}

/** Words of this weight say half of all that a word can say. */
const HALF = 3;

/** Reads what a crew's agents say of themselves. */
export function indexAgents(agents: readonly Described[]): AgentIndex {
  const found = readTerms(agents);
  const terms = new Map<string, Term>();
  const bare = new Map<string, Term[]>();
  const misspelt = new Map<string, Term[]>();
  for (const [exact, { bare: typed, weights }] of found) {
    const said = new Map([...weights].map(([position, weight]) => [position, weight / (weight + HALF)]));
    const term = { rarity: rarityOf(weights.size, agents.length), weights: said };
    terms.set(exact, term);
    if (typed !== exact) add(bare, typed, term);
    else if (!typed.includes(" ")) for (const slip of slipsOf(typed)) add(misspelt, slip, term);
  }
  return { agents, terms, bare, misspelt, highestRarity: rarityOf(1, agents.length) };
}

interface FoundTerm {
  readonly bare: string;
  readonly weights: Map<number, number>;
}

function readTerms(agents: readonly Described[]): ReadonlyMap<string, FoundTerm> {
  const found = new Map<string, FoundTerm>();
  for (const [position, agent] of agents.entries()) {
    for (const { exact, bare, weight } of weighedTermsOf(agent)) {
      const term = found.get(exact) ?? { bare, weights: new Map<number, number>() };
      found.set(exact, term);
      term.weights.set(position, (term.weights.get(position) ?? 0) + weight);
    }
  }
  return found;
}

interface WeighedTerm {
  readonly exact: string;
  readonly bare: string;
  readonly weight: number;
}

/** Specialties say most, and a description says as much where there are none. */
function weighedTermsOf(agent: Described): WeighedTerm[] {
  const { id, name = "", role = "", domain = "", specialties, description = "", usage = "" } = agent;
  const weigh = (text: string, weight: number): WeighedTerm[] =>
    termsOf(wordsOf(text)).map(({ exact, bare }) => ({ exact, bare, weight }));
  return [
    ...weigh(id.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2"), 1.5),
    ...weigh(name, 1),
    ...weigh(role, 1),
    ...weigh(domain, 2),
    ...specialties.flatMap((specialty) => weighSpecialty(specialty)),
    ...weigh(description, specialties.length === 0 ? 2 : 0.75),
    ...weigh(usage, 0.75),
  ];
}

/** One word of several says only its part: `room` is less than `hotel room`. */
function weighSpecialty(specialty: string): WeighedTerm[] {
  const words = wordsOf(specialty);
  return termsOf(words).map(({ exact, bare }) => ({ exact, bare, weight: exact.includes(" ") ? 2 : 2 / words.length }));
}

/** Words that say something, or where none does all of them. */
export function tellingOf(words: readonly Word[]): readonly Word[] {
  const telling = words.filter(({ isStop }) => !isStop);
  return telling.length === 0 ? words : telling;
}

/** The same, and pairs of neighbours: many words of Vietnamese are two syllables. */
export function termsOf(words: readonly Word[]): Word[] {
  const pairs = words.slice(1).flatMap((second, index): Word[] => {
    const first = words[index];
    if (first === undefined || (first.isStop && second.isStop)) return [];
    return [{ exact: `${first.exact} ${second.exact}`, bare: `${first.bare} ${second.bare}`, isStop: false }];
  });
  return [...tellingOf(words), ...pairs];
}

/** The same for two words that differ in one letter, or in the order of two: each without any one of its letters. */
export function slipsOf(word: string): string[] {
  if (word.length < SHORTEST_MISSPELT) return [];
  return [word, ...Array.from(word, (_, index) => word.slice(0, index) + word.slice(index + 1))];
}

/** Of shorter words too many are alike. */
const SHORTEST_MISSPELT = 4;

function rarityOf(users: number, agents: number): number {
  return Math.log(1 + (agents - users + 0.5) / (users + 0.5));
}

function add(map: Map<string, Term[]>, key: string, term: Term): void {
  const terms = map.get(key);
  if (terms === undefined) map.set(key, [term]);
  else terms.push(term);
}
