import type { EventPlace } from "../events.ts";
import type { ModelRequest } from "../models/model.ts";
import type { RedactionStream } from "../redaction/redact-stream.ts";
import type { Run } from "../run/run.ts";
import type { EffectAbort } from "../run/step.ts";

/** A request as the session puts it, before it is known who takes what comes of it. */
export type Unsent = Omit<ModelRequest, "signal" | "calls" | "onText" | "onReasoning">;

/** Where what the model says on the way is shown. */
interface Watched {
  readonly run: Run;
  readonly place: EventPlace;
}

/** A request on its way to a model. A class, since its signal and its callbacks are made only when the model asks for them. */
export class OpenRequest implements ModelRequest {
  readonly agent: string;
  readonly crew: string;
  readonly calls: ModelRequest["calls"];
  readonly system: string;
  readonly messages: ModelRequest["messages"];
  readonly tools: ModelRequest["tools"];
  readonly sampling: ModelRequest["sampling"];
  readonly json: ModelRequest["json"];
  readonly #watched: Watched;
  readonly #abort: EffectAbort;
  #text: RedactionStream | undefined;
  #reasoning: RedactionStream | undefined;

  constructor(unsent: Unsent, calls: ModelRequest["calls"], watched: Watched, abort: EffectAbort) {
    this.agent = unsent.agent;
    this.crew = unsent.crew;
    this.calls = calls;
    this.system = unsent.system;
    this.messages = unsent.messages;
    this.tools = unsent.tools;
    this.sampling = unsent.sampling;
    this.json = unsent.json;
    this.#watched = watched;
    this.#abort = abort;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get onText(): (text: string) => void {
    const { run, place } = this.#watched;
    this.#text ??= run.redactor?.createStream();
    return passing(this.#text, (text) => run.show(place, "text.delta", { text }));
  }

  get onReasoning(): (text: string) => void {
    const { run, place } = this.#watched;
    this.#reasoning ??= run.redactor?.createStream();
    return passing(this.#reasoning, (text) => run.show(place, "reasoning.delta", { text }));
  }

  /** Shows what was held back, since it might have become a secret. */
  end(): void {
    const { run, place } = this.#watched;
    const text = this.#text?.end() ?? "";
    const reasoning = this.#reasoning?.end() ?? "";
    if (reasoning !== "") run.show(place, "reasoning.delta", { text: reasoning });
    if (text !== "") run.show(place, "text.delta", { text });
  }
}

function passing(stream: RedactionStream | undefined, show: (text: string) => void): (text: string) => void {
  if (stream === undefined) return show;
  return (chunk) => {
    const text = stream.push(chunk);
    if (text !== "") show(text);
  };
}
