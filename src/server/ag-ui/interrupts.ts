import type { Interrupt, ResumeEntry } from "@ag-ui/core";
import { readTypedAnswer } from "../../library/read-typed-answer.ts";
import type { EventOf } from "../../vocabulary/events.ts";
import { type RunId, toRunId } from "../../vocabulary/ids.ts";
import type { Paused, ResumeAnswer } from "../../vocabulary/pause.ts";
import { Refusal } from "../problem.ts";
import { answerSchema } from "../schemas.ts";

/** What an interrupt is about: the call that waits, and the agent that asks. */
interface About {
  readonly callId: string | undefined;
  readonly tag: { readonly subagentRunId?: string };
}

/** A pause as AG-UI tells it. Its id names the run and the pause, so that an answer finds both. */
export function toInterrupt({ runId, seq = 0, data }: EventOf<"run.paused">, { callId, tag }: About): Interrupt {
  const { agent, reason, prompt, options, tool, expiresAt } = data;
  return {
    id: `${runId}:${seq}`,
    reason,
    message: prompt,
    ...tag,
    ...(callId !== undefined && { toolCallId: callId }),
    ...(expiresAt !== undefined && { expiresAt }),
    responseSchema: describeAnswer(options),
    metadata: { baton: { runId, agent, options, ...(tool !== undefined && { tool }) } },
  };
}

/** The run and the pause that a resume entry answers. */
export function readInterruptId(id: string): { readonly runId: RunId; readonly seq: number } {
  const [, run = "", seq = ""] = /^(run_[A-Za-z0-9-]{1,64}):(\d{1,9})$/.exec(id) ?? [];
  if (run === "") throw new Refusal("bad-request", `there is no interrupt '${id.slice(0, 200)}'`);
  return { runId: toRunId(run), seq: Number(seq) };
}

/** What an entry answers: words as in a terminal, yes or no, or the fields of an answer. A dismissed question is rejected. */
export function readResumeEntry({ status, payload }: ResumeEntry, paused: Paused): ResumeAnswer | "cancel" {
  if (status === "cancelled") return paused.options.includes("reject") ? { decision: "reject" } : "cancel";
  if (typeof payload === "string") return readTypedAnswer(payload, paused);
  if (typeof payload === "boolean") return { decision: payload ? "approve" : "reject" };
  if (typeof payload !== "object" || payload === null || Array.isArray(payload))
    throw new Refusal("bad-request", "the payload of a resume entry is text, true, false, or the fields of an answer");
  const { approved, ...given }: Record<string, unknown> = payload;
  // What pages that know no Baton send for an approval.
  const fields = typeof approved === "boolean" ? { decision: approved ? "approve" : "reject", ...given } : given;
  const read = answerSchema.safeParse(fields);
  if (read.success) {
    const { acceptChanges: _, ...answer } = read.data;
    // The run refuses what is not a decision.
    return answer as ResumeAnswer;
  }
  const isWords = paused.options.includes("external");
  if (isWords) return { external: payload };
  const [first] = read.error.issues;
  throw new Refusal("bad-request", `the payload of the resume entry: ${first?.message ?? "does not fit"}`);
}

/** The form of an answer, for pages that build a form out of it. */
function describeAnswer(options: readonly string[]): Record<string, unknown> {
  const decisions = options.filter((option) => !["input", "external", "quota"].includes(option));
  if (decisions.length === 0) return options.includes("quota") ? { type: "object" } : { type: "string" };
  const plain = decisions.filter((option) => !option.includes(":"));
  return {
    type: "object",
    required: ["decision"],
    properties: {
      decision: plain.length === decisions.length ? { type: "string", enum: plain } : { type: "string" },
      input: { type: "string" },
      ...(decisions.includes("edit") && { args: { type: "object" } }),
      ...(decisions.includes("happened") && { result: {} }),
    },
  };
}
