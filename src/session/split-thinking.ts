/** Where the parts of a text go. */
export interface ThinkingSink {
  onText(text: string): void;
  onReasoning(text: string): void;
  /** Called when a closing tag shows that all text so far was reasoning. */
  onRetracted(): void;
}

const TAGS = ["<think>", "<thinking>", "</think>", "</thinking>"];
const OPENING = /<think(?:ing)?>/gi;
const CLOSING = /<\/think(?:ing)?>/gi;
const EITHER = /<\/?think(?:ing)?>/gi;

/**
 * Separates what a model thinks aloud in `<think>…</think>` or `<thinking>…</thinking>` from its answer. Some servers swallow the opening tag: then
 * everything before the first closing tag is reasoning. However the text is cut, the parts are the same.
 */
export class ThinkingSplitter {
  readonly #sink: ThinkingSink;
  #isThinking = false;
  /** Whether no tag was found yet. */
  #isFirst = true;
  /** What may be the beginning of a tag. */
  #held = "";
  /** The newest character of the answer; empty before the first. */
  #last = "";
  /** Where the answer stands so far. */
  #lines: Lines = { line: "", isFenced: false };
  /** Whether white space is dropped, since the thought before it left a gap. */
  #skipsSpace = false;

  /** `said` is what was said before, without any tag. */
  constructor(sink: ThinkingSink, said = "") {
    this.#sink = sink;
    this.#note(said);
  }

  push(chunk: string): void {
    let text = this.#held + chunk;
    this.#held = "";
    for (let found = this.#find(text); found !== undefined; found = this.#find(text)) {
      const { tag, at } = found;
      const before = text.slice(0, at);
      if (!this.#isThinking && tag.startsWith("</")) this.#retract(before);
      else this.#give(before);
      text = text.slice(at + tag.length);
      this.#isThinking = !tag.startsWith("</");
      this.#isFirst = false;
      if (!this.#isThinking) this.#skipsSpace = this.#last === "" || /\s/.test(this.#last);
    }
    const whole = text.length - countHeld(text);
    this.#held = text.slice(whole);
    this.#give(text.slice(0, whole));
  }

  end(): void {
    const rest = this.#held;
    this.#held = "";
    this.#give(rest);
  }

  /** Finds the first tag that may follow: a closing one without an opening one only before any other tag. */
  #find(text: string): { readonly tag: string; readonly at: number } | undefined {
    const tags = this.#isThinking ? CLOSING : this.#isFirst ? EITHER : OPENING;
    for (const { 0: tag, index: at } of text.matchAll(tags))
      if (this.#isThinking || !this.#isMention(text, at)) return { tag, at };
    return undefined;
  }

  /** A tag in code is a mention of it. */
  #isMention(text: string, at: number): boolean {
    const before = at === 0 ? this.#last : text.charAt(at - 1);
    return before === "`" || followLines(this.#lines, text.slice(0, at)).isFenced;
  }

  #retract(text: string): void {
    this.#sink.onRetracted();
    if (text !== "") this.#sink.onReasoning(text);
    this.#last = "";
    this.#lines = { line: "", isFenced: false };
  }

  #give(text: string): void {
    if (text === "") return;
    if (this.#isThinking) {
      this.#sink.onReasoning(text);
      return;
    }
    const said = this.#skipsSpace ? text.trimStart() : text;
    if (said === "") return;
    this.#skipsSpace = false;
    this.#note(said);
    this.#sink.onText(said);
  }

  #note(said: string): void {
    if (said === "") return;
    this.#last = said.charAt(said.length - 1);
    this.#lines = followLines(this.#lines, said);
  }
}

/** The line that a text is in, and whether that is within a code fence. */
interface Lines {
  readonly line: string;
  readonly isFenced: boolean;
}

function followLines({ line, isFenced }: Lines, text: string): Lines {
  const lines = (line + text).split("\n");
  const last = lines.pop() ?? "";
  const fences = lines.filter((each) => /^\s*(?:`{3}|~{3})/.test(each)).length;
  // The beginning of a line says whether it is a fence; a long line is not copied with every piece of it.
  return { line: last.slice(0, 64), isFenced: fences % 2 === 0 ? isFenced : !isFenced };
}

interface Parts {
  readonly text: string;
  readonly reasoning: string;
  /** Whether what was said before the text is reasoning, too. */
  readonly startsOver: boolean;
}

/** The parts of a text; undefined if nothing in it is thought aloud. `said` is the beginning of the answer that the text continues. */
export function splitThinking(text: string, said = ""): Parts | undefined {
  if (!text.includes("<") || text.search(EITHER) === -1) return undefined;
  const parts = { text: "", reasoning: "", startsOver: false };
  const splitter = new ThinkingSplitter(
    {
      onText: (said) => {
        parts.text += said;
      },
      onReasoning: (thought) => {
        parts.reasoning += thought;
      },
      onRetracted: () => {
        parts.reasoning = parts.text;
        parts.text = "";
        parts.startsOver = true;
      },
    },
    said,
  );
  splitter.push(text);
  splitter.end();
  return parts;
}

/** Counts the characters at the end of a text that may be the beginning of a tag. */
function countHeld(text: string): number {
  const at = text.lastIndexOf("<");
  if (at === -1) return 0;
  const end = text.slice(at).toLowerCase();
  return TAGS.some((tag) => tag.length > end.length && tag.startsWith(end)) ? end.length : 0;
}
