/** Where bounds cannot hold in 88 to 92 cases of 100, and why. */
interface Allowance {
  readonly worlds: readonly string[];
  readonly histories: readonly string[];
  /** For at most so many handoffs. */
  readonly upTo: number;
  readonly from: number;
  readonly to: number;
  readonly why: string;
}

const ALL = Number.POSITIVE_INFINITY;
const fixed = ["fixed at 10 %", "fixed at 30 %", "fixed at 50 %", "fixed at 70 %", "fixed at 90 %"];
const alikeOnAllKinds = ["one rate", "fixed rates", ...fixed];
const describedWorlds = ["descriptions that fit", "descriptions that mislead"];
const undecided =
  "handoffs on other kinds are nearly as probable whether kinds are alike or not; bounds that hold nine times in ten where they are not hold nearly always where they are";
const twoRates = "there are only two rates: bounds hold both, one or neither of them";
const fewResults = "a few handoffs have a few results: bounds miss some single rates more often, and others less";
const promises = "as far as true descriptions make bounds hold more often, misleading ones make them hold less often";
const oneWorld = "this is one world in fewer rounds; the average over its like is within 88 to 92";

/** The first that fits counts. */
const allowances: readonly Allowance[] = [
  { worlds: alikeOnAllKinds, histories: ["unlike"], upTo: 300, from: 88, to: 100, why: undecided },
  { worlds: alikeOnAllKinds, histories: ["unlike"], upTo: ALL, from: 88, to: 99.5, why: undecided },
  { worlds: fixed, histories: ["mixed"], upTo: 30, from: 88, to: 100, why: undecided },
  { worlds: alikeOnAllKinds, histories: ["mixed"], upTo: 10, from: 88, to: 99, why: undecided },
  { worlds: alikeOnAllKinds, histories: ["mixed"], upTo: ALL, from: 88, to: 98, why: undecided },
  { worlds: ["scattered rates"], histories: ["unlike"], upTo: 100, from: 88, to: 97, why: undecided },
  { worlds: ["scattered rates"], histories: ["mixed"], upTo: 10, from: 88, to: 96, why: undecided },
  { worlds: ["hard or easy"], histories: ["unlike"], upTo: ALL, from: 88, to: 100, why: twoRates },
  { worlds: ["hard or easy"], histories: ["mixed"], upTo: 10, from: 88, to: 99, why: twoRates },
  { worlds: ["hard or easy"], histories: ["alike"], upTo: 10, from: 86, to: 95, why: twoRates },
  { worlds: ["fixed rates"], histories: ["alike"], upTo: 3, from: 88, to: 94, why: fewResults },
  { worlds: fixed, histories: ["alike"], upTo: 3, from: 72, to: 99, why: fewResults },
  { worlds: fixed, histories: ["alike"], upTo: 30, from: 85, to: 97, why: fewResults },
  { worlds: fixed, histories: ["alike"], upTo: ALL, from: 86, to: 94, why: oneWorld },
  { worlds: describedWorlds, histories: ["alike", "unlike", "mixed"], upTo: 30, from: 82, to: 98, why: promises },
  { worlds: describedWorlds, histories: ["alike", "unlike", "mixed"], upTo: ALL, from: 86, to: 94, why: oneWorld },
];

/** How often bounds should hold, in percent. */
export function findAllowance(world: string, history: string, handoffs: number) {
  const { from, to } = allowances.find(
    ({ worlds, histories, upTo }) => worlds.includes(world) && histories.includes(history) && handoffs <= upTo,
  ) ?? { from: 88, to: 92 };
  return { from, to };
}

/** Where other figures than 88 to 92 are allowed, a line each. */
export const reasons: readonly string[] = [...new Set(allowances.map(({ why }) => why))].map((why) => {
  const all = allowances.filter((allowance) => allowance.why === why);
  const names = new Set(
    all.flatMap(({ worlds, histories }) => worlds.map((world) => `${histories.join("/")}: ${world}`)),
  );
  return `${[...names].join("; ")}: ${why}`;
});
