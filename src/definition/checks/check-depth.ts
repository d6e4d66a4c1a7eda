import type { Crew } from "../../vocabulary/crew.ts";
import type { CrewParts } from "../crew-parts.ts";

/**
 * Chains of sub-crews that are deeper than a crew lets crews nest: the last of them could never be called. A chain is
 * reported once, for the outermost crew whose limit it exceeds.
 */
export function checkDepth(root: Crew, parts: ReadonlyMap<Crew, CrewParts>): void {
  const chains = new Map<Crew, readonly string[]>();
  const seen = new Set<Crew>();
  const look = (crew: Crew) => {
    if (seen.has(crew)) return;
    seen.add(crew);
    const { maxCrewDepth: limit } = crew.settings;
    for (const [name, { crew: below }] of crew.subCrews) {
      const chain = [name, ...deepestBelow(below, chains)];
      if (chain.length > limit) report(crew, chain, parts.get(crew));
      else look(below);
    }
  };
  look(root);
}

function report({ name, settings }: Crew, chain: readonly string[], parts: CrewParts | undefined): void {
  const path = [name, ...chain].join(" -> ");
  const message = `sub-crews are nested ${chain.length} deep here, and 'max_crew_depth' is ${settings.maxCrewDepth}: ${path}`;
  parts?.crewFile.reporter.report("max-crew-depth", parts.placeOfKey(["sub_crews", chain[0] ?? ""]), message);
}

/** The longest chain of sub-crews below a crew. A crew that several others call is followed once. */
function deepestBelow(crew: Crew, known: Map<Crew, readonly string[]>): readonly string[] {
  const found = known.get(crew);
  if (found !== undefined) return found;
  let deepest: readonly string[] = [];
  for (const [name, { crew: below }] of crew.subCrews) {
    const chain = [name, ...deepestBelow(below, known)];
    if (chain.length > deepest.length) deepest = chain;
  }
  known.set(crew, deepest);
  return deepest;
}
