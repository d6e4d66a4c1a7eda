import { measureRunMs, noProgress, type Progress } from "../../views/progress.ts";
import { formatAmount } from "../../vocabulary/wording.ts";
import { liveBlockLines } from "./block-lines.ts";
import { cut } from "./cells.ts";
import { cleanLine } from "./clean-text.ts";
import { formatDollars, formatDuration, formatTokens } from "./format-figures.ts";
import type { Look } from "./look.ts";

export interface Region {
  readonly columns: number;
  readonly rows: number;
  /** So that what is below does not jump up when something above it is over. */
  readonly leastRows: number;
  readonly notice: string | undefined;
}

/** The foot of the screen, which is painted again and again: who is at work, and how the run as a whole stands. */
export function regionLines(progress: Progress, look: Look, region: Region): string[] {
  const { blocks } = progress;
  const room = Math.max(1, region.rows - 3);
  const each = Math.max(1, Math.floor(room / Math.max(1, blocks.length)));
  const lines = blocks.flatMap((block) => liveBlockLines(block, look, region.columns, each)).slice(-room);
  const blank = Math.max(1, Math.min(region.leastRows, room + 2) - lines.length - 1);
  const all = [...lines, ...Array<string>(blank).fill(""), statusLine(progress, look, region)];
  return all.slice(-Math.max(1, region.rows - 1));
}

function statusLine(progress: Progress, { style, now }: Look, { columns, notice }: Region): string {
  const parts = progress === noProgress ? [] : listFigures(progress, now);
  const said = notice === undefined ? "" : cut(notice, columns);
  const figures = cut(parts.join(" · "), columns - (said === "" ? 0 : said.length + 3));
  return style("dim", figures) + (said === "" ? "" : `${figures === "" ? "" : "   "}${style("yellow", said)}`);
}

function listFigures(progress: Progress, now: number): string[] {
  const lasts = formatDuration(measureRunMs(progress, now), true);
  return [cleanLine(progress.crew), lasts, formatAmount(progress.handoffs, "handoff"), ...listSpent(progress)];
}

/** What is known of the cost so far, and that it is not all where it is not. */
function listSpent({ spent: { calls, tokens, usd, unknownCalls } }: Progress): string[] {
  if (calls === 0) return [];
  const cost = unknownCalls === 0 ? formatDollars(usd) : usd === 0 ? "cost unknown" : `more than ${formatDollars(usd)}`;
  return [formatTokens(tokens), cost];
}
