import type { Crew } from "../../vocabulary/crew.ts";
import type { Quota } from "../../vocabulary/quota.ts";
import { changeAgents } from "../list-crews.ts";
import type { AgentBounds } from "./agent-bounds.ts";
import type { BindingQuota } from "./plan.ts";
import { findCap } from "./quota-bounds.ts";
import { type Surveying, surveyCrew } from "./survey.ts";
import { listGroups } from "./work.ts";

const keys = {
  modelCalls: "max_llm_calls",
  toolCalls: "max_tool_calls",
  costUsd: "max_cost_usd",
  inputTokens: "max_tokens",
} as const;

/** The cap that the worst run would exceed by most, and so reach first, if nothing but its limits ended it. */
export function findBindingQuota(
  surveying: Surveying,
  reached: ReadonlyMap<string, AgentBounds>,
): BindingQuota | undefined {
  const { crew } = surveying;
  const own = [...reached.values()].filter(({ agent }) => agent.quotas.length > 0);
  if (crew.settings.quotas.length + own.length === 0 && !hasQuotas(crew)) return undefined;
  const free = { ...surveying, crew: withoutQuotas(crew), graphs: new Map() };
  const found: BindingQuota[] = [];
  for (const figure of ["modelCalls", "toolCalls", "costUsd", "inputTokens"] as const) {
    const { work } = surveyCrew(free, figure);
    const note = (of: string, quotas: readonly Quota[], worst: number) => {
      for (const quota of quotas.filter(({ onExceed }) => onExceed !== "warn")) {
        const cap = findCap(quota, figure);
        if (cap !== undefined && worst > cap) found.push({ of, key: keys[figure], cap, worst });
      }
    };
    note(crew.name, crew.settings.quotas, work.value);
    if (figure !== "modelCalls") continue;
    const calls = Map.groupBy(listGroups(work), ({ agent }) => agent);
    for (const { name, agent } of own)
      note(
        name,
        agent.quotas,
        (calls.get(name) ?? []).reduce((sum, each) => sum + each.calls, 0),
      );
  }
  return found.sort((a, b) => a.cap / a.worst - b.cap / b.worst)[0];
}

function hasQuotas({ settings, subCrews }: Crew): boolean {
  return (
    settings.quotas.length > 0 ||
    [...subCrews.values()].some(({ quotas, crew }) => quotas.length > 0 || hasQuotas(crew))
  );
}

function withoutQuotas(crew: Crew): Crew {
  const strip = (each: Crew): Crew => ({
    ...each,
    settings: { ...each.settings, quotas: [] },
    subCrews: new Map([...each.subCrews].map(([name, sub]) => [name, { ...sub, quotas: [], crew: strip(sub.crew) }])),
  });
  return changeAgents(strip(crew), (agent) => ({ ...agent, quotas: [] }));
}
