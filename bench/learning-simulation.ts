import type { Described } from "../src/classify/index-agents.ts";
import { type Candidate, rankTargets } from "../src/learning/rank-targets.ts";

/** A crew whose truth is known: how often each target succeeds on each kind of input. */
interface SyntheticCrew {
  readonly targets: readonly { readonly about: Described }[];
  /** By target, then by kind. */
  readonly truth: readonly (readonly number[])[];
  readonly drawInput: () => { readonly kind: number; readonly input: string };
}

/** How a target is chosen, given what came of all choices before. */
export type Policy = (candidates: readonly Candidate[], input: string, random: () => number) => string;

const TARGETS = 4;
const KINDS = 3;
const words: readonly (readonly string[])[] = [
  ["refund", "invoice", "charged", "payment", "card", "twice", "bank", "receipt"],
  ["crash", "error", "screen", "update", "install", "login", "password", "slow"],
  ["parcel", "delivery", "late", "courier", "address", "shipped", "tracking", "lost"],
];
const common = ["please", "help", "today", "again", "order", "account", "still", "since", "week", "really"];

export const policies: Readonly<Record<string, Policy>> = {
  random: (candidates, _, random) => candidates[Math.floor(random() * candidates.length)]?.about.id ?? "",
  /** Whoever has succeeded most often so far; those nobody tried come first. */
  greedy: (candidates) =>
    best(candidates, ({ successes, failures }) =>
      successes + failures === 0 ? 1 : successes / (successes + failures),
    ),
  /** The first suggestion, or the one that is said to be worth trying. */
  suggested(candidates, input) {
    const ranked = rankTargets(candidates, input);
    return (ranked.find(({ isWorthTrying }) => isWorthTrying) ?? ranked[0])?.agent ?? "";
  },
  /** The first suggestion, whatever else is said. */
  "never trying": (candidates, input) => rankTargets(candidates, input)[0]?.agent ?? "",
};

export interface Play {
  /** What was lost against choosing rightly, by run: how much more probable a success would have been. */
  readonly regrets: readonly number[];
}

/** Lets a policy choose for so many runs of one crew. */
export function play(policy: Policy, seed: number, runs: number, misleading: number): Play {
  const crew = createCrew(generator(seed), misleading);
  const random = generator(seed + 1_000_003);
  const known = crew.targets.map((target) => ({
    ...target,
    successes: 0,
    failures: 0,
    newest: [] as Candidate["newest"][number][],
  }));
  const regrets: number[] = [];
  for (let run = 0; run < runs; run++) {
    const { kind, input } = crew.drawInput();
    const agent = policy(known, input, random);
    const chosen = crew.targets.findIndex(({ about }) => about.id === agent);
    const chances = crew.truth.map((kinds) => kinds[kind] ?? 0);
    const chance = chances[chosen] ?? 0;
    const isSuccess = random() < chance;
    const target = known[chosen];
    if (target !== undefined) {
      target[isSuccess ? "successes" : "failures"]++;
      target.newest.unshift({ input, isSuccess });
      target.newest.splice(200);
    }
    regrets.push(Math.max(...chances) - chance);
  }
  return { regrets };
}

/** Each kind has one target that is good at it, and mostly says so; the others do it badly or middling. */
function createCrew(random: () => number, misleading: number): SyntheticCrew {
  const good = Array.from({ length: KINDS }, () => Math.floor(random() * TARGETS));
  const truth = Array.from({ length: TARGETS }, (_, target) =>
    Array.from({ length: KINDS }, (_, kind) => (good[kind] === target ? 0.85 + 0.1 * random() : 0.25 + 0.4 * random())),
  );
  const targets = Array.from({ length: TARGETS }, (_, target) => {
    const told = good.flatMap((each, kind) =>
      each === target ? [random() < misleading ? Math.floor(random() * KINDS) : kind] : [],
    );
    const about = told.flatMap((kind) => words[kind]?.slice(0, 3) ?? []);
    const description = ["takes care of", ...about].join(" ");
    return { about: { id: `agent-${target}`, specialties: [], description } };
  });
  const draw = <Value>(from: readonly Value[]) => from[Math.floor(random() * from.length)];
  const drawInput = () => {
    const kind = Math.floor(random() * KINDS);
    const own = Array.from({ length: 4 }, () => draw(words[kind] ?? []));
    return { kind, input: [...own, draw(common), draw(common), draw(common)].join(" ") };
  };
  return { targets, truth, drawInput };
}

function best(candidates: readonly Candidate[], score: (candidate: Candidate) => number): string {
  return candidates.reduce((a, b) => (score(b) > score(a) ? b : a)).about.id;
}

/** The same numbers for the same seed: mulberry32. */
export function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
