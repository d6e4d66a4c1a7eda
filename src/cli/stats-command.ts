import type { HandoffQuery, PathFigures, StoredStatistics } from "../journal/handoff-record.ts";
import type { Store } from "../journal/store.ts";
import { describeStatistics } from "../learning/describe-statistics.ts";
import { drawPathsDot } from "../learning/draw-paths-dot.ts";
import { drawPathsMermaid } from "../learning/draw-paths-mermaid.ts";
import { recountRuns } from "../run-storage/feedback.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { explainNothingKnown, statisticsLines } from "./show/statistics-lines.ts";
import { countColumns, exitCodes, type Terminal } from "./terminal.ts";

export interface StatsOptions extends HandoffQuery {
  readonly format?: "table" | "dot" | "mermaid";
  readonly forget?: boolean;
  readonly recount?: boolean;
  readonly json?: boolean;
  /** The largest number of loops, and of unmatched inputs, to show. */
  readonly limit?: number;
}

const SHOWN = 20;

const drawings: Readonly<Record<string, (paths: readonly PathFigures[]) => string>> = {
  dot: drawPathsDot,
  mermaid: drawPathsMermaid,
};

/** `baton stats`: success, cost and time of the handoffs of stored runs. */
export async function stats(
  { format = "table", json = false, limit, forget, recount: again, ...query }: StatsOptions,
  terminal: Terminal,
  store: Store,
  now = Date.now(),
): Promise<number> {
  if (forget === true || again === true) {
    const handoffs = forget ? await store.forget(query) : await recountRuns(store, query.crew);
    const words = forget ? "forgotten; --recount counts those of stored runs again" : "counted";
    terminal.print(
      json
        ? JSON.stringify({ [forget ? "forgotten" : "counted"]: handoffs })
        : `${formatAmount(handoffs, "handoff")} ${words}`,
    );
    return exitCodes.completed;
  }
  const shown = limit ?? (json ? Number.POSITIVE_INFINITY : SHOWN);
  // Asks for one row more than is shown, to know whether there are more.
  const found = await store.stats(query, shown + 1);
  const draw = drawings[format];
  if (json) terminal.print(JSON.stringify(describeStatistics(takeFirst(found, shown)), undefined, 2));
  else if (found.paths.length === 0) {
    const { crew } = query;
    terminal.note(explainNothingKnown(query, (await store.list(crew === undefined ? {} : { crew })).length));
  } else if (draw !== undefined) terminal.print(draw(found.paths));
  else printTables(found, shown, terminal, now);
  return exitCodes.completed;
}

function printTables(found: StoredStatistics, shown: number, terminal: Terminal, now: number): void {
  terminal.print(
    statisticsLines(describeStatistics(takeFirst(found, shown)), terminal.style, now, countColumns(terminal)).join(
      "\n",
    ),
  );
  if (found.loops.length > shown || found.unmatchedInputs.length > shown)
    terminal.note(`only ${shown} loops and ${shown} unmatched inputs are shown; show more with --limit ${shown * 5}`);
}

function takeFirst({ paths, loops, unmatchedInputs }: StoredStatistics, shown: number): StoredStatistics {
  return { paths, loops: loops.slice(0, shown), unmatchedInputs: unmatchedInputs.slice(0, shown) };
}
