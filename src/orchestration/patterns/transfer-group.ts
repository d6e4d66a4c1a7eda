import type { Scope } from "../../run/scope.ts";
import type { BranchOutcome, EventPlace } from "../../vocabulary/events.ts";
import { isPromise } from "../../vocabulary/promise.ts";
import type { Answer, Asked, Question } from "../agent-call.ts";
import type { CrewRun } from "../crew-run.ts";
import { findAgent } from "../crew-run.ts";
import { frameFor } from "../frame-for.ts";
import { historyForAgents, isHistoryShown } from "../history-for.ts";
import type { Pass, Together } from "../move.ts";
import { OwnQuota } from "../own-quota.ts";
import { type Branch, joinOutcomes, readOutcome, runBranches, type Waiting } from "../run-branches.ts";
import { noSuccess } from "../sub-crew-failure.ts";

/**
 * What an agent is asked whom the work is passed to, in the course of a question to another; of that one's history it sees what
 * the settings say.
 */
export function questionAfter(
  question: Question,
  pass: Pass,
  place: EventPlace,
  crewRun: CrewRun,
): Question | Promise<Question> {
  const { crew, broadcasts } = crewRun;
  const agent = findAgent(crew, pass.to);
  const at = { ...place, agent: agent.id };
  const input = frameFor(agent, pass.sections, at, crewRun);
  const heard = broadcasts.get(agent.id);
  const next: Question = {
    ...question,
    agent,
    input,
    history: heard,
    place: at,
    team: pass.team,
    session: undefined,
    given: pass.sections,
  };
  if (!isHistoryShown(crewRun)) return next;
  const { history, original, budget, scope } = question;
  const calling = { input, handed: pass.sections.map(({ text }) => text), history, original, budget };
  const shown = historyForAgents(crewRun, calling, scope, at);
  return shown.then((shownTo) => ({ ...next, history: shownTo(agent.id) }));
}

/** A branch for each target of transfers that run at once. No branch speaks for the team member that transferred the work. */
export function branchesOfTransfers(question: Question, { passes }: Together, crewRun: CrewRun): Branch[] {
  return passes.map((pass): Branch => {
    const { to: member } = pass;
    const shared: Question = {
      ...question,
      callPath: `${question.callPath}/${member}`,
      membership: undefined,
      ownQuota: new OwnQuota(),
    };
    const run = async (scope: Scope, place: EventPlace): Promise<BranchOutcome> => {
      // One before it may have ended the whole already.
      scope.throwIfClosed();
      const next = questionAfter({ ...shared, scope }, pass, place, crewRun);
      return readOutcome(member, await crewRun.world.callAgent(isPromise(next) ? await next : next, crewRun));
    };
    return { member, run };
  });
}

/** All that were asked for are waited for. */
export function waitingForTransfers({ passes }: Together, { crew }: CrewRun): Waiting {
  return { waitForAll: true, enough: passes.length, timeoutMs: crew.settings.parallelTimeoutMs };
}

/** The same inside a call: the join is the answer. */
export async function callTogether(
  question: Question,
  together: Together,
  path: string,
  crewRun: CrewRun,
): Promise<Asked> {
  const { run } = crewRun.world;
  const { group, passes } = together;
  const { scope } = question;
  const place = { ...question.place, path };
  run.emit(place, "parallel.started", { group, members: passes.map(({ to }) => to) });
  const branches = branchesOfTransfers(question, together, crewRun);
  const join = (outcomes: readonly BranchOutcome[]) => {
    const { text: output, ...shown } = joinOutcomes(outcomes);
    return run.emit(place, "parallel.joined", { group, outcomes, output, ...shown }).data;
  };
  const waiting: Waiting = { ...waitingForTransfers(together, crewRun), onClosed: (outcomes) => void join(outcomes) };
  const { outcomes, output, shown } = join(await runBranches(crewRun, branches, waiting, place, "b", scope));
  const isSuccess = outcomes.some(({ status }) => status === "completed");
  const answer: Answer = { type: "answer", text: output, shown, found: [], traffic: [], turns: 0 };
  return isSuccess ? answer : { type: "failed", failure: noSuccess(group, outcomes, crewRun), turns: 0 };
}
