import { append } from "../../context/history.ts";
import { findFallbackAfterGroup } from "../../flow/transitions.ts";
import type { Group } from "../../vocabulary/crew.ts";
import type { EventPlace } from "../../vocabulary/events.ts";
import { hasSucceeded } from "../../vocabulary/events.ts";
import { handOver } from "../baton.ts";
import { type CrewRun, findAgent, formatCallPath, nextPlace, noteAnswer } from "../crew-run.ts";
import { enterCrew } from "../enter-crew.ts";
import { moveOfStop } from "../find-move.ts";
import { handedOn } from "../given-to.ts";
import { historyForCrew } from "../history-for.ts";
import type { Move } from "../move.ts";
import { OwnQuota } from "../own-quota.ts";
import { pass } from "../pass.ts";
import type { Next, Perform, Round } from "../round.ts";
import { type Branch, joinOutcomes, readCrewOutcome, readOutcome, runBranches, type Waiting } from "../run-branches.ts";
import { noSuccess } from "../sub-crew-failure.ts";
import { readInputs } from "./for-each.ts";

/** Runs a group on the emitter's answer, joins the results, and goes on to the group's next agent. */
export async function runGroup(
  crewRun: CrewRun,
  round: Round,
  move: Extract<Move, { type: "parallel" }>,
  perform: Perform,
): Promise<Next> {
  const { group: name, reason, from = round.baton.agent } = move;
  const group = crewRun.crew.groups.get(name);
  if (group === undefined) throw new Error(`the crew has no group '${name}'; loading should have said so`);
  const { forEach } = group;
  const inputs = forEach && readInputs(crewRun, round, move, forEach);
  if (inputs !== undefined && "type" in inputs) return inputs;
  const tasks = listTasks(group, inputs, handedOn(round.baton, round.answer));
  const members = tasks.map(({ member }) => member);
  const enough = group.minSuccess ?? (group.waitForAll ? members.length : 1);
  const waiting = { ...group, enough, concurrency: forEach?.concurrency ?? members.length };
  const branchesAt = (place: EventPlace) => createBranches(crewRun, tasks, round, place);
  const joined = await joinGroup(crewRun, round, {
    name,
    from,
    reason,
    members,
    waiting,
    isTransfer: false,
    branchesAt,
  });
  if ("type" in joined) return joined;
  return leaveGroup(crewRun, joined, { name, standing: "line", nextAgent: group.nextAgent }, perform);
}

/** A group that is entered: who hands over to it, and what its members do. */
interface Entered {
  readonly name: string;
  readonly from: string;
  readonly reason: string;
  readonly members: readonly string[];
  readonly waiting: Waiting;
  /** Whether the work is transferred to the members. */
  readonly isTransfer: boolean;
  branchesAt(place: EventPlace): Promise<Branch[]> | Branch[];
}

/** Hands over to a group and waits for it: the round in which its join is the answer, or the end of the run. */
export async function joinGroup(crewRun: CrewRun, round: Round, entered: Entered): Promise<Round | Next> {
  const { name, from, reason, members, waiting, isTransfer } = entered;
  const { run } = crewRun.world;
  const refused = pass(crewRun, round.place, { from, to: name, via: "group", reason, members, isTransfer });
  if (refused !== undefined) return { type: "end", outcome: refused };
  const place = nextPlace(crewRun);
  run.emit(place, "parallel.started", { group: name, members });
  const branches = await entered.branchesAt(place);
  const outcomes = await runBranches(crewRun, branches, waiting, place, "b");
  const { text: output, ...shown } = joinOutcomes(outcomes);
  run.emit(place, "parallel.joined", { group: name, outcomes, output, ...shown });
  if (!hasSucceeded(outcomes))
    return {
      type: "end",
      outcome: { type: "failed", stopReason: "error", failure: noSuccess(name, outcomes, crewRun) },
    };
  noteAnswer(crewRun, name, { text: output, ...shown });
  const { baton, answer } = round;
  const history = append(baton.history, { role: "user", text: output });
  return { ...round, place, answer: { ...answer, text: output, shown: shown.shown }, baton: { ...baton, history } };
}

/** A group whose join is to be passed on: to its next agent, or to where an emitter of this standing would have gone. */
interface Left {
  readonly name: string;
  readonly standing: "line" | "passed";
  readonly nextAgent: string | undefined;
}

export function leaveGroup(
  crewRun: CrewRun,
  round: Round,
  { name, standing, nextAgent }: Left,
  perform: Perform,
): Promise<Next> | Next {
  const { baton, answer, place } = round;
  const [transition] = findFallbackAfterGroup(crewRun.crew, name, baton.agent, standing);
  const stop = transition?.stop ?? { type: "end", stopReason: "answer" };
  const to = nextAgent ?? (stop.type === "agent" ? stop.agent : undefined);
  if (to === undefined) {
    const move = moveOfStop(stop);
    return perform(crewRun, round, move.type === "parallel" || move.type === "end" ? { ...move, from: name } : move);
  }
  const refused = pass(crewRun, place, { from: name, to, via: "group", reason: `group ${name} joined` });
  if (refused !== undefined) return { type: "end", outcome: refused };
  return { type: "baton", baton: handOver(to, answer.text, baton.history, "line", baton.deferred) };
}

/** One member of a group, and what it is asked. */
interface Task {
  readonly member: string;
  readonly kind: "agent" | "crew";
  readonly input: string;
}

/** Each member on the same answer or, where there is a list of inputs, the only member on each of them. */
function listTasks({ agents, crews }: Group, inputs: readonly string[] | undefined, answer: string): Task[] {
  return (inputs ?? [answer]).flatMap((input) => [
    ...agents.map((member): Task => ({ member, kind: "agent", input })),
    ...crews.map((member): Task => ({ member, kind: "crew", input })),
  ]);
}

/** The members of a group: agents on the crew's history as of now, and crews on what they get to see of it. */
async function createBranches(
  crewRun: CrewRun,
  tasks: readonly Task[],
  { baton, answer }: Round,
  place: EventPlace,
): Promise<Branch[]> {
  const { crew, scope: own, budget, original } = crewRun;
  const { before } = baton.history;
  const calling = { input: handedOn(baton, answer), history: baton.history };
  const isForCrews = tasks.some(({ kind }) => kind === "crew");
  const seen = isForCrews ? await historyForCrew(crewRun, calling, own, place) : undefined;
  return tasks.map(({ member, kind, input }): Branch => {
    if (kind === "crew") {
      const call = { name: member, input, history: seen, budget, timeoutMs: crew.settings.subCrewTimeoutMs };
      return {
        member,
        run: async (scope, at) => readCrewOutcome(member, await enterCrew(crewRun, { ...call, scope, place: at })),
      };
    }
    const [agent, callPath] = [findAgent(crew, member), formatCallPath(crewRun, member)];
    return {
      member,
      run: async (scope, at) => {
        const place = { ...at, agent: member };
        const question = { agent, input, history: before, scope, place, original, callPath, ownQuota: new OwnQuota() };
        return readOutcome(member, await crewRun.world.callAgent(question, crewRun));
      },
    };
  });
}
