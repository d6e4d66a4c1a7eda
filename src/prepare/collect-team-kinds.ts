import { listAgents } from "../flow/list-crews.ts";
import type { TeamKind } from "../orchestration/patterns/team-kind.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";

/** Collects the given kinds of teams and checks that all kinds the crew names are among them. */
export function collectTeamKinds(
  crew: Crew,
  given: Readonly<Record<string, TeamKind>> | undefined,
): ReadonlyMap<string, TeamKind> {
  const kinds = new Map(Object.entries(given ?? {}));
  const problems = listAgents(crew).flatMap(([id, { team }]) =>
    team?.kind === undefined || kinds.has(team.kind) ? [] : [`agent '${id}' has a team of unknown kind '${team.kind}'`],
  );
  if (problems.length === 0) return kinds;
  const known = kinds.size === 0 ? "no kinds were given" : `there are ${[...kinds.keys()].join(", ")}`;
  const way = "a kind is given in code: loadCrew(path, { teams: { name: kind } })";
  throw new BatonError("unknown-team-kind", `${problems.join("; ")}; ${known} (${way})`);
}
