import type { World } from "../orchestration/crew-run.ts";
import { crewOf } from "../views/crew-of.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent, EventOf } from "../vocabulary/events.ts";
import { speakerOf } from "../vocabulary/events.ts";
import { refuseUnfitArguments } from "./check-answer.ts";

/** Where an agent's own limit is not known, as in a crew that another agent composed. */
const TOOL_TIMEOUT_MS = 300_000;

/** Refuses what only the tool can judge, and what is said too early; before anything of it is recorded. */
export async function refuseAnswer(
  events: readonly BatonEvent[],
  answer: BatonEvent | undefined,
  crew: Crew,
  toolOf: World["tool"],
  now: number,
): Promise<void> {
  await refuseUnfitArguments(events.at(-1), answer, crew, toolOf);
  refuseTooSoon(events, answer, crew, toolOf, now);
}

/**
 * Refuses `not_happened` as long as the process that made the call may still be at it: it may hang, or have lost its run while the tool was
 * at work. Its lease has ended, or nobody could answer; its call ends when the tool's timeout has passed.
 */
function refuseTooSoon(
  events: readonly BatonEvent[],
  answer: BatonEvent | undefined,
  crew: Crew,
  toolOf: World["tool"],
  now: number,
): void {
  const paused = events.at(-1);
  if (paused?.type !== "run.paused" || paused.data.reason !== "ambiguous") return;
  if (answer?.type !== "run.resumed" || answer.data.decision !== "not_happened") return;
  const call = lastCallAt(paused.path.replace(/\/happened\d+$/, ""), events);
  if (call === undefined) return;
  const caller = crewOf(speakerOf(call), crew);
  const limits = caller.agents.get(call.agent ?? "")?.limits;
  const timeoutMs = toolOf(call.data.tool, caller).timeoutMs ?? limits?.toolTimeoutMs ?? TOOL_TIMEOUT_MS;
  const leftMs = call.ts + timeoutMs - now;
  if (leftMs <= 0) return;
  const left = `${Math.ceil(leftMs / 1000)} s`;
  const message = `'not_happened' is refused for another ${left}: the process that called ${call.data.tool} may still be at it, since the tool may take ${timeoutMs / 1000} s. Look again in ${left}, and answer then`;
  throw new BatonError("too-soon", message);
}

function lastCallAt(path: string, events: readonly BatonEvent[]): EventOf<"tool.called"> | undefined {
  const call = events.findLast((event) => event.type === "tool.called" && event.path === path);
  return call?.type === "tool.called" ? call : undefined;
}
