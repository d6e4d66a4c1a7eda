import { readMap } from "../definition/agent-file.ts";
import { createProblemLog } from "../definition/problem-log.ts";
import { createSource } from "../definition/source.ts";
import type { Script } from "../models/script-model.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { findJsonProblem } from "../vocabulary/find-json-problem.ts";
import { buildScript } from "./build-script.ts";
import { scriptShape } from "./script-shape.ts";

/** What a model of a script replies; a plain text is short for `{ text }`. */
export interface ScriptReply {
  /** What the model writes. */
  readonly text?: string;
  /** What the model thinks. */
  readonly reasoning?: string;
  /** The tools that the model calls. Arguments that are text are the raw text that a model sent. */
  readonly tools?: readonly { readonly name: string; readonly args?: unknown }[];
  /** Why the reply ends early: at the length limit, or by a content filter. */
  readonly finish?: "length" | "content-filter";
  /** The tokens that the model reports. Absent numbers are 0. */
  readonly usage?: {
    readonly input?: number;
    readonly output?: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
    readonly reasoning?: number;
    readonly total?: number;
  };
  /** How long the reply takes, in milliseconds. */
  readonly latencyMs?: number;
  /** The call fails with this. The next reply answers the retry; `retryAfter` is in seconds. */
  readonly error?: { readonly status?: number; readonly message?: string; readonly retryAfter?: number };
}

/** Replies in order, by agent id or `<crew>/<agent>`. */
export type ScriptReplies = Readonly<Record<string, readonly (string | ScriptReply)[]>>;

/** What a script looks like, for messages. */
export const SCRIPT_EXAMPLE =
  '{ triage: ["It is broken. [FIX]"], fixer: [{ tools: [{ name: "lookup", args: { order: "A-7" } }] }, "Done."] }';

/**
 * Makes a script: replies that stand in for the models of a crew, so that runs are offline, free and always the same. Give it to
 * one run, `crew.run(input, { script })`, or to all: `loadCrew(path, { script })`.
 *
 * ```ts
 * const { output } = await crew.run("The printer is dead", {
 *   script: script({ triage: ["It needs a fuse. [FIX]"], fixer: [{ tools: [{ name: "lookup" }] }, "Replaced."] }),
 * });
 * ```
 * Each model call of an agent takes the next reply. Throws a `BatonError` with the code `bad-script` if something is malformed.
 */
export function script(replies: ScriptReplies): Script {
  const isRecord = typeof replies === "object" && replies !== null && !Array.isArray(replies);
  if (!isRecord) throw malformed(["it must be an object with the replies of each agent"]);
  const problem = findJsonProblem(replies, "script");
  if (problem !== undefined) throw malformed([problem]);
  const log = createProblemLog();
  const reporter = log.reporter(true);
  // JSON is YAML: the same shape reads scripts in files.
  const source = createSource("script", JSON.stringify(replies, undefined, 2));
  const root = readMap(source, { start: 0, end: source.text.length }, reporter);
  const keys = root && scriptShape.read(root, "script", { source, reporter });
  if (keys !== undefined && !reporter.hasErrors()) return buildScript(keys);
  throw malformed(log.diagnostics(() => "script").map(({ message, frame }) => `${message}\n${frame}`));
}

function malformed(problems: readonly string[]): BatonError {
  const message = `the script cannot be used: ${problems.join("\n")}\nA script lists the replies of each agent, in order: script(${SCRIPT_EXAMPLE})`;
  return new BatonError("bad-script", message);
}
