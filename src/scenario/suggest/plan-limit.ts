import { findLongWay, findShortestWay } from "../../flow/coverage/shortest-way.ts";
import { listTransitions, type Standing } from "../../flow/transitions.ts";
import type { Agent, Crew } from "../../vocabulary/crew.ts";
import { findFirstSpeaker } from "./first-speaker.ts";
import type { Plan } from "./scenario-plan.ts";
import { callTool, overloaded, type Reply, writeAnswer, writeSignal } from "./write-reply.ts";

/** Plans a run that reaches a limit; false if nothing is known that would. */
export function planLimit(plan: Plan, of: string | undefined, limit: string): boolean {
  const { crew } = plan;
  const { settings } = crew;
  switch (limit) {
    case "max_handoffs":
      return goFar(plan, settings.maxHandoffs);
    case "max_run_handoffs":
      return goFar(plan, settings.maxRunHandoffs);
    case "max_rounds":
      return answerOften(plan, settings.maxRounds);
    case "timeout_seconds":
      return of === undefined ? beSlow(plan, settings.timeoutMs) : beSlowInCall(plan, of);
    case "sub_crew_timeout_seconds":
      return [...crew.bindings].some(([agent, bindings]) =>
        bindings.some(
          ({ signal, move }) =>
            move.type === "sub_crew" &&
            move.timeoutMs === settings.subCrewTimeoutMs &&
            beSlowInCall(plan, `${agent} ${signal}`),
        ),
      );
    case "llm_timeout":
    case "llm_timeout_seconds":
      return withAgent(plan, of ?? findEntry(crew), (agent) => [late(agent.limits.llmTimeoutMs)]);
    case "tool_timeout":
    case "tool_timeout_seconds":
      return beSlowInTool(plan, of);
    case "advisor_timeout":
      return withAgent(plan, of ?? "", (agent) => {
        plan.say(agent.advisors[0] ?? "", "called", late(agent.limits.advisorTimeoutMs));
        return [];
      });
    case "max_turns":
      return withAgent(plan, of ?? "", ({ limits }) => callNothing(limits.maxTurns - 1));
    case "max_tool_calls_per_turn":
      return withAgent(plan, of ?? "", ({ limits }) => {
        const calls = Array.from({ length: limits.maxToolCallsPerTurn + 1 }, () => ({ name: "todo", args: {} }));
        return [{ tools: calls }];
      });
    case "member_max_turns":
    case "supervisor_max_turns":
      return tireTeam(plan, of ?? "", limit);
    case "max_input_size_kb":
      plan.input = "TODO ".repeat(Math.ceil(((settings.maxInputSizeKb ?? 0) * 1024) / 5) + 1);
      return true;
    case "max_items":
      return overfill(plan, (of ?? "").replace(/^group /, ""));
    case "max_consecutive_errors": {
      const errors = Array.from({ length: settings.maxConsecutiveErrors ?? 0 }, () => overloaded);
      return withAgent(plan, findEntry(crew), () => errors);
    }
    default:
      return spend(plan, of, limit);
  }
}

function findEntry({ entryPoint, listed }: Crew): string {
  return entryPoint.type === "agent" ? entryPoint.agent : (listed[0] ?? "");
}

function late(ms: number): Reply {
  return { text: "TODO: an answer that comes too late", latency_ms: ms + 1000 };
}

/** Calls of a tool that does not exist take turns, whatever tools the agent has. */
function callNothing(times: number): Reply[] {
  return Array.from({ length: times }, () => callTool("todo", {}));
}

function withAgent(plan: Plan, id: string, write: (agent: Agent, standing: Standing) => readonly Reply[]): boolean {
  const standing = plan.goToAgent(id, true);
  const agent = plan.crew.agents.get(id);
  if (standing === undefined || agent === undefined) return false;
  plan.say(id, standing, ...write(agent, standing));
  return true;
}

/** A way with one handoff more than the limit allows. */
function goFar(plan: Plan, handoffs: number): boolean {
  const way = findLongWay(plan.crew, plan.map, handoffs);
  if (way !== undefined) plan.follow(way);
  return way !== undefined;
}

/** Answers need no handoffs where an agent waits for a human between them. */
function answerOften(plan: Plan, rounds: number): boolean {
  const { crew, map } = plan;
  if (rounds <= crew.settings.maxHandoffs && goFar(plan, rounds)) return true;
  const way = findShortestWay(
    crew,
    map,
    (stop) => stop.type === "agent" && findPausing(crew, stop.agent) !== undefined,
  );
  if (way?.end.type !== "agent") return false;
  const { agent } = way.end;
  const pausing = findPausing(crew, agent);
  plan.follow(way);
  for (let round = 0; round <= rounds && pausing !== undefined; round++) plan.say(agent, "line", pausing);
  return true;
}

