import { append } from "../../context/history.ts";
import type { Scope } from "../../run/scope.ts";
import { parseTemplate } from "../../template/parse-template.ts";
import { renderTemplate } from "../../template/render-template.ts";
import type { SubCrewCall } from "../../vocabulary/crew.ts";
import type { BranchOutcome, EventPlace, Failure } from "../../vocabulary/events.ts";
import { isPromise } from "../../vocabulary/promise.ts";
import { isBlank } from "../../vocabulary/wording.ts";
import { handOver } from "../baton.ts";
import { type CrewRun, nextPlace, type ShownText, setOutput, shownIn } from "../crew-run.ts";
import { handedOn } from "../given-to.ts";
import { historyForCrew } from "../history-for.ts";
import type { Move } from "../move.ts";
import { pass } from "../pass.ts";
import type { Next, Round } from "../round.ts";
import { joinOutcomes, runBranches } from "../run-branches.ts";
import { visibleMemory } from "../shared-memory.ts";
import { type Called, callWithPolicy, type FailedCrew } from "./call-with-policy.ts";

/** Calls sub-crews, and gives their results to the agent that is to have them: one handoff in, one back. */
export async function callCrews(
  crewRun: CrewRun,
  round: Round,
  { call, reason }: Extract<Move, { type: "sub_crew" }>,
): Promise<Next> {
  const { baton, answer } = round;
  const crews = call.crews.join(", ");
  const refused = pass(crewRun, round.place, {
    from: baton.agent,
    to: crews,
    via: "sub_crew",
    reason,
    members: call.crews,
  });
  if (refused !== undefined) return { type: "end", outcome: refused };
  const place = nextPlace(crewRun);
  const input = inputOfCall(crewRun, call, baton.agent, handedOn(baton, answer));
  const calling = { input, history: baton.history, mode: call.history };
  const shown = historyForCrew(crewRun, calling, crewRun.scope, place);
  const history = isPromise(shown) ? await shown : shown;
  const called = { crewRun, call, input, history };
  const [name, ...others] = call.crews;
  const result =
    name !== undefined && others.length === 0 ? await callAlone(called, name, place) : await callAtOnce(called, place);
  if (result.type === "failed") {
    const { failure } = result;
    const stopReason = failure.code === "max_crew_depth" ? "max_crew_depth" : "error";
    return { type: "end", outcome: { type: "failed", stopReason, failure } };
  }
  const { from, text } = result;
  const back = pass(crewRun, place, { from, to: call.returnTo, via: "sub_crew", reason: `back from ${from}` });
  if (back !== undefined) return { type: "end", outcome: back };
  return {
    type: "baton",
    baton: handOver(call.returnTo, text, append(baton.history, { role: "user", text }), "line", baton.deferred),
  };
}

/** What goes back to the caller, and from whom. */
type CallsResult =
  | { readonly type: "answered"; readonly from: string; readonly text: string }
  | { readonly type: "failed"; readonly failure: Failure };

/** What the called crews are asked. */
export function inputOfCall(crewRun: CrewRun, { inputTemplate }: SubCrewCall, agent: string, answer: string): string {
  if (inputTemplate === undefined) return answer;
  return renderTemplate(parseTemplate(inputTemplate), {
    Input: answer,
    CurrentInput: answer,
    OriginalInput: crewRun.original,
    PreviousResult: crewRun.lastResult,
    PreviousResults: Object.fromEntries(crewRun.results ?? []),
    SharedData: visibleMemory(crewRun),
    Agent: agent,
    Crew: crewRun.crew.name,
    Depth: crewRun.depth + 1,
    MaxDepth: crewRun.maxDepth,
  });
}

async function callAlone(called: Called, name: string, place: EventPlace): Promise<CallsResult> {
  const { crewRun, call } = called;
  const at = { ...place, path: `${place.path}/k0` };
  const result = await callWithPolicy(called, name, crewRun.scope, at);
  if (result.type === "completed") return { type: "answered", from: result.by, text: result.output };
  const { failure, failed } = result;
  return goesOn(call) ? { type: "answered", from: name, text: failureWords(failed).text } : { type: "failed", failure };
}

/** All at once; the first failure ends it, unless the policy is to continue. */
async function callAtOnce(called: Called, place: EventPlace): Promise<CallsResult> {
  const { crewRun, call } = called;
  let failure: Failure | undefined;
  const branches = call.crews.map((member) => ({
    member,
    run: async (scope: Scope, at: EventPlace): Promise<BranchOutcome> => {
      const result = await callWithPolicy(called, member, scope, at);
      if (result.type === "completed") {
        const { output: text, shown } = result;
        return { member, status: "completed", text, ...shownIn(text, shown) };
      }
      failure ??= result.failure;
      const { text, shown } = failureWords(result.failed);
      return { member, status: "failed", text, ...shownIn(text, shown), failure: result.failure };
    },
  }));
  const waiting = { waitForAll: true, enough: branches.length, isEnd: () => isFatal() };
  const outcomes = await runBranches(crewRun, branches, waiting, place, "k");
  if (failure !== undefined && isFatal()) return { type: "failed", failure };
  const { text, ...shown } = joinOutcomes(outcomes, (_, words) => words);
  crewRun.world.run.emit(place, "crews.joined", { outcomes, output: text, ...shown });
  setOutput(crewRun, { text, ...shown });
  crewRun.lastResult = text;
  return { type: "answered", from: call.crews.join(", "), text };

  function isFatal(): boolean {
    return failure !== undefined && !goesOn(call);
  }
}

function goesOn({ onError }: SubCrewCall): boolean {
  return onError.includes("continue");
}

/** What the caller is told of crews that failed: why each did, and what it said last if a limit stopped it. */
function failureWords(failed: readonly FailedCrew[]): ShownText {
  const words = (readAnswer: (crew: FailedCrew) => string) =>
    failed.flatMap((crew) => [`[SUB-CREW ${crew.name} FAILED] ${crew.failure.message}`, readAnswer(crew)]);
  const joined = (texts: readonly string[]) => texts.filter((text) => !isBlank(text)).join("\n\n");
  return {
    text: joined(words(({ lastAnswer }) => lastAnswer.text)),
    shown: joined(words(({ lastAnswer }) => lastAnswer.shown)),
  };
}
