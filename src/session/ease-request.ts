import type { Model } from "../models/model.ts";
import type { EventOf } from "../vocabulary/events.ts";
import type { Unsent } from "./open-request.ts";

type Refused = NonNullable<Unsent["refused"]>;

/** Refusals that have other reasons than what was asked for, unless they name it: the key, the bill, the length. */
const otherReasons: ReadonlySet<number | undefined> = new Set([undefined, 401, 402, 403, 407, 413]);

/** Refusals of what a request says. An address or a model that is not there has nothing to do with the form of the answer. */
const badRequests: ReadonlySet<number | undefined> = new Set([400, 415, 422, 501]);

/** What servers call a tool choice in their refusals. */
const TOOL_CHOICE = /tool[\s_-]?choice|tool_?config|function[\s_-]?calling[\s_-]?config/i;

/** What servers call the form of an answer in their refusals. */
const FORMAT =
  /response[\s_-]?(?:format|schema|mime)|json[\s_-]?(?:schema|object|mode)|structured[\s_-]?output|grammar/i;

/**
 * The same request without what a provider may have refused: that a tool must be called, then the schema of the answer, then that the
 * answer must be JSON, then tools where they may be left out. Undefined where nothing of the kind was asked for, or the failure is another.
 */
export function easeRequest(request: Unsent, { data }: EventOf<"model.failed">): Unsent | undefined {
  if (request.refused === "tools") return undefined;
  const isChosen = request.toolChoice !== undefined;
  const isRefused = data.isRetryable === false && !otherReasons.has(data.status);
  if (isChosen && (isRefused || TOOL_CHOICE.test(data.message)))
    return { ...request, toolChoice: undefined, refused: "tool_choice" };
  const isBad = data.isRetryable === false && badRequests.has(data.status);
  if (request.json !== undefined && (isBad || FORMAT.test(data.message)))
    return request.json.schema === undefined
      ? { ...withoutJson(request), refused: "json" }
      : { ...withoutSchema(request), refused: "schema" };
  if (!isRefused) return undefined;
  return request.areToolsOptional ? { ...request, toolChoice: undefined, tools: [], refused: "tools" } : undefined;
}

/** Remembers for the rest of the run what a model answered without. Who takes no tools takes no choice of them. */
export function noteRefusal(model: Model, refused: Refused, refusers: Set<string>): void {
  refusers.add(`${refused === "tools" ? "tool_choice" : refused} ${model.name}`);
}

function hasRefused(model: Model, what: Refused, refusers: ReadonlySet<string>): boolean {
  return refusers.has(`${what} ${model.name}`);
}

/** The request without what the model refused earlier in the run. */
export function dropRefused(request: Unsent, model: Model, refusers: ReadonlySet<string>): Unsent {
  if (refusers.size === 0) return request;
  let kept = request;
  if (kept.toolChoice !== undefined && hasRefused(model, "tool_choice", refusers))
    kept = { ...kept, toolChoice: undefined };
  if (kept.json?.schema !== undefined && hasRefused(model, "schema", refusers)) kept = withoutSchema(kept);
  if (kept.json !== undefined && hasRefused(model, "json", refusers)) kept = withoutJson(kept);
  return kept;
}

/** The model reads the schema that its provider does not take. */
function withoutSchema(request: Unsent): Unsent {
  const told = `Answer in JSON that fits this JSON Schema, without other words:\n${JSON.stringify(request.json?.schema)}`;
  return { ...request, system: addParagraph(request.system, told), json: { schema: undefined } };
}

function withoutJson(request: Unsent): Unsent {
  const isTold = /json/i.test(request.system);
  const system = isTold ? request.system : addParagraph(request.system, "Answer in JSON, without other words.");
  return { ...request, system, json: undefined };
}

function addParagraph(text: string, paragraph: string): string {
  return text === "" ? paragraph : `${text}\n\n${paragraph}`;
}
