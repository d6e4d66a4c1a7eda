import { type Candidate, rankTargets } from "../src/learning/rank-targets.ts";
import { findAllowance, reasons } from "./interval-allowances.ts";
import { oneRate, type World, worlds } from "./interval-worlds.ts";
import { generator } from "./learning-simulation.ts";
import type { Figure, Report } from "./report.ts";

/** The standard error of a coverage of 90 % is then 0.7 points. */
const ROUNDS = 2000;
/** Coverage this near to a bound of what is allowed, in points, is measured again in more rounds, with an error of 0.4. */
const NEAR = 1;
const MORE_ROUNDS = 6000;
const HANDOFFS = [3, 10, 30, 100, 300, 1000, 3000];
/** As many of the newest as `baton suggest` compares. */
const COMPARED = 1000;
const PHRASINGS = 4;

/** The first is the kind of the input that is asked about. */
const kinds = [
  ["refund", "invoice", "charged", "payment", "card", "twice", "bank", "receipt"],
  ["crash", "error", "screen", "update", "install", "login", "password", "slow"],
  ["parcel", "delivery", "late", "courier", "address", "shipped", "tracking", "lost"],
  ["vacation", "salary", "contract", "sick", "overtime", "bonus", "pension", "leave"],
  ["printer", "keyboard", "mouse", "monitor", "cable", "laptop", "scanner", "headset"],
  ["lunch", "canteen", "coffee", "kitchen", "fridge", "dishes", "menu", "allergy"],
];
const common = ["morning", "urgent", "colleague", "question", "yesterday", "number", "problem", "office"];
const ASKED = "refund the payment charged twice";

/** Of which kinds the inputs of earlier handoffs are. */
const histories: Readonly<Record<string, (random: () => number) => number>> = {
  alike: () => 0,
  unlike: (random) => 1 + Math.floor(random() * (kinds.length - 1)),
  mixed: (random) => Math.floor(random() * kinds.length),
};

interface Coverage {
  /** How often the bounds held the truth, and how far apart they were on average, both in percent. */
  readonly held: number;
  readonly width: number;
}

/** How often the bounds that are said to hold nine times in ten hold, in worlds that are made without the estimator's beliefs. */
export function measure(): Report {
  const random = generator(1);
  const figures = Object.keys(histories).flatMap((history) =>
    HANDOFFS.flatMap((handoffs) =>
      Object.entries(worlds).flatMap(([name, each]) => judge(name, each, history, handoffs, random)),
    ),
  );
  return { figures: [...figures, ...measureWidths(random), ...lastingDescriptions()], notes: reasons };
}

/** The average over the worlds of one name; and where there are several, each of them. */
function judge(
  name: string,
  each: Readonly<Record<string, World>>,
  history: string,
  handoffs: number,
  random: () => number,
): Figure[] {
  const compare = (world: string, value: number): Figure => {
    const target = findAllowance(world, history, handoffs);
    return { name: `${history}, ${handoffs} handoffs: ${world}`, value, unit: "%", target };
  };
  const measureIn = (rounds: number) =>
    Object.values(each).map((world) => cover(world, history, handoffs, rounds, random).held);
  const count = Object.keys(each).length;
  const { from, to } = findAllowance(name, history, handoffs);
  const first = measureIn(count === 1 ? ROUNDS : ROUNDS / 2);
  const isNear = [from, to].some((bound) => Math.abs(average(first) - bound) < NEAR);
  const held = isNear ? measureIn(MORE_ROUNDS / count) : first;
  const parts = Object.keys(each).map((world, index) => compare(world, held[index] ?? 0));
  return [compare(name, average(held)), ...(count === 1 ? [] : parts)];
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function cover(world: World, history: string, handoffs: number, rounds: number, random: () => number): Coverage {
  let held = 0;
  let width = 0;
  for (let round = 0; round < rounds; round++) {
    const { truth, low, high } = simulate(world, history, handoffs, random);
    if (low <= truth && truth <= high) held++;
    width += high - low;
  }
  return { held: (100 * held) / rounds, width: (100 * width) / rounds };
}

interface Outcome {
  readonly truth: number;
  readonly low: number;
  readonly high: number;
}

/** The bounds of one target after so many handoffs, and what its rate is. */
function simulate(world: World, history: string, handoffs: number, random: () => number): Outcome {
  const { rates, fits } = world(kinds.length, random);
  const phrasings = kinds.map((words) => Array.from({ length: PHRASINGS }, () => phrase(words, random)));
  const kindOf = histories[history] ?? (() => 0);
  const all = Array.from({ length: Math.min(handoffs, COMPARED) }, () => {
    const kind = kindOf(random);
    const input = phrasings[kind]?.[Math.floor(random() * PHRASINGS)] ?? "";
    return { input, isSuccess: random() < (rates[kind] ?? 0) };
  });
  const describe = (isFit: boolean) => (isFit ? `takes care: ${ASKED}` : "the rest");
  const other = fits === undefined ? [] : [candidate("other", describe(!fits), [])];
  const targets = [candidate("target", fits === undefined ? "" : describe(fits), all), ...other];
  const { low = 0, high = 0 } = rankTargets(targets, ASKED).find(({ agent }) => agent === "target") ?? {};
  return { truth: rates[0] ?? 0, low, high };
}

function phrase(words: readonly string[], random: () => number): string {
  const draw = (from: readonly string[]) => from[Math.floor(random() * from.length)];
  return [draw(words), draw(words), draw(words), draw(words), draw(words), draw(common)].join(" ");
}

function candidate(id: string, description: string, newest: Candidate["newest"]): Candidate {
  const successes = newest.filter(({ isSuccess }) => isSuccess).length;
  const about = { id, specialties: [], description };
  return { about, successes, failures: newest.length - successes, newest };
}

/**
 * How far apart the bounds are for targets that do equally well on all kinds, of which only other kinds are known. Bounds that
 * never learned from other kinds would hold nine times in ten, too.
 */
function measureWidths(random: () => number): Figure[] {
  return HANDOFFS.map((handoffs) => {
    const { width } = cover(oneRate, "unlike", handoffs, ROUNDS / 5, random);
    const atMost = { 100: 60, 300: 25, 1000: 12, 3000: 12 }[handoffs];
    return {
      name: `unlike, ${handoffs} handoffs: width of the bounds, one rate`,
      value: width,
      unit: "points",
      ...(atMost !== undefined && { target: { atMost } }),
    };
  });
}

/** How far a description that fits still puts a target ahead of another with the same record of a thousand handoffs. */
function lastingDescriptions(): Figure[] {
  return [ASKED, "where is the parcel"].map((input) => {
    const all = Array.from({ length: 1000 }, (_, index) => ({ input, isSuccess: index % 2 === 0 }));
    const targets = [candidate("one", `takes care: ${ASKED}`, all), candidate("other", "the rest", all)];
    const [first, second] = rankTargets(targets, ASKED);
    return {
      name: `what a description adds after 1,000 handoffs on ${input === ASKED ? "this kind" : "another kind"}`,
      value: 100 * ((first?.expected ?? 0) - (second?.expected ?? 0)),
      unit: "points",
      target: { atMost: 0.5 },
    };
  });
}
