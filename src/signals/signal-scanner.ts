import { Blocks } from "./blocks.ts";
import { findLastLineStart, passLines, type SignalMatch, type SignalScope, scanBlock } from "./scan-signals.ts";
import type { IndexedSignal, SignalIndex } from "./signal-index.ts";

/** Scans an answer as it streams in. However the text is cut, the matches are those of the whole text. */
export interface SignalScanner<Signal extends IndexedSignal> {
  push(chunk: string): SignalMatch<Signal>[];
  end(): SignalMatch<Signal>[];
}

/** A token is decided once its line is complete, since the rest of the line may make it code or a link. */
export function createSignalScanner<Signal extends IndexedSignal>(
  index: SignalIndex<Signal>,
  scope: SignalScope,
): SignalScanner<Signal> {
  let pending = "";
  let passed = 0;
  const blocks = new Blocks();

  const scan = (text: string): SignalMatch<Signal>[] =>
    scanBlock(text, blocks, index, scope).map((match) => ({ ...match, offset: match.offset + passed }));

  return {
    push(chunk) {
      pending += chunk;
      if (!chunk.includes("\n")) return [];
      // A blank line is never the last line, and cutting at each of them would make many of them expensive.
      if (scope === "last_line" && chunk.trim() === "") return [];
      // Under last_line, the newest line that is not blank must wait, because only the end of the text shows whether it is the
      // last.
      const cut = scope === "last_line" ? findLastLineStart(pending) : pending.lastIndexOf("\n") + 1;
      const complete = pending.slice(0, cut);
      const matches = scope === "last_line" ? [] : scan(complete);
      passLines(complete, blocks);
      passed += cut;
      pending = pending.slice(cut);
      return matches;
    },
    end() {
      const matches = scan(pending);
      pending = "";
      return matches;
    },
  };
}
