import type { Crew } from "../../vocabulary/crew.ts";
import { examineFlow } from "../examine-flow.ts";
import { exploreFlow } from "../explore-flow.ts";
import { findUnusedCrews, findUnusedGroups } from "../find-unused.ts";
import { joinPlace } from "../list-crews.ts";

/** What no run of a crew ever reaches: agents by name; bindings, groups and sub-crews in words. */
export function listUnreachable(crew: Crew, place = "", seen = new Set<Crew>()): string[] {
  if (seen.has(crew)) return [];
  seen.add(crew);
  const at = (name: string) => joinPlace(place, name);
  const stops = [...exploreFlow(crew).values()].map(({ stop }) => stop);
  const onLine = new Set(
    stops.flatMap((stop) => (stop.type === "agent" && stop.standing !== "called" ? stop.agent : [])),
  );
  const spoken = new Set(stops.flatMap((stop) => (stop.type === "agent" ? stop.agent : [])));
  const entered = new Set(stops.flatMap((stop) => (stop.type === "group" ? stop.group : [])));
  const agents = new Set([
    ...examineFlow(crew).unreachable,
    ...[...crew.agents.keys()].filter((id) => !spoken.has(id)),
  ]);
  const silent = [...crew.bindings].flatMap(([agent, bound]) =>
    onLine.has(agent) ? [] : bound.map(({ signal }) => `binding ${at(agent)} ${signal}`),
  );
  const groups = new Set([
    ...findUnusedGroups(crew),
    ...[...crew.groups.keys()].filter((group) => !entered.has(group)),
  ]);
  return [
    ...[...agents].map(at),
    ...silent,
    ...[...groups].map((group) => `group ${at(group)}`),
    ...findUnusedCrews(crew).map((name) => `sub-crew ${at(name)}`),
    ...[...crew.subCrews].flatMap(([name, { crew: below }]) => listUnreachable(below, at(name), seen)),
  ];
}
