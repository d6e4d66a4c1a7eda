/** Who is named of a long way round: as many as are taken in at a glance. */
const SHOWN = 8;

/** The way round that the work has taken when it comes to `to`, where that one had it before. */
export function loopIn(chain: readonly string[], to: string): string | undefined {
  const since = chain.lastIndexOf(to);
  if (since === -1) return undefined;
  const round = chain.slice(since);
  const shown = round.length <= SHOWN ? round : [...round.slice(0, SHOWN - 1), `${round.length - SHOWN + 1} more`];
  return [...shown, to].join(" > ");
}
