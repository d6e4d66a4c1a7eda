import type { Section } from "../context/frame.ts";
import type { Handoff, SubCrewCall, Team } from "../vocabulary/crew.ts";

/** The one thing that happens after an answer. */
export type Move =
  | { readonly type: "route"; readonly to: string; readonly via: "signal" | "fallback"; readonly reason: string }
  | Pass
  | Together
  | {
      readonly type: "parallel";
      readonly group: string;
      readonly via: "signal" | "fallback";
      readonly reason: string;
      /** Who hands over, where that is not the agent that answered but another group. */
      readonly from?: string;
    }
  | { readonly type: "sub_crew"; readonly call: SubCrewCall; readonly reason: string }
  | {
      readonly type: "end";
      readonly stopReason: "signal" | "terminal" | "end_of_list" | "answer";
      readonly signal?: string;
      /** Who answered, where that is not an agent but a group. */
      readonly from?: string;
    }
  | {
      readonly type: "pause";
      readonly reason: "signal" | "wait_for_signal" | "no_signal";
      /** The signal that pauses, where one does. */
      readonly signal?: string;
    }
  | { readonly type: "external"; readonly signal: string }
  | { readonly type: "retry" }
  | { readonly type: "repair"; readonly signals: readonly string[] };

/** The work passed on by a pattern that an agent declares. */
export interface Pass {
  readonly type: "pass";
  readonly to: string;
  readonly via: "handoff" | "router" | "transfer" | "team";
  readonly reason: string;
  /** What the next agent gets to read. */
  readonly sections: readonly Section[];
  readonly deferred: readonly DeferredHandoff[];
  /** The team that the next agent supervises. */
  readonly team?: Team;
}

/** The work passed to several at once, each with what it gets to read. */
export interface Together {
  readonly type: "together";
  readonly group: string;
  readonly passes: readonly Pass[];
  readonly deferred: readonly DeferredHandoff[];
}

/** A handoff that an agent declared and that waits for what it passed the work to. */
export interface DeferredHandoff {
  readonly agent: string;
  readonly handoff: Handoff;
}
