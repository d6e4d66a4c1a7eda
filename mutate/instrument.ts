import type { Mutant } from "./find-mutants.ts";

/**
 * A source with all its mutants in it, behind a switch: nothing is built again for one of them. What replaces a node is
 * text without mutants, since only one is active at a time. Lines keep their numbers.
 *
 * @param idOf the number under which the switch knows a mutant
 * @param switchPath where the source imports the switch from
 */
export function instrument(
  text: string,
  mutants: readonly Mutant[],
  idOf: (mutant: Mutant) => number,
  switchPath: string,
): string {
  if (mutants.length === 0) return text;
  const insertions = mutants.flatMap((mutant, order) => {
    const [before, after] = wrap(mutant, idOf(mutant));
    // At the same place, what ends comes before what begins; an outer node begins first, and ends last.
    return [
      { at: mutant.start, rank: order, text: before },
      { at: mutant.end, rank: -1 - order, text: after },
    ];
  });
  insertions.sort((a, b) => a.at - b.at || a.rank - b.rank);
  let [result, from] = [`import { isMutant as __mutant } from ${JSON.stringify(switchPath)}; `, 0];
  for (const { at, text: inserted } of insertions) {
    result += text.slice(from, at) + inserted;
    from = at;
  }
  return result + text.slice(from);
}

function wrap({ isStatement, replacement }: Mutant, id: number): readonly [before: string, after: string] {
  return isStatement ? [`{ if (!__mutant(${id})) `, " }"] : [`(__mutant(${id}) ? (${replacement}) : (`, "))"];
}
