import type { Section } from "../../context/frame.ts";
import type { Scope } from "../../run/scope.ts";
import { turnsLeft } from "../../session/run-session.ts";
import type { Session } from "../../session/session.ts";
import type { InnerTool } from "../../session/session-tool.ts";
import type { Agent } from "../../vocabulary/crew.ts";
import type { EventPlace } from "../../vocabulary/events.ts";
import type { Answer, Question } from "../agent-call.ts";
import type { CrewRun } from "../crew-run.ts";
import { frameFor } from "../frame-for.ts";

/** One that answered and stays available, frozen, for as long as its parent's session lasts. */
interface Child {
  readonly question: Question;
  session: Session;
  /** Done when nobody is asking it. */
  free: Promise<unknown>;
}

type Args = Readonly<Record<string, unknown>>;
type Result = Awaited<ReturnType<InnerTool["run"]>>;

/** Those that an agent called in one session. What they keep alive goes with them. */
export class Children {
  readonly #callPath: string;
  readonly #crewRun: CrewRun;
  readonly #calls = new Map<string, number>();
  /** Undefined for one that cannot be asked again. */
  readonly #known = new Map<string, Child | undefined>();
  #liveCount = 0;

  constructor(callPath: string, crewRun: CrewRun) {
    this.#callPath = callPath;
    this.#crewRun = crewRun;
  }

  /** `<agent>-<n>`, counted from 1. */
  nextId(agent: string): string {
    const count = (this.#calls.get(agent) ?? 0) + 1;
    this.#calls.set(agent, count);
    return `${agent}-${count}`;
  }

  /** Keeps whoever answered available, if the agent that was called allows it; gives the words that say so below the answer. */
  keep(id: string, { chat }: Agent, question: Question, { session }: Answer): string {
    const child = chat && session !== undefined ? { question, session, free: Promise.resolve() } : undefined;
    this.#known.set(id, child);
    if (child !== undefined) this.#liveCount++;
    return child === undefined ? "" : writeFooter(id, child.session);
  }

  tools(): InnerTool[] {
    return [
      {
        kind: "inner",
        name: "agent__ask_clarification",
        description: "Asks an agent that answered you about its answer. It remembers the conversation.",
        parameters: undefined,
        parametersAfter: () =>
          this.#parameters({ question: { type: "string", description: "What you want to know." } }),
        run: (args, place, scope) => this.#ask(args, place, scope),
      },
      {
        kind: "inner",
        name: "agent__dismiss",
        description: "Lets an agent go that you will not ask again.",
        parameters: undefined,
        parametersAfter: () => this.#parameters({}),
        run: async (args) => this.#dismiss(args),
      },
    ];
  }

  #parameters(more: Readonly<Record<string, unknown>>): unknown {
    if (this.#liveCount === 0) return undefined;
    const live = this.#live();
    const properties = { child: { type: "string", enum: live, description: "The agent's id." }, ...more };
    return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
  }

  #live(): string[] {
    return [...this.#known].flatMap(([id, child]) => (child === undefined ? [] : [id]));
  }

  #find({ child: id }: Args): Child | { readonly problem: string } {
    const name = String(id);
    const child = this.#known.get(name);
    if (child !== undefined) return child;
    if (id === undefined || id === null || id === "")
      return { problem: `'child' is missing; choose one of ${this.#live().join(", ") || "none"}` };
    if (this.#known.has(name)) return { problem: `chat_disabled: '${name}' cannot be asked again` };
    return { problem: `unknown_child: there is no '${name}'; there are ${this.#live().join(", ") || "none"}` };
  }

  #dismiss(args: Args): Result {
    const child = this.#find(args);
    if ("problem" in child) return child;
    this.#known.delete(String(args["child"]));
    this.#liveCount--;
    return { result: `${args["child"]} was let go.` };
  }

  async #ask(args: Args, place: EventPlace, scope: Scope): Promise<Result> {
    const { child: id, question } = args;
    if (typeof question !== "string" || question.trim() === "") return { problem: "'question' must be text" };
    const child = this.#find(args);
    if ("problem" in child) return child;
    // Two questions in one turn are asked one after the other: it is one conversation.
    const answered = child.free.then(() => this.#clarify(child, String(id), question, place, scope));
    child.free = answered.catch(() => {});
    return answered;
  }

  async #clarify(child: Child, id: string, question: string, place: EventPlace, scope: Scope): Promise<Result> {
    const { run } = this.#crewRun.world;
    scope.throwIfClosed();
    if (turnsLeft(child.session) === 0) return { problem: `clarification_no_turns: '${id}' has no turns left` };
    run.emit(place, "clarification.asked", { child: id, question });
    const own = scope.open();
    const { agent } = child.session;
    const at = { ...place, path: `${place.path}/a`, agent: agent.id };
    const request: Section = { kind: "clarification_request", agent: this.#callPath, text: question };
    const asked = await this.#crewRun.world.callAgent(
      {
        ...child.question,
        agent,
        session: child.session,
        input: frameFor(agent, [request], at, this.#crewRun),
        scope: own,
        place: at,
      },
      this.#crewRun,
    );
    own.close("done");
    if (asked.type === "failed") return { problem: asked.failure.message };
    child.session = asked.session ?? child.session;
    const turnsRemaining = turnsLeft(child.session);
    run.emit(place, "clarification.answered", { child: id, answer: asked.text, turnsRemaining });
    const payload = { status: "answered", content: asked.text, clarificationId: id, turnsRemaining };
    // It may have been dismissed in the same turn.
    const footer =
      this.#known.get(id) === child ? writeFooter(id, child.session) : `\n\n---\nThis was \`${id}\`. It was let go.`;
    return { result: JSON.stringify(payload) + footer };
  }
}

function writeFooter(id: string, session: Session): string {
  const left = turnsLeft(session);
  const turns = left === 1 ? "1 turn" : `${left} turns`;
  return left === 0
    ? `\n\n---\nThis was \`${id}\`. It has no turns left.`
    : `\n\n---\nThis was \`${id}\`. To ask about it, call agent__ask_clarification with child "${id}" (${turns} left).`;
}
