import type { Team } from "../../vocabulary/crew.ts";
import type { AgentBounds } from "./agent-bounds.ts";
import { boundsAt, type CrewAt } from "./crew-at.ts";
import { isPlain, reachInCall } from "./in-call.ts";
import { addWork, largestWork, noWork, repeatWork, type Work } from "./work.ts";

/** What a team takes besides its supervisor's session: all turns of its members, and all turns but the forced one of its supervisor. */
export interface TeamQuestion {
  readonly said: number;
  readonly isOfSummary?: boolean | undefined;
  readonly depth?: number | undefined;
}

/** The most that members of a team take, over all cycles. */
export function membersWork(
  at: CrewAt,
  { said, isOfSummary, depth = 1 }: TeamQuestion,
  supervisor: AgentBounds,
  team: Team,
): Work {
  const { isTime } = at.survey.measure;
  const members = [...new Set(team.members)].filter((id) => at.crew.agents.has(id));
  const turns = countSupervisorTurns(supervisor, team);
  const spoken = members.map((id) => boundsAt(at, id).outputTokens).reduce((sum, tokens) => sum + tokens, 0);
  const heard = said + (turns + 1) * (spoken + supervisor.outputTokens);
  const works = members.map((id) => {
    const bounds = boundsAt(at, id);
    const memberTurns = team.memberMaxTurns ?? bounds.turns;
    const calling = { agent: id, said: heard, isOfSummary, memberTurns, depth: depth + 1 };
    const first = at.survey.callWork(at, calling);
    if (isPlain(at, id)) return bounds.agent.function === undefined ? first : repeatWork(memberTurns, first);
    if (team.kind !== undefined) return endless(at, bounds, team);
    // Later cycles go to whoever was last in the member's chain.
    const later = reachInCall(at, id).agents.map((agent) =>
      at.survey.callWork(at, { ...calling, agent: agent.id, isAgain: true }),
    );
    return addWork(first, repeatWork(turns, largestWork(later)));
  });
  return isTime ? largestWork(works) : addWork(...works);
}

export function countSupervisorTurns(supervisor: AgentBounds, { supervisorMaxTurns }: Team): number {
  return supervisorMaxTurns ?? supervisor.turns;
}

/** Members whose chain begins a new session in each cycle are not ended by their turns. */
function endless(at: CrewAt, { name }: AgentBounds, { kind }: Team): Work {
  const { figure } = at.survey.measure;
  if (figure === "handoffs" || figure === "allHandoffs" || figure === "rounds") return noWork;
  at.survey.endless.set(
    name,
    `its team is of kind '${kind}', which may begin any number of cycles; only timeouts end that`,
  );
  return { value: Number.POSITIVE_INFINITY, groups: [], inside: [] };
}
