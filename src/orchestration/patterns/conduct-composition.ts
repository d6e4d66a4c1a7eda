import { append, type History } from "../../context/history.ts";
import type { Scope } from "../../run/scope.ts";
import { type Composition, nameGroup } from "../../vocabulary/event-data.ts";
import type { BranchOutcome, EventPlace } from "../../vocabulary/events.ts";
import { createMessage } from "../../vocabulary/messages.ts";
import type { Asked } from "../agent-call.ts";
import { type CrewOutcome, type CrewRun, findAgent, formatCallPath, nextPlace, noteAnswer } from "../crew-run.ts";
import { frameFor } from "../frame-for.ts";
import { OwnQuota } from "../own-quota.ts";
import { pass } from "../pass.ts";
import { joinOutcomes, readOutcome, runBranches } from "../run-branches.ts";
import { noSuccess } from "../sub-crew-failure.ts";

type Step = Composition["steps"][number];

/** Runs a composed crew: each of its agents is called, with patterns of its own, and nothing but the composition decides who follows. */
export function conductComposition(
  composition: Composition,
  history: History | undefined,
  crewRun: CrewRun,
): Promise<CrewOutcome> {
  return composition.mode === "sequence"
    ? inSequence(composition, history, crewRun)
    : atOnce(composition, history, crewRun);
}

async function inSequence(
  { by, steps }: Composition,
  seen: History | undefined,
  crewRun: CrewRun,
): Promise<CrewOutcome> {
  let history = seen;
  let last: { readonly step: Step; readonly text: string; readonly place: EventPlace } | undefined;
  for (const [index, step] of steps.entries()) {
    const handoff = {
      from: last?.step.step ?? "",
      to: step.step,
      via: "handoff",
      reason: `composed by ${by}`,
    } as const;
    const refused = last === undefined ? undefined : pass(crewRun, last.place, handoff);
    if (refused !== undefined) return refused;
    const place = nextPlace(crewRun, step.agent);
    const asked = await callStep(step, last, history, crewRun.scope, place, crewRun);
    if (asked.type === "failed") {
      const message = `agent ${index + 1} of ${steps.length}, ${step.step}, failed: ${asked.failure.message}`;
      const failure = { code: asked.failure.code, message, agent: step.agent, cause: asked.failure };
      return { type: "failed", stopReason: "error", failure };
    }
    noteAnswer(crewRun, step.step, asked, step.agent);
    // What is handed over as input is not repeated in the history.
    if (last !== undefined) history = withStep(history, last.step, last.text);
    last = { step, text: asked.text, place };
  }
  return { type: "completed", stopReason: "end_of_list" };
}

function withStep(history: History | undefined, { agent, task }: Step, text: string): History {
  return append(append(history, { role: "user", text: task }), createMessage(agent, text));
}

async function atOnce(composition: Composition, history: History | undefined, crewRun: CrewRun): Promise<CrewOutcome> {
  const { steps } = composition;
  const { run } = crewRun.world;
  const place = nextPlace(crewRun);
  const group = nameGroup(composition);
  run.emit(place, "parallel.started", { group, members: steps.map(({ step }) => step) });
  const branches = steps.map((step) => ({
    member: step.step,
    run: async (scope: Scope, at: EventPlace): Promise<BranchOutcome> => {
      const asked = await callStep(step, undefined, history, scope, { ...at, agent: step.agent }, crewRun);
      return readOutcome(step.step, asked);
    },
  }));
  const waiting = { waitForAll: true, enough: steps.length, timeoutMs: crewRun.crew.settings.parallelTimeoutMs };
  const outcomes = await runBranches(crewRun, branches, waiting, place, "b");
  const { text: output, ...shown } = joinOutcomes(outcomes);
  run.emit(place, "parallel.joined", { group, outcomes, output, ...shown });
  if (!outcomes.some(({ status }) => status === "completed"))
    return { type: "failed", stopReason: "error", failure: noSuccess(group, outcomes, crewRun) };
  noteAnswer(crewRun, group, { text: output, ...shown });
  return { type: "completed", stopReason: "end_of_list" };
}

function callStep(
  { agent: id, task }: Step,
  last: { readonly step: Step; readonly text: string } | undefined,
  history: History | undefined,
  scope: Scope,
  place: EventPlace,
  crewRun: CrewRun,
): Promise<Asked> {
  const agent = findAgent(crewRun.crew, id);
  const response = last === undefined ? [] : [{ kind: "response", agent: last.step.step, text: last.text } as const];
  const input = frameFor(agent, [{ kind: "plain", text: task }, ...response], place, crewRun);
  const callPath = formatCallPath(crewRun, id);
  return crewRun.world.callAgent(
    { agent, input, history, scope, place, original: task, callPath, ownQuota: new OwnQuota() },
    crewRun,
  );
}
