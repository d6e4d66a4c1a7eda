import { toCanonicalJson } from "../../context/canonical-json.ts";
import type { SessionOutcome } from "../../session/session.ts";
import type { ExitTool } from "../../session/session-tool.ts";
import type { Agent, Neighbour } from "../../vocabulary/crew.ts";
import type { Question, Transfer } from "../agent-call.ts";
import type { CrewRun } from "../crew-run.ts";
import { writeHint } from "../learned.ts";
import { type Facts, whyUnmet } from "./condition.ts";
import { inOrder, isCompared, priceFor } from "./neighbours.ts";
import { refuseRepeated } from "./refuse.ts";

/** The transfers that ended a session: one, or several that run as a group. */
export function transfersIn(outcome: SessionOutcome): readonly Transfer[] | undefined {
  if (outcome.type !== "exit" || !(outcome.tool instanceof TransferTool)) return undefined;
  // That is what such tools are accepted with.
  return [outcome.value, ...outcome.others] as Transfer[];
}

/** A tool for each collaborator, in the order in which the model is told of them. */
export function transferTools(question: Question, crewRun: CrewRun): ExitTool[] {
  return inOrder(question.agent.collaborations, crewRun, question.agent.id).map(
    (each) => new TransferTool(each, question, crewRun),
  );
}

/** Ends its agent's session, and gives the work to a collaborator. */
class TransferTool implements ExitTool {
  readonly kind = "exit";
  readonly name: string;
  readonly givesAnswer = false;
  readonly isJoint: boolean;
  readonly #collaborator: Neighbour;
  readonly #question: Question;
  readonly #crewRun: CrewRun;

  constructor(collaborator: Neighbour, question: Question, crewRun: CrewRun) {
    this.name = nameOfTransfer(collaborator.agent);
    this.isJoint = question.agent.parallelHandoffs;
    this.#collaborator = collaborator;
    this.#question = question;
    this.#crewRun = crewRun;
  }

  get description(): string {
    const { agent: id, specialty } = this.#collaborator;
    const agent = this.#crewRun.crew.agents.get(id);
    const about = specialty ?? agent?.description ?? id;
    const hint = this.#isCheapest() ? " Prefer it to others that would do as well: it costs less." : "";
    return `Transfers the work to ${agent?.name ?? id}, who takes over from you (${about}${writeHint(this.#crewRun, this.#question.agent.id, id)}).${hint}`;
  }

  get parameters(): unknown {
    return this.parametersAfter(0);
  }

  parametersAfter(turns: number): unknown {
    return this.#whyClosed(this.#question.input, turns) === undefined ? parameters : undefined;
  }

  accept(...[args, reply, place]: Parameters<ExitTool["accept"]>): ReturnType<ExitTool["accept"]> {
    const { context, reason: given } = args;
    const reason = given ?? undefined;
    if (reason !== undefined && typeof reason !== "string") return { problem: "'reason' must be text" };
    if (!isObject(context) && !(reply.isWritten && typeof context === "string"))
      return { problem: "'context' must be an object, such as {}" };
    const { agent, input, refuse } = this.#question;
    const to = this.#collaborator.agent;
    const unmet = this.#whyClosed([input, reply.text, reason ?? ""].join("\n"), reply.turns);
    if (unmet !== undefined) return { problem: `the work cannot be transferred to '${to}' now: ${unmet}` };
    const wish = { from: agent.id, to, via: "transfer", reason: writeReason({ reason }, agent) } as const;
    // What is refused for another reason is no repetition.
    const problem =
      refuse?.(wish, place, reply.turns) ?? refuseRepeated(wish, toCanonicalJson(context), this.#crewRun, place);
    if (problem !== undefined) return { problem };
    const transfer: Transfer = { to, reason: reason?.trim() || undefined, context, isWritten: reply.isWritten };
    return { exit: transfer };
  }

  #whyClosed(text: string, turns: number): string | undefined {
    const { crew, world } = this.#crewRun;
    const facts: Facts = { text, turns, signals: [], status: "completed", costUsd: world.run.costUsd };
    return whyUnmet(this.#collaborator.when, facts, crew.settings.signalScope);
  }

  /** Among those of its own priority, where one of them prefers the cheaper. */
  #isCheapest(): boolean {
    const { collaborations } = this.#question.agent;
    if (!isCompared(this.#collaborator, collaborations)) return false;
    const own = priceFor(this.#collaborator, this.#crewRun);
    const [first] = inOrder(
      collaborations.filter(({ priority }) => (priority ?? 0) === (this.#collaborator.priority ?? 0)),
      this.#crewRun,
      this.#question.agent.id,
    );
    return own !== undefined && first === this.#collaborator;
  }
}

export function nameOfTransfer(to: string): string {
  return `transfer_to_${to}`;
}

const parameters = {
  type: "object",
  properties: {
    context: {
      type: "object",
      description: "All that the agent should know besides the task and what you say with this call.",
    },
    reason: { type: "string", description: "Why the work is transferred." },
  },
  required: ["context"],
  additionalProperties: false,
};

export function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function writeReason({ reason }: Pick<Transfer, "reason">, { id }: Agent): string {
  return reason?.trim() || `transferred by ${id}`;
}
