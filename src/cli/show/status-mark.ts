import type { StoredRun } from "../../journal/store.ts";
import type { RunStatus } from "../../views/run-result.ts";
import type { Terminal } from "../terminal.ts";

const marks = {
  completed: ["✓", "green"],
  failed: ["✗", "red"],
  cancelled: ["■", "yellow"],
  paused: ["‖", "yellow"],
  queued: ["◦", "cyan"],
  running: ["▸", "cyan"],
} as const satisfies Readonly<Record<RunStatus, readonly [mark: string, colour: string]>>;

/** A mark for how something ended, or that it has not. */
export function chooseMark(status: RunStatus): string {
  return marks[status][0];
}

/** It was running when it was last heard of, and whoever ran it is gone. */
export function isInterrupted({ status, isOwned }: StoredRun): boolean {
  return status === "running" && !isOwned;
}

export function colourByStatus(status: RunStatus, text: string, style: Terminal["style"]): string {
  return style(marks[status][1], text);
}
