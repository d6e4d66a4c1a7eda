import type { EventPlace } from "../events.ts";
import type { ModelRequest } from "../models/model.ts";
import type { Run } from "../run/run.ts";
import type { EffectAbort } from "../run/step.ts";

/** A request as the session puts it, before it is known who takes what comes of it. */
export type Unsent = Omit<ModelRequest, "signal" | "calls" | "onText" | "onReasoning">;

/** A request on its way to a model. A class, since its signal is made only when the model asks for it. */
export class OpenRequest implements ModelRequest {
  readonly agent: string;
  readonly crew: string;
  readonly calls: ModelRequest["calls"];
  readonly system: string;
  readonly messages: ModelRequest["messages"];
  readonly tools: ModelRequest["tools"];
  readonly sampling: ModelRequest["sampling"];
  readonly json: ModelRequest["json"];
  readonly onText: (text: string) => void;
  readonly onReasoning: (text: string) => void;
  readonly #abort: EffectAbort;

  constructor(
    unsent: Unsent,
    calls: ModelRequest["calls"],
    { run, place }: { readonly run: Run; readonly place: EventPlace },
    abort: EffectAbort,
  ) {
    this.agent = unsent.agent;
    this.crew = unsent.crew;
    this.calls = calls;
    this.system = unsent.system;
    this.messages = unsent.messages;
    this.tools = unsent.tools;
    this.sampling = unsent.sampling;
    this.json = unsent.json;
    this.onText = (text) => run.show(place, "text.delta", { text });
    this.onReasoning = (text) => run.show(place, "reasoning.delta", { text });
    this.#abort = abort;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }
}
