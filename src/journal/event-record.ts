import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";

/** An event, and the JSON that is kept of it. */
export interface EventRecord {
  readonly event: BatonEvent;
  readonly text: string;
}

/** Done when the events are given, so that nothing that happens to them later is kept. */
export function toRecords(runId: RunId, events: readonly BatonEvent[]): EventRecord[] {
  return events.map((event) => {
    const problem = findProblem(event, runId);
    if (problem !== undefined) throw explainBadEvent(event, problem);
    return { event, text: toJson(event, (cause) => explainBadEvent(event, "it is not plain JSON", cause)) };
  });
}

/** Gives the text of a value, or throws what `refusal` makes of the reason why it has none. */
export function toJson(value: unknown, refusal: (cause: unknown) => BatonError): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw refusal(error);
  }
  if (text === undefined) throw refusal(undefined);
  return text;
}

/**
 * Reads what was kept; gives a word on what is wrong with it where it cannot be an event of this run. Large texts that are
 * kept elsewhere are put back by `complete`.
 */
export function parseRecord(
  text: string,
  runId: RunId,
  seq: number,
  complete: (value: unknown) => unknown,
): BatonEvent | string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return "is not JSON";
  }
  const value = complete(parsed);
  if (!isRecord(value)) return "is not an object";
  const problem =
    findProblem(value, runId) ?? (value["seq"] === seq ? undefined : `says that it is event ${value["seq"]}`);
  // The envelope is as it must be. Types that a newer version added are events too: whoever reads passes over what it does not know.
  return problem ?? (value as unknown as BatonEvent);
}

/** Looks at the envelope, which is the same for all types; what a type carries is its writer's promise. */
function findProblem(event: object, runId: RunId): string | undefined {
  const { id, runId: owner, parentId, ts, type, path, agent, crew, data } = event as Record<string, unknown>;
  if (owner !== runId) return `belongs to run '${owner}'`;
  if (typeof ts !== "number" || !Number.isFinite(ts)) return "has no time";
  if (typeof type !== "string" || type === "") return "has no type";
  if (typeof id !== "string" || typeof path !== "string") return "has no id or no path";
  if (!isRecord(data)) return "has no data";
  const isPlaced = isTextOrAbsent(parentId) && isTextOrAbsent(agent) && isTextOrAbsent(crew);
  return isPlaced ? undefined : "has a place that is no text";
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function explainBadEvent(event: BatonEvent, problem: string, cause?: unknown): BatonError {
  const message = `event ${event.seq} of type '${event.type}' cannot be kept: it ${problem.replace(/^it /, "")}`;
  return new BatonError("bad-event", message, { cause });
}
