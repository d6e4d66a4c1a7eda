import type { Model } from "../models/model.ts";
import type { Run } from "../run/run.ts";
import type { EventOf } from "../vocabulary/events.ts";
import type { Unsent } from "./open-request.ts";

/** Refusals that have other reasons than what was asked for, unless they name it: the key, the bill, the length. */
const otherReasons: ReadonlySet<number | undefined> = new Set([undefined, 401, 402, 403, 407, 413]);

/** What servers call a tool choice in their refusals. */
const TOOL_CHOICE = /tool[\s_-]?choice|tool_?config|function[\s_-]?calling[\s_-]?config/i;

/**
 * The same request without what a provider may have refused: that a tool must be called, then tools where they may be left out.
 * Undefined where nothing of the kind was asked for, or the failure is another.
 */
export function easeRequest(
  request: Unsent,
  { data }: EventOf<"model.failed">,
  { refusers }: Run,
  model: Model,
): Unsent | undefined {
  if (request.refused === "tools") return undefined;
  const isChosen = request.toolChoice !== undefined && !refusers.has(model.name);
  const isRefused = data.isRetryable === false && !otherReasons.has(data.status);
  if (isChosen && (isRefused || TOOL_CHOICE.test(data.message)))
    return { ...request, toolChoice: undefined, refused: "tool_choice" };
  if (!isRefused) return undefined;
  return request.areToolsOptional ? { ...request, toolChoice: undefined, tools: [], refused: "tools" } : undefined;
}
