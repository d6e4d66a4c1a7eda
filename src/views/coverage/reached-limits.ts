import type { Ability } from "../../flow/coverage/coverage-item.ts";
import { nameCap } from "../../flow/coverage/list-limits.ts";
import type { BatonEvent, EventOf, Failure } from "../../vocabulary/events.ts";
import type { Quota } from "../../vocabulary/quota.ts";
import { type CrewLine, type CrewLines, findActor, findOuterPath } from "./crew-lines.ts";

/** An ability that an event shows, and the crew that has it. */
export interface Shown {
  readonly line: CrewLine;
  readonly ability: Ability;
}

/** Finds the limits that an event shows to be reached. */
export function findReachedLimits(event: BatonEvent, lines: CrewLines): Shown[] {
  const line = lines.of(event);
  const { agent } = event;
  switch (event.type) {
    case "handoff.refused":
      return [reach(event.data.setting === undefined ? line : lines.at(""), event.data.setting ?? "max_handoffs")];
    case "model.called":
      return findSpentTurns(event, line);
    case "model.failed":
      return event.data.code === "timeout"
        ? [reach(line, "llm_timeout", agent), reach(line, "llm_timeout_seconds")]
        : [];
    case "function.failed":
      return event.data.code === "timeout" ? reachToolTime(line, agent) : [];
    case "tool.failed":
      if (event.data.message.startsWith("not called: one turn")) return [reach(line, "max_tool_calls_per_turn", agent)];
      return event.data.message.startsWith("did not finish within") ? reachToolTime(line, agent) : [];
    case "advisors.gathered":
      return event.data.outcomes.some(({ status }) => status === "late") ? [reach(line, "advisor_timeout", agent)] : [];
    case "team.left":
      return findTurnsOfTeams(event, line);
    case "deadline.passed":
      return findPassedTime(event, lines);
    case "quota.exceeded":
    case "quota.warning":
      return findSpentCap(event, lines);
    case "agent.failed":
      return /^reached max_consecutive_errors/.test(event.data.message) ? [reach(line, "max_consecutive_errors")] : [];
    case "run.completed":
    case "run.failed":
      return findFailedLimits(event.data.error, lines.at(""), lines);
    case "crew.left":
      return findFailedLimits(event.data.error, lines.at(event.path), lines);
    default:
      return [];
  }
}

function reach(line: CrewLine, limit: string, of?: string): Shown {
  return { line, ability: { kind: "limit", limit, ...(of !== undefined && { of }) } };
}

function reachToolTime(line: CrewLine, agent: string | undefined): Shown[] {
  return [reach(line, "tool_timeout", agent), reach(line, "tool_timeout_seconds")];
}

/** A session's last turn shows its limit, since the agent is then told to come to an end. */
function findSpentTurns(event: EventOf<"model.called">, line: CrewLine): Shown[] {
  const agent = findActor(line, event);
  if (agent === undefined) return [];
  const turns = event.data.turn + 1;
  const teams = [...line.crew.agents.values()].filter(({ team }) => {
    const { supervisor, supervisorMaxTurns = Number.POSITIVE_INFINITY } = team ?? {};
    return supervisor === agent.id && turns >= supervisorMaxTurns;
  });
  return [
    ...(turns >= agent.limits.maxTurns ? [reach(line, "max_turns", agent.id)] : []),
    ...teams.map(({ id }) => reach(line, "supervisor_max_turns", id)),
  ];
}

function findTurnsOfTeams({ data: { memberId, reason = "" } }: EventOf<"team.left">, line: CrewLine): Shown[] {
  if (!/\bturns\b|max_turns/.test(reason)) return [];
  const teams = [...line.crew.agents.values()].filter(({ team }) => team?.members.includes(memberId));
  return teams.map(({ id }) => reach(line, "member_max_turns", id));
}

/** A time that passed shows each limit of this length there: of the call, of the caller, of the called crew. */
function findPassedTime({ path, data: { what, afterMs } }: EventOf<"deadline.passed">, lines: CrewLines): Shown[] {
  if (what === "run") return [reach(lines.at(""), "timeout_seconds")];
  if (what !== "crew") return [];
  const at = findOuterPath(path);
  const callee = lines.at(at);
  const caller = lines.around(findOuterPath(at));
  const { bindings, settings } = caller.crew;
  const calls = [...bindings].flatMap(([agent, all]) =>
    all.flatMap(({ signal, move }) =>
      move.type === "sub_crew" && move.timeoutMs === afterMs ? [`${agent} ${signal}`] : [],
    ),
  );
  return [
    ...(callee.crew.settings.timeoutMs === afterMs ? [reach(callee, "timeout_seconds")] : []),
    ...(settings.subCrewTimeoutMs === afterMs ? [reach(caller, "sub_crew_timeout_seconds")] : []),
    ...calls.map((call) => reach(caller, "timeout_seconds", call)),
  ];
}

const capFields: Readonly<Record<string, keyof Quota>> = {
  max_cost_usd: "maxCostUsd",
  max_tokens: "maxTokens",
  max_tokens_per_call: "maxTokensPerCall",
  max_llm_calls: "maxLlmCalls",
  max_tool_calls: "maxToolCalls",
  max_calls_per_minute: "maxCallsPerMinute",
  max_calls_per_hour: "maxCallsPerHour",
};

/** A cap is the run's, a crew's (which the crew or its caller may set) or an agent's. */
function findSpentCap({ data }: EventOf<"quota.exceeded" | "quota.warning">, lines: CrewLines): Shown[] {
  const { quota, level, of, per, limit } = data;
  const cap = nameCap(quota, per);
  if (level === "run") return [reach(lines.at(""), cap)];
  const [place, name] = [findOuterPath(of), of.slice(of.lastIndexOf("/") + 1)];
  const outer = lines.named(place);
  if (level === "agent") return outer === undefined ? [] : [reach(outer, cap, name)];
  const own = lines.named(of);
  const field = capFields[quota];
  const sets = (quotas: readonly Quota[] = []) =>
    field !== undefined && quotas.some((each) => each.per === per && each[field] === limit);
  return [
    ...(own !== undefined && sets(own.crew.settings.quotas) ? [reach(own, cap)] : []),
    ...(outer !== undefined && sets(outer.crew.subCrews.get(name)?.quotas)
      ? [reach(outer, cap, `sub-crew ${name}`)]
      : []),
  ];
}

/** The limits that a failure names. A crew that is too deep fails before it begins, so only the chain of causes tells of it. */
function findFailedLimits(failure: Failure | undefined, line: CrewLine, lines: CrewLines): Shown[] {
  if (failure === undefined) return [];
  const { code, message, crew, cause, earlier } = failure;
  const inner = [cause, earlier].flatMap((each) => findFailedLimits(each, line, lines));
  const deeper = inner.filter(({ ability }) => ability.kind === "limit" && ability.limit === "max_crew_depth");
  switch (code) {
    case "max_rounds":
      return [reach(line, "max_rounds")];
    case "input_too_large":
      return [reach(line, "max_input_size_kb")];
    case "too_many_items":
      return [...line.crew.groups.keys()].flatMap((name) =>
        message.startsWith(`group '${name}' `) ? [reach(line, "max_items", `group ${name}`)] : [],
      );
    case "max_crew_depth":
      return [reach(lines.named(crew) ?? lines.at(""), "max_crew_depth")];
    default:
      return deeper;
  }
}
