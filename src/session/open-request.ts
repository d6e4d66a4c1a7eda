import { explainTooLarge, MAX_ANSWER_BYTES } from "../models/answer-limit.ts";
import { ModelError, type ModelRequest } from "../models/model.ts";
import type { RedactionStream } from "../redaction/redact-stream.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { EffectAbort } from "../run/effect.ts";
import type { Run } from "../run/run.ts";
import type { Attachment } from "../vocabulary/attachment.ts";
import type { EventPlace } from "../vocabulary/events.ts";
import { type ThinkingSink, ThinkingSplitter } from "./split-thinking.ts";

/** A request as the session puts it, before it is known who takes what comes of it. */
export type Unsent = Omit<ModelRequest, "path" | "signal" | "calls" | "files" | "onText" | "onReasoning"> & {
  /** The files that are read when the model is called, and the models of the chain that cannot take them. */
  readonly attachments?: readonly Attachment[];
  readonly passedOver?: readonly string[];
  /** Whether the tools may be left out, for a model that takes none. */
  readonly areToolsOptional?: boolean;
  /** What the provider refused in the attempt before, so that this one goes without. */
  readonly refused?: "tool_choice" | "schema" | "json" | "tools";
};

/** Where what the model says on the way is shown. */
interface Watched {
  readonly run: Run;
  readonly place: EventPlace;
  readonly listener?: AnswerListener | undefined;
  /** The beginning of the answer, if the request asks for its rest. */
  readonly begun?: string | undefined;
}

/** Knows what signals in an answer mean, which a session does not. */
export interface AnswerListener {
  /** Whether a signal in an answer decides what follows. If the answer is cut off, nothing needs to be added then. */
  isDecided(text: string): boolean;
  /** Makes a cleaner that removes what the run's reader is not to see; undefined if that is nothing. */
  createCleaner(): TextCleaner | undefined;
  /** Takes text that is not shown yet, since a guard has still to let it pass; undefined where text is shown as it comes. */
  readonly hold?: ((show: () => void) => void) | undefined;
}

/** Shows something to the run's reader, now or when it may be shown. */
export function showWhenAllowed(listener: AnswerListener | undefined, show: () => void): void {
  if (listener?.hold === undefined) show();
  else listener.hold(show);
}

/** Takes something out of a text while it streams in. */
export interface TextCleaner {
  push(chunk: string): string;
  end(): string;
}

/** A request on its way to a model. A class, since its signal and its callbacks are made only when the model asks for them. */
export class OpenRequest implements ModelRequest {
  readonly agent: string;
  readonly path: string;
  readonly crew: string;
  readonly calls: ModelRequest["calls"];
  readonly system: string;
  readonly messages: ModelRequest["messages"];
  readonly tools: ModelRequest["tools"];
  readonly toolChoice: ModelRequest["toolChoice"];
  readonly sampling: ModelRequest["sampling"];
  readonly json: ModelRequest["json"];
  /** Read just before the call. */
  files: ModelRequest["files"];
  readonly #watched: Watched;
  readonly #abort: EffectAbort;
  #text: ShownText | undefined;
  #reasoning: ShownText | undefined;
  #splitter: ThinkingSplitter | undefined;

  constructor(unsent: Unsent, path: string, calls: number, watched: Watched, abort: EffectAbort) {
    this.agent = unsent.agent;
    this.path = path;
    this.crew = unsent.crew;
    this.calls = calls;
    this.system = unsent.system;
    this.messages = unsent.messages;
    this.tools = unsent.tools;
    this.toolChoice = unsent.toolChoice;
    this.sampling = unsent.sampling;
    this.json = unsent.json;
    this.files = undefined;
    this.#watched = watched;
    this.#abort = abort;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get onText(): (text: string) => void {
    const first = this.#shown();
    return (text) => {
      refuseOther(text);
      // Most answers have no tag, and need no splitter until one may begin.
      if (this.#splitter === undefined && !text.includes("<")) first.push(text);
      else this.#splitting().push(text);
    };
  }

  #shown(): ShownText {
    this.#text ??= new ShownText(this.#watched, "text.delta");
    return this.#text;
  }

