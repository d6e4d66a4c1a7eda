import type { Agent } from "../vocabulary/crew.ts";
import { splitIntoWords, type Word } from "./split-into-words.ts";
import { stemWord } from "./stem-word.ts";

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
  /** By how long words begin and end, and pairs by how they are written as one word: `website`, `Hotelbuchung`. */
  readonly compounds: ReadonlyMap<string, readonly Term[]>;
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
  const compounds = new Map<string, Term[]>();
  for (const [exact, { bare: unmarked, typed, weights }] of found) {
    const said = new Map([...weights].map(([position, weight]) => [position, weight / (weight + HALF)]));
    const term = { rarity: computeRarity(weights.size, agents.length), weights: said };
    terms.set(exact, term);
    if (unmarked !== exact) add(bare, unmarked, term);
    if (unmarked.includes(" ")) add(compounds, stemWord(typed), term);
    else {
      for (const slip of listSlips(unmarked)) add(misspelt, slip, term);
      for (const part of splitIntoParts(unmarked)) add(compounds, part, term);
    }
  }
  return { agents, terms, bare, misspelt, compounds, highestRarity: computeRarity(1, agents.length) };
}

interface FoundTerm extends Pick<Word, "bare" | "typed"> {
  readonly weights: Map<number, number>;
}

function readTerms(agents: readonly Described[]): ReadonlyMap<string, FoundTerm> {
  const found = new Map<string, FoundTerm>();
  for (const [position, agent] of agents.entries()) {
    for (const { exact, bare, typed, weight } of weighTerms(agent)) {
      const term = found.get(exact) ?? { bare, typed, weights: new Map<number, number>() };
      found.set(exact, term);
      term.weights.set(position, (term.weights.get(position) ?? 0) + weight);
    }
  }
  return found;
}

interface WeighedTerm extends Pick<Word, "exact" | "bare" | "typed"> {
  readonly weight: number;
}

/** Specialties say most, and a description says as much where there are none. */
function weighTerms(agent: Described): WeighedTerm[] {
  const { id, name = "", role = "", domain = "", specialties, description = "", usage = "" } = agent;
  const weigh = (text: string, weight: number): WeighedTerm[] =>
    listTerms(splitIntoWords(text)).map(({ exact, bare, typed }) => ({ exact, bare, typed, weight }));
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
  const words = splitIntoWords(specialty);
  return listTerms(words).map(({ exact, bare, typed }) => {
    const weight = exact.includes(" ") ? 2 : 2 / words.length;
    return { exact, bare, typed, weight };
  });
}

/** Words that say something, or where none does all of them. */
export function findTellingWords(words: readonly Word[]): readonly Word[] {
  const telling = words.filter(({ isStop }) => isStop === false);
  return telling.length === 0 ? words : telling;
}

/** The same, words that may say something, and pairs of neighbours: many words of Vietnamese are two syllables. */
export function listTerms(words: readonly Word[]): Word[] {
  const telling = findTellingWords(words);
  const doubtful = telling === words ? [] : words.filter(({ isStop }) => isStop === "perhaps");
  const pairs = words.slice(1).flatMap((second, index): Word[] => {
    const first = words[index];
    if (first === undefined || !maySay(first, second)) return [];
    const [exact, bare] = [`${first.exact} ${second.exact}`, `${first.bare} ${second.bare}`];
    return [{ exact, bare, typed: first.typed + second.typed, isStop: false }];
  });
  return [...telling, ...doubtful, ...pairs];
}

/** `may bay` may be `máy bay`; `of the` says nothing. */
function maySay({ isStop: first }: Word, { isStop: second }: Word): boolean {
  return first === false || second === false || (first === "perhaps" && second === "perhaps");
}

/** The same for two words that differ in one letter, or in the order of two: each without any one of its letters. */
export function listSlips(word: string): string[] {
  if (word.length < SHORTEST_MISSPELT) return [];
  return [word, ...Array.from(word, (_, index) => word.slice(0, index) + word.slice(index + 1))];
}

/** Of shorter words too many are alike. */
const SHORTEST_MISSPELT = 5;

/** The beginnings and ends of a long word that may be words themselves. */
export function splitIntoParts(word: string): string[] {
  const lengths = Array.from(
    { length: Math.max(0, word.length - SHORTEST_PART - SHORTEST_REST + 1) },
    (_, more) => more + SHORTEST_PART,
  );
  return lengths.flatMap((length) => [word.slice(0, length), word.slice(-length)]);
}

const SHORTEST_PART = 5;
const SHORTEST_REST = 3;

function computeRarity(users: number, agents: number): number {
  return Math.log(1 + (agents - users + 0.5) / (users + 0.5));
}

function add(map: Map<string, Term[]>, key: string, term: Term): void {
  const terms = map.get(key);
  if (terms === undefined) map.set(key, [term]);
  else terms.push(term);
}
