import type { Section } from "../../context/frame.ts";
import type { BranchOutcome } from "../../events.ts";
import { type Scope, ScopeClosed } from "../../run/scope.ts";
import type { Question } from "../ask-agent.ts";
import type { CrewRun } from "../crew-run.ts";
import { frameFor } from "../frame-for.ts";
import { historyForAgents } from "../history-for.ts";
import type { Ask } from "./chain.ts";
import type { Children } from "./clarification.ts";

/** Hears an agent's advisors, all at once, on the agent's own input; gives the input with what they said. */
export async function gatherAdvice(
  question: Question,
  children: Children,
  crewRun: CrewRun,
  call: Ask,
): Promise<string> {
  const { agent, input, place, scope } = question;
  const { run } = crewRun.world;
  run.emit(place, "advisors.started", { advisors: agent.advisors, input });
  const own = scope.open();
  const { original, history, budget } = question;
  const calling = { input, handed: [input], history, original, budget };
  const shownTo = await historyForAgents(crewRun, calling, own, { ...place, path: `${place.path}/v` }, call);
  const rejoin = run.branch();
  const heard = await Promise.all(
    agent.advisors.map((id, index) =>
      hear(index, { ...question, history: shownTo(id) }, own.open(), children, crewRun, call),
    ),
  ).finally(rejoin);
  if (scope.isClosed) throw new ScopeClosed(scope.reason);
  own.close("the advisors have been heard");
  run.emit(place, "advisors.gathered", { outcomes: heard.map(({ outcome }) => outcome) });
  const advice = heard.map(({ outcome, text }): Section => ({ kind: "advisory", agent: outcome.member, text }));
  return frameFor(agent, [{ kind: "original_user_request", text: input }, ...advice], place, crewRun);
}

interface Heard {
  readonly outcome: BranchOutcome;
  /** What the agent gets to read: the answer, or a report that there is none. */
  readonly text: string;
}

async function hear(
  index: number,
  { agent, input, history, place, original, callPath, budget }: Question,
  scope: Scope,
  children: Children,
  crewRun: CrewRun,
  call: Ask,
): Promise<Heard> {
  const { crew, world } = crewRun;
  const id = agent.advisors[index] ?? "";
  const advisor = crew.agents.get(id);
  if (advisor === undefined) throw new Error(`the crew has no agent '${id}'; loading should have said so`);
  const childId = children.nextId(id);
  const at = { ...place, path: `${place.path}/v${index}`, agent: id };
  const timeoutMs = agent.limits.advisorTimeoutMs;
  let isLate = false;
  const callOff = world.run.deadline(at, scope, timeoutMs, "advisor", () => {
    isLate = true;
    scope.close("the advisor's time was up");
  });
  const question: Question = {
    agent: advisor,
    input,
    history,
    scope,
    place: at,
    original,
    callPath: `${callPath}/${childId}`,
    budget,
  };
  const without = (status: "failed" | "late", why: string): Heard => {
    const text = `Advisor \`${id}\` gave no advice. Reason: ${why}`;
    return { outcome: { member: id, status, text: why }, text };
  };
  try {
    const asked = await call(question, crewRun);
    callOff();
    if (asked.type === "failed") return without("failed", asked.failure.message);
    const footer = children.keep(childId, advisor, question, asked);
    return { outcome: { member: id, status: "completed", text: asked.text }, text: asked.text + footer };
  } catch (error) {
    if (!isLate || !(error instanceof ScopeClosed)) throw error;
    return without("late", `it did not answer within ${timeoutMs / 1000} s`);
  }
}
