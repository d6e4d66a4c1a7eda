import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";

/** An event, and the JSON text that a store keeps of it. */
export interface EventRecord {
  readonly event: BatonEvent;
  readonly text: string;
}

/** Writes the events as JSON at once, so that a caller who changes them afterwards does not change what is stored. */
export function toRecords(runId: RunId, events: readonly BatonEvent[]): EventRecord[] {
  return events.map((event) => {
    const problem = findProblem(event, runId);
    if (problem !== undefined) throw explainBadEvent(event, problem);
    return { event, text: toJson(event, (cause) => explainBadEvent(event, "it is not plain JSON", cause)) };
  });
}

/** Writes a value as JSON. If that is impossible, throws the error that `refusal` makes of the cause. */
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
 * Reads a stored text. The result is the event, or what is wrong with the text if it cannot be an event of this run.
 * `complete` puts back large texts, which are stored elsewhere.
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
  if (problem !== undefined) return problem;
  // The envelope is valid. An event of a type that only a newer version knows is an event too: readers skip it.
  return renameOldKeys(value) as unknown as BatonEvent;
}

/** Early journals call the provider metadata of a reply `carried`. */
function renameOldKeys(event: Record<string, unknown>): Record<string, unknown> {
  const { type, data } = event;
  if (type !== "model.completed" || !isRecord(data) || !("carried" in data)) return event;
  const { carried, ...others } = data;
  return { ...event, data: { ...others, providerMetadata: carried } };
}

/** Checks the envelope, which all types of events share. It does not check `data`: the code that wrote it did. */
function findProblem(event: object, runId: RunId): string | undefined {
  const { id, runId: owner, parentId, ts, type, path, agent, crew, data } = event as Record<string, unknown>;
  if (owner !== runId) return `belongs to run '${owner}'`;
  if (typeof ts !== "number" || !Number.isFinite(ts)) return "has no time";
  if (typeof type !== "string" || type === "") return "has no type";
  if (typeof id !== "string" || typeof path !== "string") return "has no id or no path";
  if (!isRecord(data)) return "has no data";
  const isPlaced = isTextOrAbsent(parentId) && isTextOrAbsent(agent) && isTextOrAbsent(crew);
  return isPlaced ? undefined : "has a parentId, agent or crew that is not text";
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function explainBadEvent(event: BatonEvent, problem: string, cause?: unknown): BatonError {
  const message = `event ${event.seq} of type '${event.type}' cannot be stored: it ${problem.replace(/^it /, "")}`;
  return new BatonError("bad-event", message, { cause });
}
