/** Where the parts of a text go. */
export interface ThinkingSink {
  onText(text: string): void;
  onReasoning(text: string): void;
}

const OPEN = "<think>";
const CLOSE = "</think>";

/** Tells what a model thinks aloud in `<think>…</think>` from its answer. However the text is cut, the parts are the same. */
export class ThinkingSplitter {
  readonly #sink: ThinkingSink;
  #isThinking = false;
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
    for (;;) {
      const tag = this.#isThinking ? CLOSE : OPEN;
      const at = this.#find(text, tag);
      if (at === -1) break;
      this.#give(text.slice(0, at));
      text = text.slice(at + tag.length);
      this.#isThinking = !this.#isThinking;
      if (!this.#isThinking) this.#skipsSpace = this.#last === "" || /\s/.test(this.#last);
    }
    const whole = text.length - partOfTag(text, this.#isThinking ? CLOSE : OPEN);
    this.#held = text.slice(whole);
    this.#give(text.slice(0, whole));
  }

  end(): void {
    const rest = this.#held;
    this.#held = "";
    this.#give(rest);
  }

  #find(text: string, tag: string): number {
    let at = text.indexOf(tag);
    while (at !== -1 && !this.#isThinking && this.#isMention(text, at)) at = text.indexOf(tag, at + 1);
    return at;
  }

  /** A tag in code is a mention of it. */
  #isMention(text: string, at: number): boolean {
    const before = at === 0 ? this.#last : text.charAt(at - 1);
    return before === "`" || followLines(this.#lines, text.slice(0, at)).isFenced;
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

/** The parts of a whole text; undefined where nothing in it is thought aloud. */
export function splitThinking(text: string): { readonly text: string; readonly reasoning: string } | undefined {
  if (!text.includes(OPEN)) return undefined;
  const parts = { text: "", reasoning: "" };
  const splitter = new ThinkingSplitter({
    onText: (said) => {
      parts.text += said;
    },
    onReasoning: (thought) => {
      parts.reasoning += thought;
    },
  });
  splitter.push(text);
  splitter.end();
  return parts;
}

/** How many characters at the end of a text may be the beginning of a tag. */
function partOfTag(text: string, tag: string): number {
  const at = text.lastIndexOf("<");
  if (at === -1 || text.length - at >= tag.length) return 0;
  return tag.startsWith(text.slice(at)) ? text.length - at : 0;
}
