import { append, type History } from "../../context/history.ts";
import type { SubCrewCall } from "../../crew.ts";
import type { BranchOutcome, EventPlace, Failure } from "../../events.ts";
import type { Scope } from "../../run/scope.ts";
import { parseTemplate } from "../../template/parse-template.ts";
import { renderTemplate } from "../../template/render-template.ts";
import { callAgent } from "../ask-agent.ts";
import { handOver } from "../baton.ts";
import type { Next, Round } from "../conduct.ts";
import { type CrewRun, nextPlace, noteAnswer, pass, setOutput, shownIn } from "../crew-run.ts";
import { enterCrew, type LeftCrew } from "../enter-crew.ts";
import type { Move } from "../find-move.ts";
import { historyForCrew } from "../history-for.ts";
import { joinOutcomes, runBranches } from "../run-branches.ts";
import { visibleMemory } from "../shared-memory.ts";

/** Calls sub-crews, and gives what they came to to whoever is to have it: one handoff in, one back. */
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
  const input = inputOfCall(crewRun, call, baton.agent, answer.text);
  const calling = { input, history: baton.history, mode: call.history };
  const shown = historyForCrew(crewRun, calling, crewRun.scope, place, callAgent);
  const history = shown instanceof Promise ? await shown : shown;
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
    baton: handOver(call.returnTo, text, append(baton.history, { role: "user", text }), "line", baton.owed),
  };
}

/** What goes back to the caller, and from whom. */
type CallResult =
  | { readonly type: "answered"; readonly from: string; readonly text: string }
  | { readonly type: "failed"; readonly failure: Failure };

interface Called {
  readonly crewRun: CrewRun;
  readonly call: SubCrewCall;
  readonly input: string;
  readonly history: History | undefined;
}

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

async function callAlone(called: Called, name: string, place: EventPlace): Promise<CallResult> {
  const { crewRun, call } = called;
  const at = { ...place, path: `${place.path}/k0` };
  const { by, left } = await callWithPolicy(called, name, crewRun.scope, at);
  if (left.type === "completed") {
    noteAnswer(crewRun, by, { text: left.output, shown: left.shown });
    return { type: "answered", from: by, text: left.output };
  }
  if (call.onError === "continue") return { type: "answered", from: by, text: failureLine(by, left.failure.message) };
  return { type: "failed", failure: failureOf(by, left.failure) };
}

/** All at once; unless failures are to be gone on with, the first ends it. */
async function callAtOnce(called: Called, place: EventPlace): Promise<CallResult> {
  const { crewRun, call } = called;
  let failure: Failure | undefined;
  const branches = call.crews.map((member) => ({
    member,
    run: async (scope: Scope, at: EventPlace): Promise<BranchOutcome> => {
      const { by, left } = await callWithPolicy(called, member, scope, at);
      if (left.type === "completed") {
        noteAnswer(crewRun, by, { text: left.output, shown: left.shown });
        return { member, status: "completed", text: left.output, ...shownIn(left.output, left.shown) };
      }
      failure ??= failureOf(by, left.failure);
      return { member, status: "failed", text: left.failure.message };
    },
  }));
  const waiting = { waitForAll: true, enough: branches.length, isEnd: () => isFatal() };
  const outcomes = await runBranches(crewRun, branches, waiting, place, "k");
  if (failure !== undefined && isFatal()) return { type: "failed", failure };
  const { text, ...shown } = joinOutcomes(outcomes, failureLine);
  crewRun.world.run.emit(place, "crews.joined", { outcomes, output: text, ...shown });
  setOutput(crewRun, { text, ...shown });
  crewRun.lastResult = text;
  return { type: "answered", from: call.crews.join(", "), text };

  function isFatal(): boolean {
    return failure !== undefined && call.onError !== "continue";
  }
}

/** Calls a crew, again or another in its place where the binding says so; who answered in the end, and what came of it. */
async function callWithPolicy(
  { crewRun, call, input, history }: Called,
  name: string,
  scope: Scope,
  place: EventPlace,
): Promise<{ readonly by: string; readonly left: LeftCrew }> {
  const { budget } = crewRun;
  const { onError, timeoutMs, fallbackCrew } = call;
  const attempt = (by: string, at: EventPlace) =>
    enterCrew(crewRun, { name: by, input, history, scope, place: at, budget, timeoutMs, reserved: 1 });
  let left = await attempt(name, place);
  // Nothing can be called from here, however often it is tried. A crew that was, and went too deep itself, has failed like any other.
  const isTooDeep = crewRun.depth >= crewRun.maxDepth;
  if (left.type === "completed" || isTooDeep) return { by: name, left };
  if (onError === "fallback" && fallbackCrew !== undefined)
    return { by: fallbackCrew, left: await attempt(fallbackCrew, placeOfRetry(place, 1)) };
  const retries = onError === "retry" ? call.maxRetries : 0;
  for (let retry = 1; retry <= retries && left.type === "failed"; retry++) {
    const at = placeOfRetry(place, retry);
    await waitBefore(crewRun, name, retry, scope, at);
    left = await attempt(name, at);
  }
  return { by: name, left };
}

function placeOfRetry(place: EventPlace, retry: number): EventPlace {
  return { ...place, path: `${place.path}.${retry}` };
}

/** Waits twice as long each time, less a part that differs from run to run. How long is on record, as is that it is over. */
function waitBefore(crewRun: CrewRun, crew: string, attempt: number, scope: Scope, place: EventPlace): Promise<void> {
  const { run } = crewRun.world;
  const { retryBackoffMinMs: minMs = 500, retryBackoffMaxMs: maxMs = 30_000 } = crewRun.crew.settings;
  const longest = Math.min(maxMs, minMs * 2 ** (attempt - 1));
  const waitMs = Math.round(longest * (1 - shareOf(`${run.id} ${place.path}`) / 2));
  const told = run.observe(place, "crew.retrying", () => ({ crew, attempt, waitMs }));
  const at = { ...place, path: `${place.path}/wait` };
  return run.wait({ place: at, scope, ms: told?.waitMs ?? waitMs, what: "retry" });
}

/** A number from 0 to 1 that follows from a text, and looks like chance. */
function shareOf(text: string): number {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return (hash >>> 0) / 2 ** 32;
}

function failureLine(name: string, reason: string): string {
  return `[SUB-CREW ${name} FAILED] ${reason}`;
}

/** The caller fails with all that led to it; a limit of its own stays what it is. */
function failureOf(name: string, cause: Failure): Failure {
  if (cause.code === "max_crew_depth") return cause;
  return { code: "sub_crew_failed", message: `sub-crew ${name} failed: ${cause.message}`, cause };
}
