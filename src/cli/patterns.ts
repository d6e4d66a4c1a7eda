import { recount } from "../host/recount.ts";
import { drawPathsAscii } from "../learning/draw-paths-ascii.ts";
import { drawPathsDot } from "../learning/draw-paths-dot.ts";
import { drawPathsMermaid } from "../learning/draw-paths-mermaid.ts";
import { drawPathsSvg } from "../learning/draw-paths-svg.ts";
import type { HandoffQuery, PathFigures } from "../run/handoff-record.ts";
import type { Store } from "../run/store.ts";
import { amountOf } from "./amount-of.ts";
import { nothingKnown, patternLines } from "./show/pattern-lines.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

export interface PatternsOptions extends HandoffQuery {
  readonly format?: "table" | "ascii" | "svg" | "dot" | "mermaid";
  readonly forget?: boolean;
  readonly recount?: boolean;
  readonly json?: boolean;
}

const drawings: Readonly<Record<string, (paths: readonly PathFigures[]) => string>> = {
  ascii: drawPathsAscii,
  svg: drawPathsSvg,
  dot: drawPathsDot,
  mermaid: drawPathsMermaid,
};

/** `baton patterns`: what the handoffs of runs that are kept came to. */
export async function patterns(
  { format = "table", json, forget, recount: again, ...query }: PatternsOptions,
  terminal: Terminal,
  store: Store,
  now = Date.now(),
): Promise<number> {
  if (forget === true || again === true) {
    const handoffs = forget ? await store.forget(query) : await recount(store, query.crew);
    const words = forget ? "are forgotten; --recount counts them again" : "are counted";
    terminal.print(
      json
        ? JSON.stringify({ [forget ? "forgotten" : "counted"]: handoffs })
        : `${amountOf(handoffs, "handoff")} ${words}`,
    );
    return exitCodes.completed;
  }
  const found = await store.patterns(query);
  const draw = drawings[format];
  if (json) terminal.print(JSON.stringify(found, undefined, 2));
  else if (found.paths.length === 0) {
    const { crew } = query;
    terminal.note(nothingKnown(query, (await store.list(crew === undefined ? {} : { crew })).length));
  } else if (draw !== undefined) terminal.print(draw(found.paths));
  else {
    const columns = terminal.screen?.columns ?? Number.POSITIVE_INFINITY;
    terminal.print(patternLines(found, terminal.style, now, columns).join("\n"));
  }
  return exitCodes.completed;
}
