import { frameInMarkdown } from "../../context/frame.ts";
import type { BranchOutcome, EventPlace } from "../../events.ts";
import { type Scope, ScopeClosed } from "../../run/scope.ts";
import type { Answer, Asked, Question } from "../ask-agent.ts";
import type { CrewRun } from "../crew-run.ts";
import { frameFor } from "../frame-for.ts";
import { historyForAgents, isHistoryShown } from "../history-for.ts";
import { type Branch, joinOutcomes, noSuccess, runBranches, type Waiting } from "../run-branches.ts";
import type { Ask } from "./chain.ts";
import type { Pass, Together } from "./handoff.ts";

/** What an agent is asked whom the work is passed to, in the course of a question to another. */
export function questionAfter(question: Question, pass: Pass, place: EventPlace, crewRun: CrewRun): Question {
  const { crew, broadcasts } = crewRun;
  const agent = crew.agents.get(pass.to);
  if (agent === undefined) throw new Error(`the crew has no agent '${pass.to}'; loading should have said so`);
  const at = { ...place, agent: agent.id };
  return {
    ...question,
    agent,
    input: frameFor(agent, pass.sections, at, crewRun),
    history: broadcasts.get(agent.id),
    place: at,
    team: pass.team,
    session: undefined,
  };
}

/**
 * Those whom the work is transferred to at once; nobody of them speaks for the member of a team that transferred it. What they see
 * of what was said before is found out once for all.
 */
export function branchesOfTransfers(question: Question, { passes }: Together, crewRun: CrewRun, call: Ask): Branch[] {
  let shown: ReturnType<typeof historyForAgents> | undefined;
  const show = (scope: Scope, place: EventPlace) => {
    const { history, original, budget } = question;
    const input = passes.map(({ sections }) => frameInMarkdown(sections)).join("\n\n");
    const handed = passes.flatMap(({ sections }) => sections.map(({ text }) => text));
    shown ??= historyForAgents(crewRun, { input, handed, history, original, budget }, scope, place, call);
    return shown;
  };
  return passes.map((pass): Branch => {
    const { to: member } = pass;
    const shared: Question = { ...question, callPath: `${question.callPath}/${member}`, membership: undefined };
    const run = async (scope: Scope, place: EventPlace): Promise<BranchOutcome> => {
      // One before it may have ended the whole already.
      if (scope.isClosed) throw new ScopeClosed(scope.reason);
      const shownTo = isHistoryShown(crewRun) ? await show(scope, place) : undefined;
      if (scope.isClosed) throw new ScopeClosed(scope.reason);
      const next = questionAfter({ ...shared, scope }, pass, place, crewRun);
      const asked = await call(shownTo === undefined ? next : { ...next, history: shownTo(member) }, crewRun);
      return asked.type === "answer"
        ? { member, status: "completed", text: asked.text }
        : { member, status: "failed", text: asked.failure.message };
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
  call: Ask,
): Promise<Asked> {
  const { run } = crewRun.world;
  const { group, passes } = together;
  const { scope } = question;
  const place = { ...question.place, path };
  run.emit(place, "parallel.started", { group, members: passes.map(({ to }) => to) });
  const branches = branchesOfTransfers(question, together, crewRun, call);
  const join = (outcomes: readonly BranchOutcome[]) =>
    run.emit(place, "parallel.joined", { group, outcomes, output: joinOutcomes(outcomes) }).data;
  const waiting: Waiting = { ...waitingForTransfers(together, crewRun), onClosed: (outcomes) => void join(outcomes) };
  const { outcomes, output } = join(await runBranches(crewRun, branches, waiting, place, "b", scope));
  const isSuccess = outcomes.some(({ status }) => status === "completed");
  const answer: Answer = { type: "answer", text: output, found: [], traffic: [], turns: 0 };
  return isSuccess ? answer : { type: "failed", failure: noSuccess(group), turns: 0 };
}
