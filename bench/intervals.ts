import { type Candidate, rankTargets } from "../src/learning/rank-targets.ts";
import { generator } from "./learning-simulation.ts";
import type { Figure, Report } from "./report.ts";

/** The standard error of a coverage of 90 % is then 0.38 points. */
const ROUNDS = 6200;
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

/** How often the bounds that are said to hold nine times in ten hold, in worlds whose truth is known. */
export function measure(): Report {
  const figures = Object.keys(histories).flatMap((history) =>
    HANDOFFS.flatMap((handoffs) => coverage(history, handoffs)),
  );
  return { figures: [...figures, ...lastingDescriptions()] };
}

function coverage(history: string, handoffs: number): Figure[] {
  const random = generator(handoffs + history.length * 1_000_003);
  const held = { oneRate: 0, ownRates: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const world = round % 2 === 0 ? "oneRate" : "ownRates";
    if (holds(drawRates(world, random), history, handoffs, random)) held[world]++;
  }
  const name = `${history}, ${handoffs} handoffs`;
  const percent = (count: number, rounds: number) => (100 * count) / rounds;
  return [
    { name, value: percent(held.oneRate + held.ownRates, ROUNDS), unit: "%", target: { from: 88, to: 92 } },
    { name: `${name}: all kinds alike to the target`, value: percent(held.oneRate, ROUNDS / 2), unit: "%" },
    { name: `${name}: some kinds easier than others`, value: percent(held.ownRates, ROUNDS / 2), unit: "%" },
  ];
}

/** How often a target succeeds on each kind: more often than not; half of all targets equally often on each kind. */
function drawRates(world: "oneRate" | "ownRates", random: () => number): number[] {
  const usual = drawBeta(1.8, 1.2, random);
  return kinds.map(() => (world === "oneRate" ? usual : drawBeta(3 * usual + 0.5, 3 * (1 - usual) + 0.5, random)));
}

/** By Jöhnk's method. */
function drawBeta(a: number, b: number, random: () => number): number {
  for (;;) {
    const [x, y] = [random() ** (1 / a), random() ** (1 / b)];
    if (x + y <= 1 && x + y > 0) return x / (x + y);
  }
}

function holds(rates: readonly number[], history: string, handoffs: number, random: () => number): boolean {
  const phrasings = kinds.map((words) => Array.from({ length: PHRASINGS }, () => phrase(words, random)));
  const kindOf = histories[history] ?? (() => 0);
  const all = Array.from({ length: handoffs }, () => {
    const kind = kindOf(random);
    const input = phrasings[kind]?.[Math.floor(random() * PHRASINGS)] ?? "";
    return { input, isSuccess: random() < (rates[kind] ?? 0) };
  });
  const [ranked] = rankTargets([candidate("target", "", all)], ASKED);
  const [truth = 0] = rates;
  return ranked !== undefined && ranked.low <= truth && truth <= ranked.high;
}

function phrase(words: readonly string[], random: () => number): string {
  const draw = (from: readonly string[]) => from[Math.floor(random() * from.length)];
  return [draw(words), draw(words), draw(words), draw(words), draw(words), draw(common)].join(" ");
}

function candidate(id: string, description: string, all: Candidate["newest"]): Candidate {
  const successes = all.filter(({ isSuccess }) => isSuccess).length;
  const about = { id, specialties: [], description };
  return { about, successes, failures: all.length - successes, newest: all.slice(0, COMPARED) };
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
      target: { atMost: 1 },
    };
  });
}
