import type { Agent, Crew } from "../../vocabulary/crew.ts";
import type { Quota } from "../../vocabulary/quota.ts";
import { type CoverageItem, type DeclaredAt, nameAbility } from "./coverage-item.ts";

/** The limits of a crew's settings that end, fail or refuse something. */
const settingsKeys = [
  "max_handoffs",
  "max_run_handoffs",
  "max_rounds",
  "timeout_seconds",
  "max_crew_depth",
  "sub_crew_timeout_seconds",
  "llm_timeout_seconds",
  "tool_timeout_seconds",
  "max_input_size_kb",
  "max_consecutive_errors",
];
const agentKeys = ["max_turns", "max_tool_calls_per_turn", "llm_timeout", "tool_timeout", "advisor_timeout"];
const teamKeys = ["member_max_turns", "supervisor_max_turns"];

/** The caps of a quota, with the names that files and events use. */
const caps: Readonly<Record<string, (quota: Quota) => number | undefined>> = {
  max_cost_usd: (quota) => quota.maxCostUsd,
  max_tokens: (quota) => quota.maxTokens,
  max_tokens_per_call: (quota) => quota.maxTokensPerCall,
  max_llm_calls: (quota) => quota.maxLlmCalls,
  max_tool_calls: (quota) => quota.maxToolCalls,
  max_calls_per_minute: (quota) => quota.maxCallsPerMinute,
  max_calls_per_hour: (quota) => quota.maxCallsPerHour,
};

/**
 * Lists the limits that a crew sets. A limit that is left at its default is none of these. That a group has its time is what its late
 * members show.
 */
export function listLimits(crew: Crew, isSet: (at: DeclaredAt) => boolean): CoverageItem[] {
  const set = (of: string | undefined, limit: string, at: DeclaredAt) =>
    isSet(at) ? [createLimit(of, limit, at)] : [];
  const { quotas } = crew.settings;
  return [
    ...settingsKeys.flatMap((key) => set(undefined, key, { keys: ["settings", key] })),
    ...quotas.flatMap((quota) => listCaps(quota, undefined, { keys: ["settings", "quotas"] })),
    ...[...crew.agents.values()].flatMap((agent) => listAgentLimits(agent, set)),
    ...[...crew.groups].flatMap(([name, { forEach }]) =>
      forEach === undefined
        ? []
        : set(`group ${name}`, "max_items", { keys: ["routing", "parallel_groups", name, "max_items"] }),
    ),
    ...[...crew.bindings].flatMap(([agent, bindings]) =>
      bindings.flatMap(({ signal, move }, index) =>
        move.type !== "sub_crew"
          ? []
          : set(`${agent} ${signal}`, "timeout_seconds", {
              keys: ["routing", "signals", agent, index, "timeout_seconds"],
            }),
      ),
    ),
    ...[...crew.subCrews].flatMap(([name, subCrew]) =>
      subCrew.quotas.flatMap((quota) => listCaps(quota, `sub-crew ${name}`, { keys: ["sub_crews", name, "quotas"] })),
    ),
  ];
}

function listAgentLimits(
  { id, team, quotas }: Agent,
  set: (of: string, limit: string, at: DeclaredAt) => CoverageItem[],
): CoverageItem[] {
  return [
    ...agentKeys.flatMap((key) => set(id, key, { agent: id, keys: [key] })),
    ...(team === undefined ? [] : teamKeys).flatMap((key) => set(id, key, { agent: id, keys: ["team", key] })),
    ...quotas.flatMap((quota) => listCaps(quota, id, { agent: id, keys: ["quotas"] })),
  ];
}

function listCaps(quota: Quota, of: string | undefined, at: DeclaredAt): CoverageItem[] {
  return Object.entries(caps).flatMap(([name, read]) =>
    read(quota) === undefined ? [] : [createLimit(of, nameCap(name, quota.per), { ...at, keys: [...at.keys, name] })],
  );
}

export function nameCap(cap: string, per: Quota["per"]): string {
  return per === "day" ? `${cap} per day` : cap;
}

function createLimit(of: string | undefined, limit: string, at: DeclaredAt): CoverageItem {
  const ability = { kind: "limit", limit, ...(of !== undefined && { of }) } as const;
  return { name: nameAbility(ability), ability, at };
}
