import type { Section } from "../../context/frame.ts";
import { append, type History } from "../../context/history.ts";
import { runSession, turnsLeft } from "../../session/run-session.ts";
import type { Invocation, Session, SessionOutcome } from "../../session/session.ts";
import type { Agent } from "../../vocabulary/crew.ts";
import type { EventPlace } from "../../vocabulary/events.ts";
import { createMessage } from "../../vocabulary/messages.ts";
import { isBlank } from "../../vocabulary/wording.ts";
import type { Answer, Membership, Question } from "../agent-call.ts";
import type { CrewRun } from "../crew-run.ts";
import { findAgent } from "../crew-run.ts";
import { frameFor } from "../frame-for.ts";
import { historyForAgents } from "../history-for.ts";
import { OwnQuota } from "../own-quota.ts";
import type { TeamKind, TeamSaid } from "./team-kind.ts";
import { broadcastIn, type TeamTalk } from "./team-talk.ts";

interface Member {
  readonly id: string;
  readonly index: number;
  readonly agent: Agent;
  readonly membership: Membership;
  readonly ownQuota: OwnQuota;
  /** Of whoever speaks for the member now, once it has spoken. */
  session: Session | undefined;
  turns: number;
  hasLeft: boolean;
}

/** A team at work: who supervises it in which session, and what all that is done for it needs. */
interface Work {
  readonly talk: TeamTalk;
  readonly question: Question;
  readonly session: Session;
  readonly members: readonly Member[];
  /** What a member sees of what was said before. */
  readonly shownTo: (member: string) => History | undefined;
  readonly crewRun: CrewRun;
}

/** Runs a team: cycles of all members at once and then the supervisor, until the supervisor answers. */
export async function superviseTeam(
  talk: TeamTalk,
  question: Question,
  session: Session,
  begin: (input: string) => void,
  crewRun: CrewRun,
): Promise<SessionOutcome> {
  const { agent, place, scope, history, original, budget } = question;
  const { task: input, team } = talk;
  crewRun.world.run.emit(place, "team.started", { members: team.members, task: input });
  const calling = { input, handed: [input], history, original, budget };
  const shownTo = await historyForAgents(crewRun, calling, scope, { ...place, path: `${place.path}/k` });
  scope.throwIfClosed();
  const work: Work = { talk, question, session, members: openMembers(talk, crewRun), shownTo, crewRun };
  const task: Section = { kind: "plain", text: question.input };
  let hasBegun = false;
  for (let cycle = 1; ; cycle++) {
    await runCycle(cycle, work);
    // Another team may have ended the run between the end of the cycle and here.
    scope.throwIfClosed();
    const following = followCycle(cycle, work);
    if (following === "cycle") continue;
    const unread = talk.unread(agent.id, session);
    const isForced = mustEnd(work) || turnsLeft(session) === 0;
    const told = frameFor(agent, hasBegun ? orNothing(unread) : [task, ...unread], place, crewRun);
    if (hasBegun) crewRun.world.run.emit(place, "agent.told", { input: told });
    else begin(told);
    hasBegun = true;
    const outcome =
      following === "supervisor"
        ? await decide(session, { input: told, scope, place, isForced })
        : answerFor(session, told, following.answer);
    const broadcast = broadcastIn(outcome);
    if (broadcast === undefined) {
      talk.isOver = true;
      return outcome;
    }
    const { message } = broadcast;
    talk.post({ type: "update", memberId: agent.id, message, turnCount: session.turns }, place);
  }
}

function openMembers(talk: TeamTalk, { crew }: CrewRun): Member[] {
  return [...new Set(talk.team.members)].map((id, index): Member => {
    const agent = findAgent(crew, id);
    return {
      id,
      index,
      agent,
      membership: talk.membershipOf(id),
      ownQuota: new OwnQuota(),
      session: undefined,
      turns: 0,
      hasLeft: false,
    };
  });
}

/** An input must not be empty, so silence is put into words. */
function orNothing(unread: readonly Section[]): readonly Section[] {
  return unread.length > 0 ? unread : [{ kind: "plain", text: "Nobody in the team has said anything." }];
}

function mustEnd({ talk, members }: Work): boolean {
  return talk.mustFinish || members.every(({ hasLeft }) => hasLeft);
}

/** Asks the team's kind what follows. Members cannot continue if all have left. */
function followCycle(cycle: number, work: Work): ReturnType<TeamKind["afterCycle"]> {
  const { talk, members } = work;
  const { said } = talk;
  const active = members.filter(({ hasLeft }) => !hasLeft).map(({ id }) => id);
  const { supervisor } = talk.team;
  const following = talk.kind.afterCycle({ cycle, task: talk.task, supervisor, members: active, said });
  return following === "cycle" && mustEnd(work) ? "supervisor" : following;
}

