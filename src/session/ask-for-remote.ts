import type { RemoteOutcome } from "../tools/agent-function.ts";
import type { EventData, EventOf, EventPlace } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import type { ResumeAnswer } from "../vocabulary/pause.ts";
import type { RemoteIds, RemoteResult } from "../vocabulary/remote.ts";
import { formatResult } from "./read-result.ts";
import type { Session } from "./session.ts";

/** What is said to a remote agent next, and in which task. */
export interface RemoteTurn {
  readonly words: string;
  readonly ids?: Omit<RemoteIds, "messageId">;
}

/** What is recorded of a remote agent: its answer, that it asks something, or that nobody knows what it was told. */
export function recordRemote(
  outcome: RemoteOutcome,
  place: EventPlace,
  redact: (text: string) => string,
): EventData["function.completed"] {
  const agent = nameSpeaker(place);
  if (outcome.type === "answer") {
    const { type: _, text, ...remote } = outcome;
    return { result: redact(text), remote };
  }
  if (outcome.type === "asks") {
    const { taskId, reason, options } = outcome;
    const prompt = redact(`Remote agent '${agent}' asks: ${outcome.prompt}`);
    const remote: RemoteResult = { taskId, asks: { reason, prompt, options } };
    return { result: "", remote };
  }
  const why = redact(outcome.why);
  const prompt = `Remote agent '${agent}' was called when the run was interrupted, and does not say what became of it (${why}). Did it happen?`;
  const asks = { reason: "ambiguous" as const, prompt, options: ["happened", "not_happened"] };
  return { result: "", remote: { asks } };
}

/** Asks a person what a remote agent asks: the answer is what it is told next, or stands for its own. */
export async function askForRemote(
  { run, scope, place: at }: Pick<Session, "run" | "scope" | "place">,
  { taskId, asks }: RemoteResult,
  { path }: Pick<EventOf<"function.completed">, "path">,
  { words, ids }: RemoteTurn,
  contextId: string | undefined,
): Promise<RemoteTurn | { readonly text: string }> {
  if (asks === undefined) throw new Error("a remote agent that asks has a question");
  const question = { agent: nameSpeaker(at), ...asks };
  const answer = await run.ask({ ...at, path: `${path}/ask` }, scope, question);
  if (taskId === undefined) return answer.decision === "happened" ? { text: formatResult(answer.result) } : { words };
  const context = ids?.contextId ?? contextId;
  if (context === undefined) throw new Error("a task of a remote agent has a context");
  return { words: writeAnswer(answer), ids: { contextId: context, taskId } };
}

/** An answer as a line, as a person would type it: whoever runs the remote agent reads it again. */
function writeAnswer({ input, decision, args, result, external, quota }: ResumeAnswer): string {
  if (decision === "edit") return `edit ${JSON.stringify(args)}`;
  if (decision === "happened") return `happened ${formatResult(result) || '""'}`;
  if (decision?.startsWith("redirect:")) return `redirect ${decision.slice("redirect:".length)}`;
  if (decision !== undefined) return input === undefined ? decision : `${decision} ${input}`;
  if (quota !== undefined)
    return Object.entries(quota as Readonly<Record<string, unknown>>)
      .map(([cap, value]) => `${cap} ${value}`)
      .join(" ");
  return input ?? (external === undefined ? "" : formatResult(external));
}
