import type { ScenarioReport } from "../../scenario/play-scenarios.ts";
import { createPainter } from "../live/painter.ts";

/** Often enough to look alive, and seldom enough to cost nothing. */
const EVERY_MS = 50;

/** One line at the foot of a terminal that says how far the scenarios are; it is gone before anything else is printed. */
export class ProgressLine {
  readonly #painter: ReturnType<typeof createPainter> | undefined;
  #failed = 0;
  #shownAt = 0;

  constructor(screen: NodeJS.WriteStream | undefined) {
    // What tools print is diverted while scenarios play; this line is not.
    const write = screen?.write.bind(screen);
    this.#painter =
      screen &&
      createPainter({
        get columns() {
          return screen.columns;
        },
        write: (text) => void write?.(text),
      });
  }

  show({ name, problems }: ScenarioReport, done: number, of: number): void {
    if (problems.length > 0) this.#failed++;
    const now = performance.now();
    if (now - this.#shownAt < EVERY_MS) return;
    this.#shownAt = now;
    const failed = this.#failed === 0 ? "" : `, ${this.#failed} failed`;
    this.#painter?.paint([], [`${done} of ${of}${failed}  ${name}`.replaceAll("\n", " ")]);
  }

  clear(): void {
    this.#painter?.paint([], []);
  }
}
