import type { HandoffQuery, KeptPatterns, PathFigures } from "../journal/handoff-record.ts";
import type { Store } from "../journal/store.ts";
import { describePatterns } from "../learning/describe-patterns.ts";
import { drawPathsDot } from "../learning/draw-paths-dot.ts";
import { drawPathsMermaid } from "../learning/draw-paths-mermaid.ts";
import { recountRuns } from "../run-storage/recount-runs.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { explainNothingKnown, patternLines } from "./show/pattern-lines.ts";
import { countColumns, exitCodes, type Terminal } from "./terminal.ts";

export interface PatternsOptions extends HandoffQuery {
  readonly format?: "table" | "dot" | "mermaid";
  readonly forget?: boolean;
  readonly recount?: boolean;
  readonly json?: boolean;
  /** How many loops and gaps are shown. */
  readonly limit?: number;
}

const SHOWN = 20;

const drawings: Readonly<Record<string, (paths: readonly PathFigures[]) => string>> = {
  dot: drawPathsDot,
  mermaid: drawPathsMermaid,
};

/** `baton patterns`: what the handoffs of runs that are kept came to. */
export async function patterns(
  { format = "table", json = false, limit, forget, recount: again, ...query }: PatternsOptions,
  terminal: Terminal,
  store: Store,
  now = Date.now(),
): Promise<number> {
  if (forget === true || again === true) {
    const handoffs = forget ? await store.forget(query) : await recountRuns(store, query.crew);
    const words = forget ? "forgotten; --recount brings back those of runs that are kept" : "counted";
    terminal.print(
      json
        ? JSON.stringify({ [forget ? "forgotten" : "counted"]: handoffs })
        : `${formatAmount(handoffs, "handoff")} ${words}`,
    );
    return exitCodes.completed;
  }
  const shown = limit ?? (json ? Number.POSITIVE_INFINITY : SHOWN);
  // One more tells that there are more.
  const found = await store.patterns(query, shown + 1);
  const draw = drawings[format];
  if (json) terminal.print(JSON.stringify(describePatterns(takeFirst(found, shown)), undefined, 2));
  else if (found.paths.length === 0) {
    const { crew } = query;
    terminal.note(explainNothingKnown(query, (await store.list(crew === undefined ? {} : { crew })).length));
  } else if (draw !== undefined) terminal.print(draw(found.paths));
  else printTables(found, shown, terminal, now);
  return exitCodes.completed;
}

function printTables(found: KeptPatterns, shown: number, terminal: Terminal, now: number): void {
  terminal.print(
    patternLines(describePatterns(takeFirst(found, shown)), terminal.style, now, countColumns(terminal)).join("\n"),
  );
  if (found.loops.length > shown || found.gaps.length > shown)
    terminal.note(`only ${shown} loops and gaps are shown; there are more: --limit ${shown * 5}`);
}

function takeFirst({ paths, loops, gaps }: KeptPatterns, shown: number): KeptPatterns {
  return { paths, loops: loops.slice(0, shown), gaps: gaps.slice(0, shown) };
}
