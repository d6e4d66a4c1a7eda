import type { Crew } from "../vocabulary/crew.ts";

export function findUnusedGroups({ groups, bindings, defaults }: Crew): string[] {
  const used = new Set<string | null>(defaults.values());
  for (const { move } of [...bindings.values()].flat()) if (move.type === "parallel") used.add(move.group);
  return [...groups.keys()].filter((group) => !used.has(group));
}

export function findUnusedCrews({ subCrews, bindings, groups, agents }: Crew): string[] {
  const used = new Set([
    ...[...groups.values()].flatMap(({ crews }) => crews),
    ...[...agents.values()].flatMap(({ delegate }) => delegate),
  ]);
  for (const { move } of [...bindings.values()].flat()) {
    if (move.type !== "sub_crew") continue;
    for (const crew of move.crews) used.add(crew);
    if (move.fallbackCrew !== undefined) used.add(move.fallbackCrew);
  }
  return [...subCrews.keys()].filter((crew) => !used.has(crew));
}
