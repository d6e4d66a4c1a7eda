import type { Agent, Crew, Settings } from "../../vocabulary/crew.ts";
import { changeAgents } from "../list-crews.ts";
import type { Plan, Suggestion } from "./plan.ts";

/** The figures of a changed crew that a suggestion is judged by. */
type Replan = (
  crew: Crew,
  keepsGraph: boolean,
) => { readonly costUsd: number | null; readonly modelCalls: number | null };

/** A limit that could be lower. */
interface Change {
  readonly key: string;
  readonly from: number | undefined;
  readonly to: number;
  readonly crew: Crew;
}

const SHOWN = 3;
const LOOKED_AT = 3;

/** The limits that would lower the worst case most: the plan is made again with each of them. */
export function suggest(plan: Plan, crew: Crew, replan: Replan): Suggestion[] {
  const before = plan.worst;
  const changes = [...listAgentChanges(plan, crew), ...listCrewChanges(plan, crew)];
  const made = changes.flatMap((change): Suggestion[] => {
    const worst = replan(change.crew, !/max_retries|max_tool_calls_per_turn/.test(change.key));
    const savesUsd = before.costUsd === null || worst.costUsd === null ? null : cents(before.costUsd - worst.costUsd);
    const savesCalls =
      before.modelCalls === null || worst.modelCalls === null ? 0 : before.modelCalls - worst.modelCalls;
    const { key, from = null, to } = change;
    return (savesUsd ?? savesCalls) > 0 ? [{ key, from, to, savesUsd, savesCalls }] : [];
  });
  return made.sort((a, b) => (b.savesUsd ?? b.savesCalls) - (a.savesUsd ?? a.savesCalls)).slice(0, SHOWN);
}

function cents(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}

/** Limits of the agents that take most of the worst case. */
function listAgentChanges({ agents }: Plan, crew: Crew): Change[] {
  const large = agents.filter(({ modelCalls }) => modelCalls > 0).slice(0, LOOKED_AT);
  return large.flatMap(({ agent: name }) => {
    const agent = findAgent(crew, name);
    if (agent === undefined) return [];
    const { limits, sampling } = agent;
    const change = (key: string, from: number | undefined, to: number, changed: Agent): Change => ({
      key: `${name}.${key}`,
      from,
      to,
      crew: changeAgents(crew, (each, at) => (at === name ? changed : each)),
    });
    const { maxTurns, maxRetries, maxToolCallsPerTurn } = limits;
    const isWordy = sampling.maxOutputTokens === undefined || sampling.maxOutputTokens > 1024;
    return [
      ...(maxTurns > 4 ? [change("max_turns", maxTurns, 4, { ...agent, limits: { ...limits, maxTurns: 4 } })] : []),
      ...(maxRetries > 1
        ? [change("max_retries", maxRetries, 1, { ...agent, limits: { ...limits, maxRetries: 1 } })]
        : []),
      ...(maxToolCallsPerTurn > 3 && agent.subAgents.length + agent.delegate.length > 0
        ? [
            change("max_tool_calls_per_turn", maxToolCallsPerTurn, 3, {
              ...agent,
              limits: { ...limits, maxToolCallsPerTurn: 3 },
            }),
          ]
        : []),
      ...(isWordy
        ? [
            change("max_output_tokens", sampling.maxOutputTokens, 1024, {
              ...agent,
              sampling: { ...sampling, maxOutputTokens: 1024 },
            }),
          ]
        : []),
    ];
  });
}

function findAgent(crew: Crew, name: string): Agent | undefined {
  const [first = "", ...rest] = name.split("/");
  const sub = crew.subCrews.get(first);
  return rest.length === 0 || sub === undefined ? crew.agents.get(name) : findAgent(sub.crew, rest.join("/"));
}

function listCrewChanges({ worst, likely }: Plan, crew: Crew): Change[] {
  const { settings } = crew;
  const change = (key: string, from: number | undefined, to: number, changed: Partial<Settings>): Change => ({
    key: `settings.${key}`,
    from,
    to,
    crew: { ...crew, settings: { ...settings, ...changed } },
  });
  // Where no limit ends the worst path, each of its handoffs may be one that the work needs.
  const isEndedBy = worst.endsBy === "max_handoffs";
  const needed = Math.ceil(likely?.handoffs ?? 0);
  const handoffs = isEndedBy ? Math.max(needed, Math.floor(settings.maxHandoffs / 2)) : settings.maxHandoffs;
  const rounds = Math.floor(Math.min(worst.rounds ?? 0, settings.maxRounds) / 2);
  const { maxContextWindow: window } = settings;
  return [
    ...(handoffs > 0 && handoffs < settings.maxHandoffs
      ? [change("max_handoffs", settings.maxHandoffs, handoffs, { maxHandoffs: handoffs })]
      : []),
    ...(rounds > 0 && worst.endsBy === "max_rounds"
      ? [change("max_rounds", settings.maxRounds, rounds, { maxRounds: rounds })]
      : []),
    ...(window === undefined || window > 32_000
      ? [change("max_context_window", window, 32_000, { maxContextWindow: 32_000 })]
      : []),
  ];
}
