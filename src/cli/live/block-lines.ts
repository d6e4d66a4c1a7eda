import type { Block } from "../../views/progress.ts";
import { addSpendings, type Worker } from "../../views/worker.ts";
import { countCells, wrap } from "./cells.ts";
import { cleanText } from "./clean-text.ts";
import { formatDuration, listFigures } from "./format-figures.ts";
import type { Look } from "./look.ts";
import { countPerRow, placeSideBySide } from "./side-by-side.ts";
import { drawSpinner, formatShortTitle, formatTitle, indentLines, joinTitle, workerLines } from "./worker-lines.ts";

/** As many lines of each member as can be followed at a glance while all of them write. */
const TALLEST_COLUMN = 10;

/** A block in full, as it stays on the screen. */
export function blockLines(block: Block, look: Look, columns: number): string[] {
  return frameBlock(block, look, columns, (worker, width) => workerLines(worker, block, look, width));
}

/** A block that is under way, in so many rows at most: where it does not fit, its newest lines. */
export function liveBlockLines(block: Block, look: Look, columns: number, rows: number): string[] {
  const isStacked = block.group !== undefined && countPerRow(listMembers(block).length, columns - 2) === 1;
  const each = block.group === undefined ? rows : Math.min(rows - 1, TALLEST_COLUMN);
  const lines = frameBlock(block, look, columns, (worker, width) =>
    isStacked
      ? compactLines(worker, block, look, width)
      : keepNewest(workerLines(worker, block, look, width), each, look),
  );
  return keepNewest(lines, rows, look);
}

function keepNewest(lines: readonly string[], rows: number, { style }: Look): string[] {
  const [head = ""] = lines;
  if (lines.length <= rows) return [...lines];
  return rows < 3 ? [head] : [head, style("dim", "⋮"), ...lines.slice(2 - rows)];
}

type Inside = (worker: Worker, columns: number) => string[];

function frameBlock(block: Block, look: Look, columns: number, inside: Inside): string[] {
  const inner = columns - 2;
  const [whole] = block.workers.values();
  if (block.group === undefined) {
    const [head = "", ...body] = whole === undefined ? [] : inside(whole, inner);
    return addFrame(head, body, look);
  }
  const members = listMembers(block);
  const body =
    countPerRow(members.length, inner) === 1
      ? members.flatMap((member) => indentLines(inside(member, inner - 2)))
      : placeSideBySide(members, inner, look, inside);
  return addFrame(groupTitle(block, look, inner), body, look);
}

function addFrame(head: string, body: readonly string[], { style }: Look): string[] {
  return [`${style("dim", "╭")} ${head}`, ...body.map((line) => `${style("dim", "│")} ${line}`.trimEnd())];
}

function groupTitle({ group = "", since, endedAt, workers }: Block, look: Look, columns: number): string {
  const spent = addSpendings([...workers.values()].map((worker) => worker.spent));
  const lasts = formatDuration((endedAt ?? look.now) - since, endedAt === undefined);
  const mark = endedAt !== undefined ? "✓" : look.isPaused ? "‖" : drawSpinner(look);
  return joinTitle(group, mark, [lasts, ...listFigures(spent)], look, columns);
}

/** Those whom nobody else in the block called. */
function listMembers({ workers }: Block): Worker[] {
  const all = [...workers.values()];
  return all.filter(({ path }) => !all.some((other) => path.startsWith(`${other.path}/`)));
}

/** A member in a line of its own, and one for each agent it called that is still at work. */
function compactLines(worker: Worker, block: Block, look: Look, columns: number): string[] {
  const called = [...block.workers.values()].filter(
    ({ path, endedAt }) => endedAt === undefined && path.startsWith(`${worker.path}/`),
  );
  const names = Math.min(24, Math.max(...[...block.workers.values()].map(({ name }) => countCells(name))));
  return [worker, ...called].map((each, index) => {
    const indent = index === 0 ? "" : "• ";
    const head = indent + formatShortTitle(each, look, names - indent.length);
    const room = columns - countCells(head) - 2;
    if (room < 10) return indent + formatTitle(each, look, columns - indent.length);
    // The newest line of what is written, so that words appear in their places and then stay there.
    const lines = wrap(cleanText(each.text).trim(), room);
    return `${head}  ${(each.endedAt === undefined ? lines.at(-1) : lines.at(0)) ?? ""}`;
  });
}
