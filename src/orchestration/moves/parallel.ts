import { append, type History } from "../../context/history.ts";
import type { Group } from "../../crew.ts";
import type { BranchOutcome, EventPlace } from "../../events.ts";
import { fallbackOf } from "../../flow/transitions.ts";
import { type Scope, ScopeClosed } from "../../run/scope.ts";
import { callAgent } from "../ask-agent.ts";
import { handOver } from "../baton.ts";
import type { Next, Perform, Round } from "../conduct.ts";
import { type CrewRun, nextPlace, noteAnswer, pass } from "../crew-run.ts";
import { type Move, moveOfStop } from "../find-move.ts";

/** Runs a group on the emitter's answer, joins the results, and goes on to the group's next agent. */
export async function runGroup(
  crewRun: CrewRun,
  round: Round,
  move: Extract<Move, { type: "parallel" }>,
  perform: Perform,
): Promise<Next> {
  const { crew, world } = crewRun;
  const { baton, answer } = round;
  const group = crew.groups.get(move.group);
  if (group === undefined) throw new Error(`the crew has no group '${move.group}'; loading should have said so`);
  const refused = pass(crewRun, round.place, {
    from: move.from ?? baton.agent,
    to: move.group,
    via: "group",
    reason: move.reason,
  });
  if (refused !== undefined) return { type: "end", outcome: refused };
  const place = nextPlace(crewRun);
  world.run.emit(place, "parallel.started", { group: move.group, members: group.agents });
  const outcomes = await runBranches(crewRun, group, answer.text, baton.history.before, place);
  const output = join(outcomes);
  world.run.emit(place, "parallel.joined", { group: move.group, outcomes, output });
  if (!outcomes.some(({ status }) => status === "completed")) {
    const failure = { code: "no_success", message: `no member of group '${move.group}' succeeded` };
    return { type: "end", outcome: { type: "failed", stopReason: "error", failure } };
  }
  noteAnswer(crewRun, move.group, output);
  const history = append(baton.history, { role: "user", text: output });
  return leaveGroup(
    crewRun,
    { ...round, place, answer: { ...answer, text: output }, baton: { ...baton, history } },
    move.group,
    group,
    perform,
  );
}

function leaveGroup(
  crewRun: CrewRun,
  round: Round,
  name: string,
  group: Group,
  perform: Perform,
): Promise<Next> | Next {
  const { baton, answer, place } = round;
  const [transition] = fallbackOf(crewRun.crew, baton.agent, "line");
  const stop = transition?.stop ?? { type: "end", stopReason: "answer" };
  const to = group.nextAgent ?? (stop.type === "agent" ? stop.agent : undefined);
  if (to === undefined) {
    const move = moveOfStop(stop);
    return perform(crewRun, round, move.type === "parallel" || move.type === "end" ? { ...move, from: name } : move);
  }
  const refused = pass(crewRun, place, { from: name, to, via: "group", reason: `group ${name} joined` });
  if (refused !== undefined) return { type: "end", outcome: refused };
  return { type: "baton", baton: handOver(to, answer.text, baton.history, "line", baton.owed) };
}

/** All members at once; ends when enough have succeeded, all have ended, or time is up. The rest are cancelled. */
async function runBranches(
  crewRun: CrewRun,
  group: Group,
  input: string,
  history: History | undefined,
  place: EventPlace,
): Promise<BranchOutcome[]> {
  const { run } = crewRun.world;
  const scope = crewRun.scope.open();
  const outcomes = new Array<BranchOutcome | undefined>(group.agents.length);
  const wanted = group.minSuccess ?? (group.waitForAll ? group.agents.length : 1);
  let isLate = false;
  // A member that is cancelled because the group is done is no failure; one that goes down with the run is.
  const isOwnClosing = (error: unknown) => error instanceof ScopeClosed && !crewRun.scope.isClosed;
  const rejoin = run.branch();
  await new Promise<void>((resolve, reject) => {
    const callOff = run.deadline(place, scope, group.timeoutMs, "group", () => {
      isLate = true;
      resolve();
    });
    const check = () => {
      const done = outcomes.filter((outcome) => outcome !== undefined);
      const successes = done.filter(({ status }) => status === "completed").length;
      if (done.length < outcomes.length && (group.waitForAll || successes < wanted)) return;
      callOff();
      resolve();
    };
    for (const [index, member] of group.agents.entries()) {
      const at = { ...place, path: `${place.path}/b${index}`, agent: member };
      runBranch(crewRun, member, input, history, scope.open(), at).then(
        (outcome) => {
          outcomes[index] = outcome;
          check();
        },
        (error: unknown) => (isOwnClosing(error) ? undefined : reject(error)),
      );
    }
  });
  scope.close(isLate ? "the group's time was up" : "enough members of the group have answered");
  rejoin();
  const missing = isLate ? ("late" as const) : ("cancelled" as const);
  return group.agents.map((member, index) => outcomes[index] ?? { member, status: missing, text: "" });
}

async function runBranch(
  crewRun: CrewRun,
  member: string,
  input: string,
  history: History | undefined,
  scope: Scope,
  place: EventPlace,
): Promise<BranchOutcome> {
  const agent = crewRun.crew.agents.get(member);
  if (agent === undefined) throw new Error(`the crew has no agent '${member}'; loading should have said so`);
  const callPath = `${place.crew ?? crewRun.crew.name}/${member}`;
  const asked = await callAgent({ agent, input, history, scope, place, original: crewRun.original, callPath }, crewRun);
  if (asked.type === "failed") return { member, status: "failed", text: asked.failure.message };
  return { member, status: "completed", text: asked.text };
}

/** One message, in declared order. */
function join(outcomes: readonly BranchOutcome[]): string {
  const blocks = outcomes.flatMap(({ member, status, text }) => {
    if (status === "completed") return [`[${member}]\n${text}`];
    if (status === "cancelled") return [];
    return [status === "late" ? `[${member}]\n(did not answer in time)` : `[${member}]\n(failed: ${text})`];
  });
  return ["[PARALLEL RESULTS]", ...blocks, "[END PARALLEL RESULTS]"].join("\n\n");
}
