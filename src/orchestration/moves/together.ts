import type { Question } from "../agent-call.ts";
import { type CrewRun, findAgent, formatCallPath } from "../crew-run.ts";
import type { Together } from "../move.ts";
import { branchesOfTransfers, waitingForTransfers } from "../patterns/transfer-group.ts";
import type { Next, Perform, Round } from "../round.ts";
import { joinGroup, leaveGroup } from "./parallel.ts";

/**
 * Runs several transfers of one answer as a group. What follows is what would have followed the one who transferred, as for
 * one that was passed to: where nothing is said, the run ends with the join.
 */
export async function runTogether(crewRun: CrewRun, round: Round, move: Together, perform: Perform): Promise<Next> {
  const { crew, scope, original } = crewRun;
  const { baton, place } = round;
  const agent = findAgent(crew, baton.agent);
  const question: Question = {
    agent,
    input: baton.input,
    history: baton.history,
    scope,
    place,
    original,
    callPath: formatCallPath(crewRun, agent.id),
  };
  const members = move.passes.map(({ to }) => to);
  const joined = await joinGroup(
    crewRun,
    { ...round, baton: { ...baton, deferred: move.deferred } },
    {
      name: move.group,
      from: agent.id,
      reason: `transferred by ${agent.id}`,
      members,
      isTransfer: true,
      waiting: waitingForTransfers(move, crewRun),
      branchesAt: (at) => branchesOfTransfers({ ...question, place: at }, move, crewRun),
    },
  );
  if ("type" in joined) return joined;
  return leaveGroup(crewRun, joined, { name: move.group, standing: "passed", nextAgent: undefined }, perform);
}
