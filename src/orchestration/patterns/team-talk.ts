import type { Section } from "../../context/frame.ts";
import { tokensOf } from "../../context/history.ts";
import type { Team } from "../../crew.ts";
import type { EventPlace } from "../../events.ts";
import type { Session, SessionOutcome } from "../../session/run-session.ts";
import type { ExitTool } from "../../session/session-tool.ts";
import { windowOf } from "../../session/session-view.ts";
import type { TeamMessage } from "../../team-message.ts";
import type { CrewRun } from "../crew-run.ts";
import { frameFor } from "../frame-for.ts";

/** What a member says to all others. */
export interface Broadcast {
  readonly message: string;
  /** Whether it leaves the team with it. */
  readonly isFinal: boolean;
  readonly status: "success" | "failure";
}

/** How an agent speaks and hears in a team. */
export interface Membership {
  readonly tool: ExitTool;
  readonly maxTurns: number | undefined;
  news(session: Session): string | undefined;
}

const BROADCAST = "team__broadcast";

export function broadcastIn(outcome: SessionOutcome): Broadcast | undefined {
  // That is what the tool of this name is accepted with.
  return outcome.type === "exit" && outcome.tool.name === BROADCAST ? (outcome.value as Broadcast) : undefined;
}

/** What is said in a team, in order, and how far each of its readers has come. */
export class TeamTalk {
  readonly team: Team;
  readonly task: string;
  readonly tool: ExitTool;
  /** Whether something could not be delivered, so that the supervisor must come to its end. */
  mustFinish = false;
  isOver = false;
  readonly #crewRun: CrewRun;
  readonly #messages: TeamMessage[] = [];
  readonly #read = new Map<string, number>();

  constructor(team: Team, task: string, crewRun: CrewRun) {
    this.team = team;
    this.task = task;
    this.#crewRun = crewRun;
    this.tool = this.#toolOf(true);
  }

  /** A member's way to speak and hear. */
  membershipOf(member: string): Membership {
    return {
      tool: this.#toolOf(false),
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
    const messages = this.#messages.slice(this.#read.get(reader) ?? 0).filter(({ memberId }) => memberId !== reader);
    this.#read.set(reader, this.#messages.length);
    let room = windowOf(session) - (session.conversation?.tokens ?? 0) - tokensOf(session.agent.prompt);
    return messages.map((each) => {
      const tokens = tokensOf(each.message);
      const isFitting = tokens <= room;
      if (isFitting) room -= tokens;
      const { seq, memberId, type, message, turnCount } = isFitting ? each : this.#leaveOut(each, reader, session);
      return { kind: "team_message", agent: memberId, text: message, seq, type, turn: turnCount };
    });
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

  #toolOf(isSupervisor: boolean): ExitTool {
    const leaving = {
      final: { type: "boolean", description: "Whether this is your last message: you leave the team with it." },
      status: { type: "string", enum: ["success", "failure"], description: "How your part of the work went." },
    };
    const message = { type: "string", description: "What everybody in the team gets to read." };
    const parameters = {
      type: "object",
      properties: { message, ...(!isSupervisor && leaving) },
      required: ["message"],
      additionalProperties: false,
    };
    const description = isSupervisor
      ? "Says something to the whole team, which then works on. Answer instead when the team's work is done."
      : "Says something to the whole team. Ends your turn until somebody has answered.";
    return {
      kind: "exit",
      name: BROADCAST,
      description,
      parameters,
      parametersAfter: () => (this.isOver ? undefined : parameters),
      givesAnswer: false,
      accept: (args) => (this.isOver ? { problem: "the team's work is done; answer instead" } : readBroadcast(args)),
    };
  }
}

function readBroadcast(args: Readonly<Record<string, unknown>>): ReturnType<ExitTool["accept"]> {
  const { message, final = false, status = "success" } = args;
  if (typeof message !== "string" || message.trim() === "") return { problem: "'message' must be text" };
  if (typeof final !== "boolean") return { problem: "'final' must be true or false" };
  if (status !== "success" && status !== "failure") return { problem: "'status' must be 'success' or 'failure'" };
  const broadcast: Broadcast = { message, isFinal: final, status };
  return { exit: broadcast };
}