/** What an agent says to make its run wait for a human. */
function findPausing(crew: Crew, id: string): Reply | undefined {
  const agent = crew.agents.get(id);
  if (agent === undefined) return undefined;
  const found = listTransitions(crew, agent, "line").find(({ stop }) => stop.type === "pause");
  if (found === undefined) return undefined;
  return found.signal === undefined ? writeAnswer(agent) : writeSignal(crew, agent, found.signal, undefined);
}

/** Each call may take no longer than a model may, so several in a row may be needed to use the time up. */
function beSlow(plan: Plan, ms: number): boolean {
  return withAgent(plan, findEntry(plan.crew), ({ limits, function: own }) => {
    const perCall = own === undefined ? limits.llmTimeoutMs : limits.toolTimeoutMs;
    return perCall > ms ? [late(ms)] : [...makeCalls(perCall - 1, Math.ceil(ms / (perCall - 1)))];
  });
}

/** Turns that take almost as long as one may. */
function makeCalls(ms: number, times: number): Reply[] {
  return Array.from({ length: times }, () => ({ ...callTool("todo", {}), latency_ms: ms }));
}

function beSlowInCall(plan: Plan, of: string): boolean {
  for (const [id, bindings] of plan.crew.bindings)
    for (const { signal, move } of bindings) {
      const agent = plan.crew.agents.get(id);
      const [first] = move.type === "sub_crew" ? move.crews : [];
      if (`${id} ${signal}` !== of || move.type !== "sub_crew" || first === undefined || agent === undefined) continue;
      if (plan.goToAgent(id) === undefined) return false;
      plan.say(id, "line", writeSignal(plan.crew, agent, signal, undefined));
      plan.say(findFirstSpeaker(plan.crew, first), "line", late(move.timeoutMs));
      return true;
    }
  return false;
}

function beSlowInTool(plan: Plan, of: string | undefined): boolean {
  const agents = [...plan.crew.agents.values()].filter(({ id }) => of === undefined || id === of);
  return agents.some((agent) => {
    const [tool] = agent.tools.filter((name) => !name.includes("*"));
    if (agent.function !== undefined) return withAgent(plan, agent.id, () => [late(agent.limits.toolTimeoutMs)]);
    if (tool === undefined || !withAgent(plan, agent.id, () => [callTool(tool, {})])) return false;
    plan.tools.set(tool, { result: "TODO: what the tool gives", delay_ms: agent.limits.toolTimeoutMs + 1000 });
    return true;
  });
}

/** Members spend turns on calls; whoever has none left leaves when the next cycle begins. */
function tireTeam(plan: Plan, id: string, limit: string): boolean {
  const team = plan.crew.agents.get(id)?.team;
  if (team === undefined || plan.goToAgent(id, true) === undefined) return false;
  const again = callTool("team__broadcast", { message: "TODO: what the team should do next" });
  const isMember = limit === "member_max_turns";
  const turns = (isMember ? team.memberMaxTurns : team.supervisorMaxTurns) ?? 1;
  const [member = ""] = team.members;
  if (isMember) plan.say(member, "called", ...callNothing(turns - 1));
  const broadcasts = Array.from({ length: isMember ? 1 : turns - 1 }, () => again);
  for (const standing of ["line", "called"] as const) plan.say(team.supervisor, standing, ...broadcasts);
  return true;
}

function overfill(plan: Plan, group: string): boolean {
  const items = (plan.crew.groups.get(group)?.forEach?.maxItems ?? 0) + 1;
  return plan.goTo((stop) => stop.type === "group" && stop.group === group, { items }) !== undefined;
}

/** As many model calls as the turns of all agents on a long way allow. */
function callOften(plan: Plan): boolean {
  const { crew, map } = plan;
  const way =
    findLongWay(crew, map, crew.settings.maxHandoffs) ?? findShortestWay(crew, map, ({ type }) => type === "end");
  if (way === undefined) return false;
  plan.follow(way, {}, ({ limits, function: own }) => (own === undefined ? callNothing(limits.maxTurns - 1) : []));
  return true;
}

/** Uses up a quota: by many tokens in a first turn, or by many turns, after which another call is refused. */
function spend(plan: Plan, of: string | undefined, limit: string): boolean {
  const crewName = of?.startsWith("sub-crew ") ? of.slice("sub-crew ".length) : undefined;
  const isOfCalls = /calls/.test(limit);
  const usage = { input: 100_000_000, output: 100_000_000 };
  const calls = (agent: Agent) =>
    isOfCalls ? callNothing(agent.limits.maxTurns) : [{ ...callTool("todo", {}), usage }];
  if (isOfCalls && of === undefined) return callOften(plan);
  if (crewName === undefined) return withAgent(plan, of ?? findEntry(plan.crew), calls);
  const speaker = findFirstSpeaker(plan.crew, crewName);
  const callee = plan.crew.subCrews.get(crewName)?.crew;
  const agent = callee?.agents.get(speaker.slice(crewName.length + 1));
  const isCalled = plan.goTo((stop) => stop.type === "crews" && stop.crews.includes(crewName)) !== undefined;
  if (!isCalled || agent === undefined) return false;
  plan.say(speaker, "line", ...calls(agent));
  return true;
}
