/** How often a target succeeds on each kind of input, and whether its description fits the first kind, if it has one. */
export type World = (
  kinds: number,
  random: () => number,
) => { readonly rates: readonly number[]; readonly fits?: boolean };

/** Any rate, and the same on all kinds. */
export const oneRate: World = (kinds, random) => ({ rates: repeat(kinds, random()) });

/** By name. Where a name stands for several worlds, the average over them counts, too. */
export const worlds: Readonly<Record<string, Readonly<Record<string, World>>>> = {
  "one rate": { any: oneRate },
  /** Any rate on each kind, whatever the others are. */
  "own rates": { any: (kinds, random) => ({ rates: draw(kinds, random) }) },
  /** Any usual rate; in log odds, the rates of kinds scatter around it with a standard deviation of 1. */
  "scattered rates": {
    any: (kinds, random) => {
      const usual = 0.02 + 0.96 * random();
      return { rates: draw(kinds, () => shift(usual, drawNormal(random))) };
    },
  },
  /** Each kind is either hard or easy for the target. */
  "hard or easy": { any: (kinds, random) => ({ rates: draw(kinds, () => (random() < 0.5 ? 0.1 : 0.9)) }) },
  "fixed rates": Object.fromEntries(
    [0.1, 0.3, 0.5, 0.7, 0.9].map((rate) => [`fixed at ${100 * rate} %`, createFixed(rate)]),
  ),
  descriptions: { "descriptions that fit": createDescribed(true), "descriptions that mislead": createDescribed(false) },
};

function createFixed(rate: number): World {
  return (kinds) => ({ rates: repeat(kinds, rate) });
}

/** Own rates. Whether the description fits the kind that is asked about tells that the target is good at it, or that it is bad. */
function createDescribed(isTrue: boolean): World {
  return (kinds, random) => {
    const fits = random() < 0.5;
    const [, ...others] = draw(kinds, random);
    return { rates: [(random() + (fits === isTrue ? 1 : 0)) / 2, ...others], fits };
  };
}

function repeat(kinds: number, rate: number): number[] {
  return Array.from({ length: kinds }, () => rate);
}

function draw(kinds: number, random: () => number): number[] {
  return Array.from({ length: kinds }, () => random());
}

/** By the method of Box and Muller. */
function drawNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function shift(rate: number, logOdds: number): number {
  return 1 / (1 + ((1 - rate) / rate) * Math.exp(-logOdds));
}
