import type { Scope } from "../run/scope.ts";
import type { Tool } from "../tools/tool.ts";
import type { EventPlace } from "../vocabulary/events.ts";

/** What a session offers its model. Sessions know no other agents: those that use them bring `inner` and `exit` tools. */
export type SessionTool = EffectTool | InnerTool | ExitTool;

/** Acts on the world. */
export interface EffectTool {
  readonly kind: "effect";
  readonly tool: Tool;
}

/** What the orchestration brings, with how it is described to the model. */
interface BroughtTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
  /** The parameters after so many turns, where they change; undefined where it is not offered then, though it may be called. */
  parametersAfter?(turns: number): unknown;
}

/** Does something within the run, such as asking another agent; its own steps are recorded one by one. */
export interface InnerTool extends BroughtTool {
  readonly kind: "inner";
  run(args: Readonly<Record<string, unknown>>, place: EventPlace, scope: Scope): Promise<InnerResult>;
}

type InnerResult = { readonly result: string } | { readonly problem: string };

/** Ends the session when its call is accepted. */
export interface ExitTool extends BroughtTool {
  readonly kind: "exit";
  /** Whether the text beside the call is the session's answer, and held to the agent's contract. */
  readonly givesAnswer: boolean;
  /** Whether calls of such tools in one reply are accepted together; else the first that is accepted counts. */
  readonly isJoint?: boolean;
  /** Whether the model must call it: where it is offered alone, or now, so that nothing else is offered. */
  readonly isRequired?: "alone" | "now" | undefined;
  /** A problem is told to the model, which gets another turn. */
  accept(
    args: Readonly<Record<string, unknown>>,
    reply: CallingReply,
    place: EventPlace,
  ): { readonly exit: unknown; readonly text?: string } | { readonly problem: string };
}

/** The reply that a tool is called in. */
export interface CallingReply {
  readonly text: string;
  /** Turns taken so far, this one included. */
  readonly turns: number;
  /** Whether the call was written in the text, by a model that has no tools. */
  readonly isWritten: boolean;
}

export function nameOfTool(tool: SessionTool): string {
  return tool.kind === "effect" ? tool.tool.name : tool.name;
}