/** The team's answer, where its kind gives it: in the supervisor's name, who can be asked about it. */
function answerFor(session: Session, told: string, text: string): SessionOutcome {
  const heard = append(session.conversation, { role: "user", text: told });
  session.conversation = append(heard, createMessage(session.agent.id, text));
  return { type: "answer", text, traffic: [], turns: 0 };
}

/** A supervisor that has spent its turns without a word gets one more, in which it can only answer. */
async function decide(session: Session, invocation: Invocation): Promise<SessionOutcome> {
  const outcome = await runSession(session, invocation);
  const isSpent = outcome.type === "failed" && outcome.failure.code === "max_turns" && !invocation.isForced;
  return isSpent ? runSession(session, { ...invocation, input: undefined, isForced: true }) : outcome;
}

/** All members that are still there, at once, each until it has said something or has nothing to say. */
async function runCycle(cycle: number, work: Work): Promise<void> {
  const { members, question, crewRun } = work;
  const { run } = crewRun.world;
  const place = { ...question.place, path: `${question.place.path}/k${cycle}` };
  const placeMember = ({ id, index }: Member) => ({ ...place, path: `${place.path}/w${index}`, agent: id });
  for (const member of members)
    if (!member.hasLeft && member.session !== undefined && turnsLeft(member.session) === 0)
      leave(member, "it has no turns left", { ...question.place, agent: member.id }, work);
  const active = members.filter(({ hasLeft }) => !hasLeft);
  if (active.length === 0) return;
  run.emit(place, "team.cycle", { cycle, members: active.map(({ id }) => id) });
  const rejoin = run.branch();
  await Promise.all(active.map((member) => runMember(member, cycle, placeMember(member), work))).finally(rejoin);
}

async function runMember(member: Member, cycle: number, place: EventPlace, work: Work): Promise<void> {
  const { talk, question, shownTo, crewRun } = work;
  const { agent, session, membership } = member;
  const speaker = session?.agent ?? agent;
  // One before it may have ended the whole already.
  question.scope.throwIfClosed();
  const scope = question.scope.open();
  const asked = await crewRun.world.callAgent(
    {
      agent: speaker,
      input:
        session === undefined
          ? taskFor(speaker, place, work)
          : frameFor(speaker, orNothing(talk.unread(member.id, session)), { ...place, agent: speaker.id }, crewRun),
      history: shownTo(member.id),
      scope,
      place: { ...place, agent: speaker.id },
      original: question.original,
      callPath: `${question.callPath}/${member.id}`,
      budget: question.budget,
      membership,
      ownQuota: member.ownQuota,
      session,
    },
    crewRun,
  );
  scope.close("done");
  member.turns += asked.turns;
  if (asked.type === "failed") {
    // The turn in which it failed is one, too.
    if (asked.failure.code !== "max_turns") member.turns++;
    leave(member, asked.failure.message, place, work);
  } else {
    member.session = asked.session;
    say(member, asked, cycle, place, work);
  }
}

/** The team's task; where other agents wrote it, framed as the member wants it. */
function taskFor(member: Agent, place: EventPlace, { talk, question, crewRun }: Work): string {
  const { given = [] } = question;
  return given.length === 0 ? talk.task : frameFor(member, given, { ...place, agent: member.id }, crewRun);
}

/** A plain answer is a broadcast too; an empty one says nothing. */
function say(member: Member, { text, broadcast }: Answer, cycle: number, place: EventPlace, work: Work): void {
  const said: TeamSaid = broadcast ?? { message: text };
  const { message, isFinal = false, status, to } = said;
  const type = status === "failure" ? "failure" : "update";
  const { id: memberId, turns: turnCount } = member;
  if (broadcast !== undefined || !isBlank(message)) work.talk.said.push({ ...said, member: memberId, cycle });
  if (!isBlank(message)) work.talk.post({ type, memberId, message, turnCount, ...(to && { to }) }, place);
  if (isFinal) leave(member, type === "failure" ? message : undefined, place, work);
}

/** A member is gone, and everybody is told: because of something, or since its work is done. */
function leave(member: Member, problem: string | undefined, place: EventPlace, { talk, crewRun }: Work): void {
  const { id: memberId, turns: turnCount } = member;
  member.hasLeft = true;
  const hasFailed = problem !== undefined;
  crewRun.world.run.emit(place, "team.left", { memberId, ...(hasFailed && { reason: problem }) });
  const message = hasFailed
    ? `member ${memberId} failed and is no longer in the team. Reason: ${problem}`
    : `member ${memberId} left the team and is no longer reachable.`;
  talk.post({ type: hasFailed ? "failure" : "update", memberId, message, turnCount }, place);
}
