import type { DeclaredGuard } from "../../flow/coverage/list-guards.ts";
import { type CrewMap, findShortestWay, mapCrew, type Way } from "../../flow/coverage/shortest-way.ts";
import type { Standing, Stop, Transition } from "../../flow/transitions.ts";
import type { Agent, Crew } from "../../vocabulary/crew.ts";
import { findSpeaker, type Reply, type ReplyWishes, writeTransition } from "./write-reply.ts";

/** What an agent says on its crew's line, and what it says inside another agent or a group. */
export interface Lines {
  readonly line: Reply[];
  readonly called: Reply[];
}

/** A scenario in the making: what must be said for a run to take a certain way. What else is asked has no plan. */
export class Plan {
  readonly crew: Crew;
  readonly map: CrewMap;
  input = "TODO: the input";
  /** By `<crew>/<agent>`, or the agent alone in the crew itself. */
  readonly replies = new Map<string, Lines>();
  /** Answers to pauses, by agent. */
  readonly answers = new Map<string, object[]>();
  readonly tools = new Map<string, object>();
  /** What agents that judge say once, by guard. Otherwise they let every text pass. */
  readonly verdicts = new Map<string, Reply>();

  constructor(crew: Crew) {
    this.crew = crew;
    this.map = mapCrew(crew);
  }

  /** Goes to a stop by the shortest way; whether there is one. */
  goTo(isGoal: (stop: Stop) => boolean, wishes: ReplyWishes = {}): Stop | undefined {
    const way = findShortestWay(this.crew, this.map, isGoal);
    if (way !== undefined) this.follow(way, wishes);
    return way?.end;
  }

  /** Goes to where an agent speaks: on its crew's line if it ever does, where signals act. */
  goToAgent(id: string, mayBeCalled = false): Standing | undefined {
    const on = (isRight: (standing: Standing) => boolean) =>
      this.goTo((stop) => stop.type === "agent" && stop.agent === id && isRight(stop.standing));
    const end = on((standing) => standing !== "called") ?? (mayBeCalled ? on(() => true) : undefined);
    return end?.type === "agent" ? end.standing : undefined;
  }

  /** Lets the agents along a way say what leads them on. `before` is what each says before that. */
  follow({ entry, steps }: Way, wishes: ReplyWishes = {}, before: (agent: Agent) => readonly Reply[] = () => []): void {
    const agent = this.crew.agents.get(entry);
    if (this.crew.entryPoint.type === "auto" && agent !== undefined) this.#begin(agent);
    for (const step of steps) {
      const speaker = findSpeaker(this.crew, step);
      if (speaker === undefined || step.at.type !== "agent") continue;
      const said = step.at.standing === "called" ? [] : before(speaker);
      this.say(speaker.id, step.at.standing, ...said, ...writeTransition(this.crew, speaker, step.transition, wishes));
      if (isHeld(this.crew, speaker, step.transition)) this.answer(speaker.id, { decision: "approve" });
    }
  }

  /** In a crew that chooses who begins, the input has the words of whoever is to begin. */
  #begin(agent: Agent): void {
    const { classifier } = this.crew.settings;
    this.input = [agent.id, agent.description ?? "", ...agent.specialties].join(" ").trim();
    if (classifier !== undefined)
      this.say(classifier, "called", { text: JSON.stringify({ agent: agent.id, confidence: 1 }) });
  }

  say(agent: string, standing: Standing, ...replies: readonly Reply[]): void {
    const lines = this.replies.get(agent) ?? { line: [], called: [] };
    this.replies.set(agent, lines);
    lines[standing === "called" ? "called" : "line"].push(...replies);
  }

  answer(agent: string, ...answers: readonly object[]): void {
    this.answers.set(agent, [...(this.answers.get(agent) ?? []), ...answers]);
  }
}

/** The name of a guard of the crew, for what its agent says of a text. */
export function nameVerdict({ agent = "", on, label }: DeclaredGuard): string {
  return `${agent} ${on} ${label}`;
}

/** Whether a gate holds what an agent decides: everything but an end, a pause, and what follows without a decision. */
export function isHeld(crew: Crew, agent: Agent, { kind, stop }: Transition): boolean {
  const isChoice = kind === "signal" || kind === "router" || kind === "transfer";
  const isMove = stop.type === "agent" || stop.type === "group" || stop.type === "crews";
  return crew.behaviors.get(agent.id)?.autoRoute === false && isChoice && isMove;
}
