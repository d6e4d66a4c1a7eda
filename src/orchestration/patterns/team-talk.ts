import type { Section } from "../../context/frame.ts";
import { countTokens } from "../../context/history.ts";
import type { Session, SessionOutcome } from "../../session/session.ts";
import type { ExitTool } from "../../session/session-tool.ts";
import { findWindow } from "../../session/session-view.ts";
import type { Team } from "../../vocabulary/crew.ts";
import type { TeamMessage } from "../../vocabulary/event-data.ts";
import type { EventPlace } from "../../vocabulary/events.ts";
import type { Membership } from "../agent-call.ts";
import type { CrewRun } from "../crew-run.ts";
import { frameFor } from "../frame-for.ts";
import { broadcasting, readBroadcast, type TeamKind, type TeamSaid, type TeamSoFar } from "./team-kind.ts";

/** A tool by which something is said in a team. */
interface SpeakingTool extends ExitTool {
  readonly speaks: true;
}

export function broadcastIn(outcome: SessionOutcome): TeamSaid | undefined {
  // That is what such a tool is accepted with.
  return outcome.type === "exit" && "speaks" in outcome.tool ? (outcome.value as TeamSaid) : undefined;
}

/** What is said in a team, in order, and how far each of its readers has come. */
export class TeamTalk {
  readonly team: Team;
  readonly task: string;
  readonly kind: TeamKind;
  /** The supervisor's. */
  readonly tool: SpeakingTool;
  /** Whether something could not be delivered, so that the supervisor must finish. */
  mustFinish = false;
  isOver = false;
  /** All that members have said, in order. */
  readonly said: TeamSoFar["said"][number][] = [];
  readonly #crewRun: CrewRun;
  readonly #messages: TeamMessage[] = [];
  readonly #read = new Map<string, number>();

  constructor(team: Team, task: string, crewRun: CrewRun) {
    this.team = team;
    this.task = task;
    this.#crewRun = crewRun;
    this.kind = findKind(team, crewRun);
    this.tool = this.#toolOf(forSupervisor, readBroadcast);
  }

  /** A member's way to speak and hear. */
  membershipOf(member: string): Membership {
    const by = { member, supervisor: this.team.supervisor };
    return {
      tool: this.#toolOf(this.kind.tool, (args) => this.kind.tool.read(args, by)),
      maxTurns: this.team.memberMaxTurns,
      news: (session) => {
        const sections = this.unread(member, session);
        if (sections.length === 0) return undefined;
        const input = frameFor(session.agent, sections, session.place, this.#crewRun);
        this.#crewRun.world.run.emit(session.place, "agent.told", { input });
        return input;
      },
    };
  }

  post(message: Omit<TeamMessage, "timestamp" | "seq">, place: EventPlace): void {
    const posted = { ...message, timestamp: this.#now(), seq: this.#messages.length + 1 };
    this.#messages.push(posted);
    this.#crewRun.world.run.emit(place, "team.broadcast", posted);
  }

  /** What a reader has not seen yet, but for its own words; what would not fit its context is only mentioned. */
  unread(reader: string, session: Session): Section[] {
    const messages = this.#messages
      .slice(this.#read.get(reader) ?? 0)
      .filter(({ memberId, to }) => memberId !== reader && (to === undefined || to.includes(reader)));
    this.#read.set(reader, this.#messages.length);
    let room = findWindow(session) - (session.conversation?.tokens ?? 0) - countTokens(session.agent.prompt);
    return messages.map((each) => {
      const tokens = countTokens(each.message);
      const isFitting = tokens <= room;
      if (isFitting) room -= tokens;
      const { seq, memberId, type, message, turnCount } = isFitting ? each : this.#leaveOut(each, reader, session);
      return { kind: "team_message", agent: memberId, text: message, seq, type, turn: turnCount };
    });
  }

  /** What the team told its supervisor. */
  heard(): Section[] {
    const { supervisor } = this.team;
    return this.said
      .filter(({ to }) => to === undefined || to.includes(supervisor))
      .map(({ member, message }) => ({ kind: "answer", agent: member, text: message }));
  }

  #leaveOut(message: TeamMessage, reader: string, { place }: Session): TeamMessage {
    this.mustFinish = true;
    const words = `message #${message.seq} from ${message.memberId} does not fit the context of ${reader} and was left out`;
    const diagnostic = { ...message, type: "diagnostic" as const, message: words, timestamp: this.#now() };
    this.#crewRun.world.run.emit(place, "team.broadcast", diagnostic);
    return diagnostic;
  }

  #now(): string {
    return new Date(this.#crewRun.world.run.now()).toISOString();
  }

  #toolOf({ name, description, parameters }: Described, read: typeof readBroadcast): SpeakingTool {
    const accept: ExitTool["accept"] = (args) => {
      if (this.isOver) return { problem: "the team's work is done; answer instead" };
      const said = read(args);
      if ("problem" in said) return said;
      const { members, supervisor } = this.team;
      const stranger = said.to?.find((id) => id !== supervisor && !members.includes(id));
      if (stranger === undefined) return { exit: said };
      return { problem: `there is no '${stranger}' in the team; there are ${[...members, supervisor].join(", ")}` };
    };
    const parametersAfter = () => (this.isOver ? undefined : parameters);
    return { kind: "exit", name, description, parameters, parametersAfter, givesAnswer: false, speaks: true, accept };
  }
}

type Described = Omit<TeamKind["tool"], "read">;

const forSupervisor: Described = {
  name: broadcasting.tool.name,
  description: "Says something to the whole team, which then works on. Answer instead when the team's work is done.",
  parameters: {
    type: "object",
    properties: { message: { type: "string", description: "What everybody in the team gets to read." } },
    required: ["message"],
    additionalProperties: false,
  },
};

function findKind({ kind }: Team, { world }: CrewRun): TeamKind {
  if (kind === undefined) return broadcasting;
  const known = world.teamKinds?.get(kind);
  if (known === undefined) throw new Error(`there are no teams of kind '${kind}'; the host should have said so`);
  return known;
}
