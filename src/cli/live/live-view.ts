import { stripVTControlCharacters } from "node:util";
import { foldProgress, noProgress } from "../../views/progress.ts";
import type { Crew } from "../../vocabulary/crew.ts";
import type { Paused } from "../../vocabulary/pause.ts";
import { askLine, questionLines } from "../question.ts";
import { describeLeaving, type RunView } from "../run-view.ts";
import type { Terminal } from "../terminal.ts";
import { wrap } from "./cells.ts";
import { cleanText } from "./clean-text.ts";
import type { Look } from "./look.ts";
import { createPainter } from "./painter.ts";
import { regionLines } from "./region-lines.ts";
import { summaryLines } from "./summary-lines.ts";
import { type TakenTerminal, takeTerminal } from "./take-terminal.ts";
import { transcriptLines } from "./transcript-lines.ts";

const FRAME_MS = 80;

/** Finished steps scroll up and stay. Below them, a region shows the steps under way and asks the run's questions. */
export function openLiveView(
  crew: Crew,
  screen: NodeJS.WriteStream,
  { style, isInteractive }: Terminal,
  isStored: boolean,
): RunView {
  let progress = noProgress;
  let notice: string | undefined;
  let waiting: string[] = [];
  let asked: Paused | undefined;
  const size = { rows: () => screen.rows || 24, columns: () => (screen.columns || 80) - 1 };
  const look = (): Look => ({ style, now: Date.now(), isPaused: progress.pausedAt !== undefined });
  const say = (text: string, format: "dim" | "red" = "dim") => {
    // What tools print is often in colours, which say nothing here.
    const lines = wrap(cleanText(stripVTControlCharacters(text)).trimEnd(), size.columns());
    waiting.push(...lines.map((line) => style(format, line)));
  };

  let taken: TakenTerminal | undefined;
  let timer: NodeJS.Timeout | undefined;
  const painter = createPainter({
    get columns() {
      return screen.columns || 80;
    },
    write: (text) => taken?.write(text),
  });
  const paint = () => {
    const leastRows = painter.height - waiting.length;
    const region = { columns: size.columns(), rows: size.rows(), leastRows, notice };
    painter.paint(waiting, regionLines(progress, look(), region));
    waiting = [];
  };

  function start(): void {
    taken = takeTerminal(screen, say);
    timer = setInterval(paint, FRAME_MS);
    screen.on("resize", paint);
  }

  /** Stops repainting, prints the last lines and restores the terminal. */
  function rest(lines: readonly string[]): void {
    screen.off("resize", paint);
    clearInterval(timer);
    painter.paint([...waiting, ...lines], []);
    waiting = [];
    taken?.release();
  }

  start();
  return {
    recall(past) {
      progress = past.reduce(foldProgress, noProgress);
    },
    show(event) {
      const before = progress;
      progress = foldProgress(before, event);
      waiting.push(...transcriptLines(event, before, progress, crew, look(), size.columns()));
    },
    stopping() {
      notice = "stopping after this turn; Ctrl-C again stops at once";
    },
    leaving(graceMs) {
      notice = describeLeaving(graceMs);
    },
    async ask(paused, abort) {
      if (!isInteractive) return undefined;
      const isNew = paused !== asked;
      asked = paused;
      rest(isNew ? questionLines(paused, crew, progress.lastAnswer, style, size.columns(), isStored) : []);
      const line = await askLine(screen, abort);
      waiting.push("");
      start();
      return line;
    },
    refuse: (message) => say(message, "red"),
    close(result) {
      rest(result === undefined ? [] : summaryLines(result, progress, look(), size.columns()));
    },
  };
}
