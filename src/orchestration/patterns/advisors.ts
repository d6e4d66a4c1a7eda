import type { Section } from "../../context/frame.ts";
import type { History } from "../../context/history.ts";
import { type Scope, ScopeClosed } from "../../run/scope.ts";
import type { BranchOutcome } from "../../vocabulary/events.ts";
import type { Question } from "../agent-call.ts";
import type { CrewRun } from "../crew-run.ts";
import { findAgent } from "../crew-run.ts";
import { frameFor } from "../frame-for.ts";
import { historyForAgents, isHistoryShown } from "../history-for.ts";
import { OwnQuota } from "../own-quota.ts";
import type { Children } from "./clarification.ts";

/** What an agent's advisors said, and the agent's input with it. */
export interface Advice {
  readonly input: string;
  readonly advice: readonly Section[];
}

/** Hears an agent's advisors, all at once, on the agent's own input. */
export async function gatherAdvice(question: Question, children: Children, crewRun: CrewRun): Promise<Advice> {
  const { agent, input, place, scope } = question;
  const { run } = crewRun.world;
  run.emit(place, "advisors.started", { advisors: agent.advisors, input });
  const own = scope.open();
  const { original, history, budget } = question;
  const calling = { input, handed: [input], history, original, budget };
  const at = { ...place, path: `${place.path}/v` };
  const isShown = isHistoryShown(crewRun);
  const shownTo = isShown ? await historyForAgents(crewRun, calling, own, at) : undefined;
  scope.throwIfClosed();
  const rejoin = run.branch();
  const scopes = agent.advisors.map(() => own.open());
  // One for all of them, since they begin at once.
  const limit = { place: at, scope: own, ms: agent.limits.advisorTimeoutMs, what: "advisor" };
  const deadline = run.deadline(limit, () => {
    for (const each of scopes) each.close(LATE);
  });
  const heard = await Promise.all(
    scopes.map((each, index) => hear(index, question, shownTo, each, children, crewRun)),
  ).finally(rejoin);
  deadline.callOff();
  scope.throwIfClosed();
  own.close("the advisors have been heard");
  run.emit(place, "advisors.gathered", { outcomes: heard.map(({ outcome }) => outcome) });
  const advice = heard.map(({ outcome, text }): Section => ({ kind: "advisory", agent: outcome.member, text }));
  const sections: readonly Section[] = [{ kind: "original_user_request", text: input }, ...advice];
  return { input: frameFor(agent, sections, place, crewRun), advice: heard.flatMap(({ outcome }) => said(outcome)) };
}

/** What others may be told of an advisor, who only answers to its own agent. */
function said({ member, status, text }: BranchOutcome): Section[] {
  return status === "completed" ? [{ kind: "advisory", agent: member, text }] : [];
}

interface Heard {
  readonly outcome: BranchOutcome;
  /** What the agent gets to read: the answer, or a report that there is none. */
  readonly text: string;
}

const LATE = "the advisor's time was up";

async function hear(
  index: number,
  { agent, input, place, original, callPath, budget }: Question,
  shownTo: ((agent: string) => History | undefined) | undefined,
  scope: Scope,
  children: Children,
  crewRun: CrewRun,
): Promise<Heard> {
  const id = agent.advisors[index] ?? "";
  const advisor = findAgent(crewRun.crew, id);
  const childId = children.nextId(id);
  const question: Question = {
    agent: advisor,
    input,
    history: shownTo === undefined ? crewRun.broadcasts.get(id) : shownTo(id),
    scope,
    place: { ...place, path: `${place.path}/v${index}`, agent: id },
    original,
    callPath: `${callPath}/${childId}`,
    budget,
    ownQuota: new OwnQuota(),
  };
  try {
    const asked = await crewRun.world.callAgent(question, crewRun);
    if (asked.type === "failed") return without(id, "failed", asked.failure.message);
    const footer = children.keep(childId, advisor, question, asked);
    return { outcome: { member: id, status: "completed", text: asked.text }, text: asked.text + footer };
  } catch (error) {
    if (scope.reason !== LATE || !(error instanceof ScopeClosed)) throw error;
    return without(id, "late", `it did not answer within ${agent.limits.advisorTimeoutMs / 1000} s`);
  }
}

function without(member: string, status: "failed" | "late", why: string): Heard {
  return { outcome: { member, status, text: why }, text: `Advisor \`${member}\` gave no advice. Reason: ${why}` };
}
