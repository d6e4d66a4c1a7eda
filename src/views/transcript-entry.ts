import type { BranchOutcome, Failure, HandoffVia } from "../vocabulary/events.ts";
import type { Paused, ResumeAnswer } from "../vocabulary/pause.ts";
import type { RunResult } from "./run-result.ts";

/** Something that was said or done. The depth grows by one inside each session, group and crew. */
export type TranscriptEntry = Content & { readonly ts: number; readonly path: string; readonly depth: number };

/** What an entry says. */
export type Content =
  /** An agent begins. `input` is its task, unless the transcript already shows that text. */
  | { readonly type: "began"; readonly name: string; readonly asker?: string; readonly input?: string }
  | { readonly type: "group"; readonly name: string; readonly members: readonly string[] }
  | { readonly type: "crew"; readonly name: string }
  | {
      readonly type: "said" | "thought";
      readonly from: string;
      readonly to?: string;
      readonly text: string;
      /** The text without its signals, if it has any and the run's reader does not see them. */
      readonly shown?: string;
    }
  | { readonly type: "failed"; readonly from: string; readonly error: Failure }
  | {
      readonly type: "tool";
      readonly from: string;
      readonly tool: string;
      readonly args: unknown;
      readonly end: ToolEnd;
    }
  | { readonly type: "signal"; readonly from: string; readonly signal: string; readonly token: string }
  | ({ readonly type: "handoff"; readonly via: HandoffVia; readonly reason: string } & FromTo)
  | { readonly type: "chosen"; readonly agent: string; readonly reason: string }
  | { readonly type: "joined"; readonly group: string; readonly outcomes: readonly BranchOutcome[] }
  | ({ readonly type: "paused" } & Paused)
  | ({ readonly type: "answered" } & ResumeAnswer)
  /** A problem, or something beside the conversation. */
  | { readonly type: "note"; readonly text: string }
  | ({ readonly type: "ended" } & Pick<RunResult, "status" | "stopReason" | "error">);

interface FromTo {
  readonly from: string;
  readonly to: string;
}

/** How a call of a tool ended, if it did. */
export interface ToolEnd {
  readonly ms?: number;
  readonly result?: string;
  readonly problem?: string;
}
