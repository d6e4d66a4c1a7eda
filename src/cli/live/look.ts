import type { Terminal } from "../terminal.ts";

/** How things are shown: in which colours, at what time. */
export interface Look {
  readonly style: Terminal["style"];
  readonly now: number;
  /** Nothing moves while the run waits for a person. */
  readonly isPaused: boolean;
}
