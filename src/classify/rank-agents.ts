import type { PastRuns } from "../vocabulary/run-start.ts";
import { computeConfidence, type Features } from "./compute-confidence.ts";
import { type AgentIndex, listSlips, listTerms, splitIntoParts, type Term } from "./index-agents.ts";
import { splitIntoWords, type Word } from "./split-into-words.ts";
import { stemWord } from "./stem-word.ts";

export interface Ranking {
  /** All agents, best first. Agents that fit equally well keep the crew's order. */
  readonly ranked: readonly { readonly agent: string; readonly score: number }[];
  /** The probability that the first agent is the right one. */
  readonly confidence: number;
  /** The input of that computation. */
  readonly features: Features;
}

/** Ranks agents by how well their descriptions fit an input. Good results in earlier runs count a little. */
export function rankAgents(index: AgentIndex, input: string, past: ReadonlyMap<string, PastRuns>): Ranking {
  const words = splitIntoWords(cutExcerpt(input));
  const scores = index.agents.map(() => 0);
  const covered = index.agents.map(() => 0);
  let asked = 0;
  for (const term of removeDuplicates(listTerms(words))) {
    const isPair = term.exact.includes(" ");
    const fits = findFits(term, index);
    // A word that no agent uses and that may be a stop word does not lower the coverage.
    if (!isPair && (term.isStop !== "perhaps" || fits.size > 0)) asked++;
    for (const [position, { score, fit }] of fits) {
      scores[position] = (scores[position] ?? 0) + (isPair ? PAIR : 1) * score;
      if (!isPair) covered[position] = (covered[position] ?? 0) + fit;
    }
  }
  const order = index.agents
    .map(({ id }, position) => ({ agent: id, score: (scores[position] ?? 0) * weighPastRuns(past.get(id)), position }))
    .sort((a, b) => b.score - a.score || a.position - b.position);
  const first = order[0]?.position ?? 0;
  const features: Features = {
    scores: order.map(({ score }) => score / index.highestRarity),
    coverage: asked === 0 ? 0 : (covered[first] ?? 0) / asked,
  };
  return {
    ranked: order.map(({ agent, score }) => ({ agent, score })),
    confidence: computeConfidence(features),
    features,
  };
}

/** The weight of a pair of neighbouring words, compared with a single word. */
const PAIR = 2.5;
/** The weights of inexact matches: without diacritics, maybe another word, misspelt, part of a longer word. */
const WITHOUT_MARKS = 0.8;
const PERHAPS = 0.5;
const MISSPELT = 0.7;
const PART = 0.5;

/** In a long text, people say what they want at the beginning or at the end. */
function cutExcerpt(input: string): string {
  return input.length <= HEAD + TAIL ? input : `${input.slice(0, HEAD)} ${input.slice(-TAIL)}`;
}

const HEAD = 12_000;
const TAIL = 4_000;

function removeDuplicates(terms: readonly Word[]): Iterable<Word> {
  return new Map(terms.map((term) => [term.exact, term])).values();
}

interface Fit {
  readonly score: number;
  /** How exactly the word matches one of the agent's words. */
  readonly fit: number;
}

/** How much a term of the input says for each agent, by position. */
function findFits({ exact, bare, typed, isStop }: Word, index: AgentIndex): ReadonlyMap<number, Fit> {
  const fits = new Map<number, Fit>();
  const note = (terms: readonly (Term | undefined)[], fit: number) => {
    for (const term of terms) {
      for (const [position, weight] of term?.weights ?? []) {
        const score = fit * (term?.rarity ?? 0) * weight;
        if (score > (fits.get(position)?.score ?? 0)) fits.set(position, { score, fit });
      }
    }
  };
  const sure = isStop === "perhaps" ? PERHAPS : 1;
  note([index.terms.get(exact)], sure);
  // If both words have diacritics, only equal ones match.
  note(exact === bare ? (index.bare.get(bare) ?? []) : [index.terms.get(bare)], WITHOUT_MARKS * sure);
  if (fits.size > 0 || isStop === "perhaps") return fits;
  if (bare.includes(" ")) {
    note([index.terms.get(stemWord(typed))], 1);
    return fits;
  }
  for (const slip of listSlips(bare)) note(index.misspelt.get(slip) ?? [], MISSPELT);
  if (fits.size > 0) return fits;
  note(index.compounds.get(bare) ?? [], PART);
  for (const part of splitIntoParts(bare)) note([index.terms.get(part)], PART);
  return fits;
}

/** Earlier results change a score only a little: by a factor of 0.9 to 1.1, and 1 if little is known. */
function weighPastRuns(past: PastRuns | undefined): number {
  if (past === undefined) return 1;
  return 0.9 + (0.2 * (past.successes + 2)) / (past.runs + 4);
}
