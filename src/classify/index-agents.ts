import type { Agent } from "../vocabulary/crew.ts";
import { splitIntoWords, type Word } from "./split-into-words.ts";
import { stemWord } from "./stem-word.ts";

/** How an agent describes itself. */
export type Described = Pick<Agent, "id" | "specialties"> &
  Partial<Pick<Agent, "name" | "role" | "domain" | "description" | "usage">>;

/** A word, or a pair of neighbouring words, that some agents use to describe themselves. */
export interface Term {
  /** How well it tells agents apart: better, the fewer use it. */
  readonly rarity: number;
  /** How much it says about each agent, by the agent's position. */
  readonly weights: ReadonlyMap<number, number>;
}

/** The words of a crew's agents, indexed for lookup. */
export interface AgentIndex {
  readonly agents: readonly Described[];
  readonly terms: ReadonlyMap<string, Term>;
  /** By the form that people type without diacritics. */
  readonly bare: ReadonlyMap<string, readonly Term[]>;
  /** Single words with one letter left out, to find misspelt ones. */
  readonly misspelt: ReadonlyMap<string, readonly Term[]>;
  /** By the beginnings and ends of long words, and pairs by their spelling as one word: `website`, `Hotelbuchung`. */
  readonly compounds: ReadonlyMap<string, readonly Term[]>;
  /** The rarity of a word that only one agent uses. */
  readonly highestRarity: number;
}

/** A word of this weight says half of what a word can say. */
const HALF = 3;

/** Indexes how a crew's agents describe themselves. */
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

/** Specialties weigh most. Without specialties, the description weighs as much. */
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

/** Each word of a specialty of several words weighs only its part: `room` is less than `hotel room`. */
function weighSpecialty(specialty: string): WeighedTerm[] {
  const words = splitIntoWords(specialty);
  return listTerms(words).map(({ exact, bare, typed }) => {
    const weight = exact.includes(" ") ? 2 : 2 / words.length;
    return { exact, bare, typed, weight };
  });
}

/** The words that are not stop words; all words if there are no others. */
export function findTellingWords(words: readonly Word[]): readonly Word[] {
  const telling = words.filter(({ isStop }) => isStop === false);
  return telling.length === 0 ? words : telling;
}

/**
 * The telling words, the words that may be telling, and pairs of neighbours, because many Vietnamese words have two syllables.
 */
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

/**
 * The forms of a word without any one of its letters. Two words that differ in one letter, or in the order of two, share a
 * form.
 */
export function listSlips(word: string): string[] {
  if (word.length < SHORTEST_MISSPELT) return [];
  return [word, ...Array.from(word, (_, index) => word.slice(0, index) + word.slice(index + 1))];
}

/** Too many shorter words are alike. */
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
