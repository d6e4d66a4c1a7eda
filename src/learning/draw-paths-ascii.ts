import type { PathFigures } from "../journal/handoff-record.ts";
import { drawingsOf, type PathArrow, type PathDrawing } from "./path-drawing.ts";

const BAR = 24;

/** Paths as lines, below whoever hands over: a bar as long as there is traffic, of which the full part went well. */
export function drawPathsAscii(paths: readonly PathFigures[]): string {
  const legend = "█ went well   ░ did not   · not known; the longer the bar, the more handoffs";
  // Names may hold what would move a terminal's cursor.
  const lines = drawingsOf(paths)
    .flatMap(drawCrew)
    .map((line) => line.replace(/\p{Cc}/gu, "\uFFFD"));
  return [...lines, legend, ""].join("\n");
}

function drawCrew({ crew, boxes, arrows }: PathDrawing): string[] {
  const width = boxes.reduce((widest, { name }) => Math.max(widest, name.length), 0);
  const digits = arrows.reduce((most, { handoffs }) => Math.max(most, `${handoffs}`.length), 0);
  return [
    crew,
    "",
    ...boxes.flatMap((box) => {
      const own = arrows.filter(({ from }) => from === box).sort((a, b) => b.handoffs - a.handoffs);
      return own.length === 0 ? [] : [`● ${box.name}`, ...own.map((arrow) => drawArrow(arrow, width, digits)), ""];
    }),
  ];
}

function drawArrow({ to, handoffs, rate, weight }: PathArrow, width: number, digits: number): string {
  const length = Math.max(1, Math.round(BAR * weight));
  const full = rate === undefined ? 0 : Math.round(length * rate.expected);
  const bar = "█".repeat(full) + (rate === undefined ? "·" : "░").repeat(length - full);
  const percent = rate === undefined ? "   –" : `${Math.round(rate.expected * 100)} %`.padStart(5);
  return `    ──▶ ${to.name.padEnd(width)}  ${`${handoffs}`.padStart(digits)}  ${percent}  ${bar}`;
}
