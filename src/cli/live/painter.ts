import { makeWritable } from "../terminal-text.ts";
import { countCells } from "./cells.ts";

/** The terminal that is painted on. */
interface Screen {
  readonly columns: number;
  write(text: string): void;
}

interface Painter {
  /** Lines that the region takes now. */
  readonly height: number;
  /** Writes lines that stay, and the region below them anew. */
  paint(lines: readonly string[], region: readonly string[]): void;
}

const csi = "\u001b[";
/** Shown at once by terminals that know how; others take no notice. */
const [begin, end] = [`${csi}?2026h`, `${csi}?2026l`];
/** A line of the region that is wider than we think must not take two rows: the way back up would be wrong. */
const [wrapOff, wrapOn] = [`${csi}?7l`, `${csi}?7h`];
/** The whole line first: what is cleared behind a text counts as text for terminals that break lines anew. */
const [clearLine, clearBelow] = [`${csi}2K`, `${csi}J`];

/** Keeps a region at the foot of what was written, one write a frame, and none where nothing has changed. */
export function createPainter(screen: Screen): Painter {
  let painted: readonly string[] = [];
  let columns = screen.columns;
  return {
    get height() {
      return painted.length;
    },
    paint(lines, region) {
      const isSame = region.length === painted.length && region.every((line, index) => line === painted[index]);
      if (lines.length === 0 && isSame && columns === screen.columns) return;
      const up = countRows(painted, columns, screen.columns) - 1;
      const kept = lines.map((line) => `${clearLine}${makeWritable(line)}\r\n`).join("");
      const below = region.map((line) => `${clearLine}${makeWritable(line)}`).join("\r\n");
      const back = up > 0 ? `\r${csi}${up}A` : "\r";
      screen.write(`${begin}${back}${kept}${wrapOff}${below}${clearBelow}${wrapOn}${end}`);
      painted = region;
      columns = screen.columns;
    },
  };
}

/** A terminal that became narrower has broken the lines that no longer fit. */
function countRows(lines: readonly string[], before: number, now: number): number {
  if (now >= before) return lines.length;
  return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(countCells(line) / now)), 0);
}
