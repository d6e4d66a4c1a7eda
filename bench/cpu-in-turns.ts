import { median } from "./report.ts";

/** Many short ones rather than few long ones: what a machine does beside lasts for a while. */
const ROUNDS = 45;
/** The first are for the compiler. */
const WARMING = 9;

/** Microseconds of CPU that each way takes, the median of rounds in which they take turns. */
export async function cpuInTurns(ways: readonly (() => Promise<unknown>)[], calls: number): Promise<number[]> {
  const rounds = ways.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, way] of ways.entries()) {
      const before = process.cpuUsage();
      for (let call = 0; call < calls; call++) await way();
      const { user, system } = process.cpuUsage(before);
      if (round >= WARMING) rounds[index]?.push((user + system) / calls);
    }
  }
  return rounds.map(median);
}
