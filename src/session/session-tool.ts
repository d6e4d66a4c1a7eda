import type { EventPlace } from "../events.ts";
import type { Scope } from "../run/scope.ts";
import type { Tool } from "../tools/tool.ts";

/** What a session offers its model. Sessions know no other agents: those that use them bring `inner` and `exit` tools. */
export type SessionTool = EffectTool | InnerTool | ExitTool;

/** Acts on the world. */
export interface EffectTool {
  readonly kind: "effect";
  readonly tool: Tool;
}

/** Does something within the run, such as asking another agent; its own steps are recorded one by one. */
export interface InnerTool {
  readonly kind: "inner";
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
  run(args: Readonly<Record<string, unknown>>, place: EventPlace, scope: Scope): Promise<InnerResult>;
}

type InnerResult = { readonly result: string } | { readonly problem: string };

/** Ends the session when its call is accepted. */
export interface ExitTool {
  readonly kind: "exit";
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
  /** A problem is told to the model, which gets another turn. */
  accept(args: Readonly<Record<string, unknown>>): { readonly exit: unknown } | { readonly problem: string };
}

export function nameOfTool(tool: SessionTool): string {
  return tool.kind === "effect" ? tool.tool.name : tool.name;
}