  #splitting(): ThinkingSplitter {
    const sink: ThinkingSink = {
      onText: (text) => this.#shown().push(text),
      onReasoning: (text) => this.onReasoning(text),
      onRetracted: () => this.#startOver(),
    };
    this.#splitter ??= new ThinkingSplitter(sink, (this.#watched.begun ?? "") + this.#shown().said());
    return this.#splitter;
  }

  /** Whoever reads along is told that the text shown so far is not part of the answer. */
  #startOver(): void {
    const { run, place } = this.#watched;
    const thought = this.#shown().said();
    showWhenAllowed(this.#watched.listener, () => run.show(place, "text.delta", { text: "", startsOver: true }));
    this.#text = new ShownText({ ...this.#watched, begun: undefined }, "text.delta");
    if (thought !== "") this.onReasoning(thought);
  }

  get onReasoning(): (text: string) => void {
    this.#reasoning ??= new ShownText(this.#watched, "reasoning.delta");
    const shown = this.#reasoning;
    return (text) => {
      refuseOther(text);
      shown.push(text);
    };
  }

  /** Shows what was held back, since it might have become a tag or a secret. */
  end(): void {
    this.#splitter?.end();
    this.#reasoning?.end();
    this.#text?.end();
  }

  /** Shows what was held back, since it might have become a signal's token, unless the answer goes on. */
  close(goesOn: boolean): void {
    if (!goesOn) this.#text?.close();
  }

  /** A reply's text without secrets: what was shown of it, where it came piece by piece. */
  clean(text: string, redactor: Redactor): string {
    return this.#text?.cleanOf(text) ?? redactor.redact(text);
  }
}

/** Models may be anybody's code. */
function refuseOther(text: unknown): void {
  if (typeof text === "string") return;
  const message = `called onText or onReasoning with ${text === null ? "null" : typeof text} instead of text`;
  throw new ModelError(message, { isRetryable: false, code: "bad_reply" });
}

/** What a model says on the way, without secrets. */
class ShownText {
  readonly #watched: Watched;
  readonly #type: "text.delta" | "reasoning.delta";
  readonly #stream: RedactionStream | undefined;
  readonly #cleaner: TextCleaner | undefined;
  #said = "";
  /** How much of what was said was given, as long as it has no secrets; then all that was given. */
  #given = 0;
  #redacted: string | undefined;

  constructor(watched: Watched, type: "text.delta" | "reasoning.delta") {
    this.#watched = watched;
    this.#type = type;
    this.#stream = watched.run.redactor?.createStream();
    this.#cleaner = type === "text.delta" ? watched.listener?.createCleaner() : undefined;
    // What it lets through of the beginning was shown before.
    if (watched.begun !== undefined) this.#cleaner?.push(watched.begun);
  }

  push(chunk: string): void {
    this.#said += chunk;
    if (this.#said.length > MAX_ANSWER_BYTES) throw explainTooLarge();
    this.#take(this.#stream === undefined ? chunk : this.#stream.push(chunk));
  }

  end(): void {
    if (this.#stream !== undefined) this.#take(this.#stream.end());
  }

  close(): void {
    if (this.#cleaner !== undefined) this.#show(this.#cleaner.end());
  }

  said(): string {
    return this.#said;
  }

  /** However a text is cut, what is shown of it is what the whole would become. */
  cleanOf(text: string): string | undefined {
    return text === this.#said ? (this.#redacted ?? text) : undefined;
  }

  #take(text: string): void {
    if (text === "") return;
    if (this.#redacted !== undefined) this.#redacted += text;
    else if (this.#stream?.hasRedacted) this.#redacted = this.#said.slice(0, this.#given) + text;
    else this.#given += text.length;
    this.#show(this.#cleaner === undefined ? text : this.#cleaner.push(text));
  }

  #show(text: string): void {
    if (text === "") return;
    const { run, place, listener } = this.#watched;
    if (listener?.hold === undefined) run.show(place, this.#type, { text });
    else listener.hold(() => run.show(place, this.#type, { text }));
  }
}
