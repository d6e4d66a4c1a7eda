import type { MapEntry } from "../definition/yaml-node.ts";
import type { PlannedAgent } from "./crew-plan.ts";
import type { Noter } from "./foreign-source.ts";

/** The agents without the calls that would lead back to their caller: such agents transfer instead, which may go round. */
export function breakCircles(
  agents: readonly PlannedAgent[],
  noter: Noter,
  entries: readonly MapEntry[],
): PlannedAgent[] {
  const calls = new Map<string, readonly string[]>();
  const leadsTo = (from: string, to: string, seen: Set<string> = new Set()): boolean => {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return (calls.get(from) ?? []).some((next) => leadsTo(next, to, seen));
  };
  return agents.map((agent) => {
    const named = listNames(agent.keys["agents"]);
    const back = named.filter((name) => leadsTo(name, agent.id));
    calls.set(
      agent.id,
      named.filter((name) => !back.includes(name)),
    );
    if (back.length === 0) return agent;
    const entry = entries.find(({ key }) => key === agent.id);
    if (entry !== undefined)
      noter.decide(
        entry,
        `'${agent.id}' calls ${back.map((name) => `'${name}'`).join(", ")}, which leads back to it; it transfers the work to it instead`,
        "keep it, or take it out of `collaborations`",
      );
    const collaborations = [...new Set([...listNames(agent.keys["collaborations"]), ...back])];
    return { ...agent, keys: { ...agent.keys, agents: named.filter((name) => !back.includes(name)), collaborations } };
  });
}

function listNames(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((each) => (typeof each === "string" ? each : [])) : [];
}
