import type { Block } from "../../views/progress.ts";
import { addSpendings, type Worker } from "../../views/worker.ts";
import { cellsOf, wrap } from "./cells.ts";
import { cleanText } from "./clean-text.ts";
import { durationOf, figuresOf } from "./figure-words.ts";
import { perRow, sideBySide } from "./side-by-side.ts";
import { indented, type Look, shortTitle, spinner, title, titleOf, workerLines } from "./worker-lines.ts";

/** As many lines of each member as can be followed at a glance while all of them write. */
const TALLEST_COLUMN = 10;

/** A block in full, as it stays on the screen. */
export function blockLines(block: Block, look: Look, columns: number): string[] {
  return frame(block, look, columns, (worker, width) => workerLines(worker, block, look, width));
}

/** A block that is under way, in so many rows at most: where it does not fit, its newest lines. */
export function liveBlockLines(block: Block, look: Look, columns: number, rows: number): string[] {
  const isStacked = block.group !== undefined && perRow(membersOf(block).length, columns - 2) === 1;
  const each = block.group === undefined ? rows : Math.min(rows - 1, TALLEST_COLUMN);
  const lines = frame(block, look, columns, (worker, width) =>
    isStacked ? compactLines(worker, block, look, width) : newest(workerLines(worker, block, look, width), each, look),
  );
  return newest(lines, rows, look);
}

function newest(lines: readonly string[], rows: number, { style }: Look): string[] {
  const [head = ""] = lines;
  if (lines.length <= rows) return [...lines];
  return rows < 3 ? [head] : [head, style("dim", "⋮"), ...lines.slice(2 - rows)];
}

type Inside = (worker: Worker, columns: number) => string[];

function frame(block: Block, look: Look, columns: number, inside: Inside): string[] {
  const inner = columns - 2;
  const [whole] = block.workers.values();
  if (block.group === undefined) {
    const [head = "", ...body] = whole === undefined ? [] : inside(whole, inner);
    return framed(head, body, look);
  }
  const members = membersOf(block);
  const body =
    perRow(members.length, inner) === 1
      ? members.flatMap((member) => indented(inside(member, inner - 2)))
      : sideBySide(members, inner, look, inside);
  return framed(groupTitle(block, look, inner), body, look);
}

function framed(head: string, body: readonly string[], { style }: Look): string[] {
  return [`${style("dim", "╭")} ${head}`, ...body.map((line) => `${style("dim", "│")} ${line}`.trimEnd())];
}

function groupTitle({ group = "", since, endedAt, workers }: Block, look: Look, columns: number): string {
  const spent = addSpendings([...workers.values()].map((worker) => worker.spent));
  const lasts = durationOf((endedAt ?? look.now) - since, endedAt === undefined);
  const mark = endedAt !== undefined ? "✓" : look.isPaused ? "‖" : spinner(look);
  return title(group, mark, [lasts, ...figuresOf(spent)], look, columns);
}

/** Those whom nobody else in the block called. */
function membersOf({ workers }: Block): Worker[] {
  const all = [...workers.values()];
  return all.filter(({ path }) => !all.some((other) => path.startsWith(`${other.path}/`)));
}

/** A member in a line of its own, and one for each agent it called that is still at work. */
function compactLines(worker: Worker, block: Block, look: Look, columns: number): string[] {
  const called = [...block.workers.values()].filter(
    ({ path, endedAt }) => endedAt === undefined && path.startsWith(`${worker.path}/`),
  );
  const names = Math.min(24, Math.max(...[...block.workers.values()].map(({ name }) => cellsOf(name))));
  return [worker, ...called].map((each, index) => {
    const indent = index === 0 ? "" : "• ";
    const head = indent + shortTitle(each, look, names - indent.length);
    const room = columns - cellsOf(head) - 2;
    if (room < 10) return indent + titleOf(each, look, columns - indent.length);
    // The newest line of what is written, so that words appear in their places and then stay there.
    const lines = wrap(cleanText(each.text).trim(), room);
    return `${head}  ${(each.endedAt === undefined ? lines.at(-1) : lines.at(0)) ?? ""}`;
  });
}
