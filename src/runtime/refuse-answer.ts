import type { World } from "../orchestration/crew-run.ts";
import { findAgentCrew } from "../views/find-agent-crew.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent, EventOf } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import { refuseUnfitArguments } from "./check-answer.ts";

/** Used where an agent's own limit is not known, as in a crew that an agent composed. */
const TOOL_TIMEOUT_MS = 300_000;

/** An answer that can be given only later. */
export class TooSoonError extends BatonError {
  readonly dueAt: number;
  /** What may still be running. */
  readonly what: string;

  constructor(message: string, dueAt: number, what: string) {
    super("too-soon", message);
    this.dueAt = dueAt;
    this.what = what;
  }
}

/** Refuses arguments that the tool does not take, and `not_happened` while the call may still be running, before any of it is stored. */
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
 * Refuses `not_happened` while the process that made the call may still be running the tool. That process may hang, or may have lost
 * its lease during the call. The call ends at the latest when the tool's timeout has passed.
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
  const caller = findAgentCrew(nameSpeaker(call), crew);
  const limits = caller.agents.get(call.agent ?? "")?.limits;
  const isTool = call.type === "tool.called";
  const ownTimeoutMs = isTool ? toolOf(call.data.tool, caller).timeoutMs : undefined;
  const timeoutMs = ownTimeoutMs ?? limits?.toolTimeoutMs ?? TOOL_TIMEOUT_MS;
  const what = isTool ? call.data.tool : `the function of agent '${nameSpeaker(call)}'`;
  const leftMs = call.ts + timeoutMs - now;
  if (leftMs <= 0) return;
  const left = `${Math.ceil(leftMs / 1000)} s`;
  const message = `'not_happened' is refused for another ${left}: the process that called ${what} may still be running it, since ${isTool ? "the tool" : "it"} may take ${timeoutMs / 1000} s. Answer again in ${left}, or let Baton wait with --wait (in code: { wait: true })`;
  throw new TooSoonError(message, call.ts + timeoutMs, what);
}

type Call = EventOf<"tool.called"> | EventOf<"function.called">;

function lastCallAt(path: string, events: readonly BatonEvent[]): Call | undefined {
  return events.findLast(
    (event): event is Call => (event.type === "tool.called" || event.type === "function.called") && event.path === path,
  );
}
