import { isOwn, type RunResult } from "../../views/run-result.ts";
import { type BatonEvent, nameSpeaker } from "../../vocabulary/events.ts";
import type { AgentRole } from "./agent-role.ts";

/** What a chat client is told: what agents say on the way, or words of the answer. */
export interface Saying {
  readonly type: "thinking" | "words";
  readonly text: string;
}

/** Why there is no answer. */
export interface Breakdown {
  readonly code: string;
  readonly message: string;
}

/** What an agent says that is not known yet to be the answer. */
interface Line {
  readonly name: string;
  text: string;
  isOver: boolean;
}

/** Turns a run's events into what a chat client is told. Nothing of the answer is told twice. */
export class Narration {
  readonly #roleOf: (agent: string) => AgentRole;
  #words = "";
  #breakdown: Breakdown | undefined;
  #held: Line | undefined;
  /** Who is being told, and who waits until that one is done: words of agents that speak at once are not mixed. */
  #telling: string | undefined;
  readonly #waiting = new Map<string, Line>();
  readonly #heard = new Set<string>();
  /** Which agents of the run's own have said something of their answer already. */
  readonly #spoke = new Set<string>();
  #hasThought = false;

  constructor(roleOf: (agent: string) => AgentRole) {
    this.#roleOf = roleOf;
  }

  take(event: BatonEvent): readonly Saying[] {
    switch (event.type) {
      case "text.delta":
        return this.#takeDelta(event.path, event, event.data.text, event.data.startsOver === true);
      case "text.retracted":
        return this.#retract("the answer was taken back");
      case "model.failed":
        return this.#takeFailure(event);
      case "model.completed":
        return this.#takeReply(event, event.data.text);
      case "agent.completed":
        return this.#takeAnswer(event, event.data.shown ?? event.data.answer);
      case "agent.started":
      case "handoff":
      case "parallel.started":
      case "crew.entered":
        return isOwn(event) ? this.#release() : [];
      case "run.paused":
        if (this.#held !== undefined && event.data.prompt.includes(this.#held.text.trim())) this.#held = undefined;
        return this.#release();
      default:
        return [];
    }
  }

  /** Why what was streamed is no answer, as soon as that is known. */
  get breakdown(): Breakdown | undefined {
    return this.#breakdown;
  }

  /** What is left to tell when the run has ended or paused; or why there is no answer. */
  finish(result: RunResult): { readonly sayings: readonly Saying[]; readonly breakdown?: Breakdown } {
    const waiting = [...this.#waiting.keys()].flatMap((key) => this.#close(key));
    if (this.#breakdown !== undefined) return { sayings: waiting, breakdown: this.#breakdown };
    if (result.status === "paused") return { sayings: [...waiting, { type: "words", text: result.paused.prompt }] };
    if (result.status !== "completed") return { sayings: waiting, breakdown: explain(result) };
    const { output } = result;
    if (output.trimEnd() === this.#words.trimEnd()) return { sayings: waiting };
    if (!output.startsWith(this.#words))
      return {
        sayings: waiting,
        breakdown: { code: "stream-broken", message: "the answer differs from what was streamed of it" },
      };
    return { sayings: [...waiting, { type: "words", text: output.slice(this.#words.length) }] };
  }

  #takeDelta(key: string, event: BatonEvent, text: string, startsOver: boolean): readonly Saying[] {
    this.#heard.add(key);
    this.#spoke.add(key);
    const role = isOwn(event) ? this.#roleOf(event.agent ?? "") : "passes on";
    if (role === "answers") {
      if (startsOver && this.#words !== "") return this.#retract("the text so far was not the answer");
      if (this.#breakdown !== undefined) return [];
      this.#words += text;
      return [{ type: "words", text }];
    }
    const name = nameSpeaker(event);
    if (role === "passes on") return this.#think(key, name, text);
    this.#held ??= { name, text: "", isOver: false };
    this.#held.text = (startsOver ? "" : this.#held.text) + text;
    return [];
  }

  #takeFailure(event: BatonEvent): readonly Saying[] {
    const key = pathOfSession(event);
    this.#heard.delete(key);
    this.#spoke.delete(key);
    if (event.crew === undefined && this.#roleOf(event.agent ?? "") === "answers" && this.#words !== "")
      return this.#retract("the model failed in the middle of the answer");
    if (/^\d+$/.test(key)) this.#held = undefined;
    return this.#close(key);
  }

  /** The reply of a model that does not stream is told whole. */
  #takeReply(event: BatonEvent, text: string): readonly Saying[] {
    const key = pathOfSession(event);
    const isNew = !this.#heard.delete(key) && text !== "";
    // What an agent of the run's own says is told when it is known whether it is the answer.
    const told = isNew && !/^\d+$/.test(key) ? this.#think(key, nameSpeaker(event), text) : [];
    return [...told, ...this.#close(key)];
  }

  /** What an agent of the run's own answers without streaming is the output, or is told when the run goes on. */
  #takeAnswer(event: BatonEvent, text: string): readonly Saying[] {
    const { path, agent = "" } = event;
    const isNew = isOwn(event) && /^\d+$/.test(path) && !this.#spoke.delete(path) && text !== "";
    const role = this.#roleOf(agent);
    if (!isNew || role === "answers") return [];
    if (role === "passes on") return [...this.#think(path, nameSpeaker(event), text), ...this.#close(path)];
    this.#held ??= { name: nameSpeaker(event), text, isOver: true };
    return [];
  }

  /** The run goes on, so what was held back is not the answer. */
  #release(): readonly Saying[] {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined || held.text.trim() === "") return [];
    return [this.#begin(held.name, held.text)];
  }

  #think(key: string, name: string, text: string): readonly Saying[] {
    if (this.#telling === key) return [{ type: "thinking", text }];
    if (this.#telling === undefined) {
      this.#telling = key;
      return [this.#begin(name, text)];
    }
    const line = this.#waiting.get(key) ?? { name, text: "", isOver: false };
    line.text += text;
    this.#waiting.set(key, line);
    return [];
  }

  /** Each agent's words begin with its name. */
  #begin(name: string, text: string): Saying {
    const lead = this.#hasThought ? "\n\n" : "";
    this.#hasThought = true;
    return { type: "thinking", text: `${lead}${name}: ${text}` };
  }

  #close(key: string): readonly Saying[] {
    const own = this.#waiting.get(key);
    if (own !== undefined) own.isOver = true;
    if (this.#telling === key) this.#telling = undefined;
    const told: Saying[] = [];
    for (const [next, line] of this.#waiting) {
      if (this.#telling !== undefined) break;
      this.#waiting.delete(next);
      told.push(this.#begin(line.name, line.text));
      if (!line.isOver) this.#telling = next;
    }
    return told;
  }

  #retract(why: string): readonly Saying[] {
    if (this.#words !== "")
      this.#breakdown ??= {
        code: "stream-broken",
        message: `${why}, part of which was streamed: send the message again`,
      };
    this.#held = undefined;
    return [];
  }
}

/** The session of an agent that a model was called for. */
function pathOfSession({ path }: BatonEvent): string {
  return path.replace(/\/t\d+\/m\d+$/, "");
}

function explain({ status, error }: RunResult): Breakdown {
  return error ?? { code: status, message: `the run is ${status}` };
}
