import type { SessionOutcome } from "../../session/session.ts";
import type { ExitTool } from "../../session/session-tool.ts";
import type { Agent, Neighbour } from "../../vocabulary/crew.ts";
import type { Choice, Question, Refuse } from "../agent-call.ts";
import type { CrewRun } from "../crew-run.ts";
import { writeHint } from "../learned.ts";
import { type Facts, whyUnmet } from "./condition.ts";
import { openNeighbours } from "./neighbours.ts";

const HANDOFF_TO = "handoff-to";

export function choiceIn(outcome: SessionOutcome): Choice | undefined {
  // That is what the tool of this name is accepted with.
  return outcome.type === "exit" && outcome.tool.name === HANDOFF_TO ? (outcome.value as Choice) : undefined;
}

export function routerTools(question: Question, crewRun: CrewRun): ExitTool[] {
  return question.agent.router === undefined ? [] : [new RouterTool(question, crewRun)];
}

/** A router's tool: ends its session with a destination, and perhaps a message for it. */
class RouterTool implements ExitTool {
  readonly kind = "exit";
  readonly name = HANDOFF_TO;
  readonly description = "Sends the request, with an optional note from you, to the agent who is to take care of it.";
  readonly givesAnswer = false;
  readonly #input: string;
  readonly #agent: Agent;
  readonly #crewRun: CrewRun;
  readonly #refuse: Refuse | undefined;

  constructor({ agent, input, refuse }: Question, crewRun: CrewRun) {
    this.#agent = agent;
    this.#input = input;
    this.#crewRun = crewRun;
    this.#refuse = refuse;
  }

  get parameters(): unknown {
    return this.parametersAfter(0);
  }

  parametersAfter(turns: number): unknown {
    const open = this.#openTo(this.#input, turns);
    if (open.length === 0) return undefined;
    const about = open.map(
      ({ agent, specialty }) => `${agent}: ${specialty ?? this.#describe(agent)}${this.#hint(agent)}`,
    );
    return {
      type: "object",
      properties: {
        agent: { type: "string", enum: open.map(({ agent }) => agent), description: about.join("\n") },
        message: { type: "string", description: "What the agent should know besides the request." },
      },
      required: ["agent"],
      additionalProperties: false,
    };
  }

  accept(...[args, reply, place]: Parameters<ExitTool["accept"]>): ReturnType<ExitTool["accept"]> {
    const { agent: to, message } = args;
    if (message !== undefined && message !== null && typeof message !== "string")
      return { problem: "'message' must be text" };
    const said = [this.#input, reply.text, message ?? ""].join("\n");
    const open = this.#openTo(said, reply.turns).map(({ agent }) => agent);
    if (typeof to !== "string" || !open.includes(to)) return { problem: this.#whyNot(to, open, said, reply.turns) };
    const reason = `chosen by ${this.#agent.id}`;
    const problem = this.#refuse?.({ from: this.#agent.id, to, via: "router", reason }, place, reply.turns);
    if (problem !== undefined) return { problem };
    const choice: Choice = { agent: to, message: message?.trim() === "" ? undefined : (message ?? undefined) };
    return { exit: choice };
  }

  #whyNot(to: unknown, open: readonly string[], text: string, turns: number): string {
    const choices = open.length === 0 ? "none is open now" : `choose one of ${open.join(", ")}`;
    if (to === undefined || to === null || to === "") return `'agent' is missing; ${choices}`;
    const { when } = this.#agent.router?.destinations.find(({ agent }) => agent === to) ?? {};
    const unmet = whyUnmet(when, this.#facts(text, turns), this.#crewRun.crew.settings.signalScope);
    const what = typeof to === "string" ? to : JSON.stringify(to);
    return unmet === undefined
      ? `there is no destination '${what}'; there are ${open.join(", ") || "none now"}`
      : `'${what}' is not open now: ${unmet}; ${choices}`;
  }

  #facts(text: string, turns: number): Facts {
    return { text, turns, signals: [], status: "completed", costUsd: this.#crewRun.world.run.costUsd };
  }

  #openTo(text: string, turns: number): Neighbour[] {
    const facts = this.#facts(text, turns);
    return openNeighbours(this.#agent.router?.destinations ?? [], facts, this.#crewRun, this.#agent.id);
  }

  #hint(id: string): string {
    return writeHint(this.#crewRun, this.#agent.id, id);
  }

  #describe(id: string): string {
    return this.#crewRun.crew.agents.get(id)?.description ?? id;
  }
}
