import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { RunResult } from "../../views/run-result.ts";
import type { Paused } from "../../vocabulary/pause.ts";

/** What every tool about a run gives, as data. */
export const runSchema = z.looseObject({
  runId: z.string(),
  status: z
    .enum(["queued", "running", "interrupted", "paused", "completed", "failed", "cancelled"])
    .meta({ description: "interrupted: the process that had the run is gone; resume_run continues it" }),
  output: z.string().optional().meta({ description: "The answer, of a completed run" }),
  object: z.unknown().optional().meta({ description: "The answer as data, if the crew answers in JSON" }),
  path: z.array(z.string()).optional().meta({ description: "The agents that had the task, in order" }),
  costUsd: z.number().nullable().optional().meta({ description: "null if a price is not known" }),
  paused: z
    .looseObject({ agent: z.string(), reason: z.string(), prompt: z.string(), options: z.array(z.string()) })
    .optional()
    .meta({ description: "What the run waits for" }),
  error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
  next: z.string().optional().meta({ description: "What to do now" }),
});

type RunFacts = z.output<typeof runSchema>;

/** How a run stands, and who may answer it. */
export interface Standing {
  readonly result: RunResult;
  /** Whether nobody has the run, so that it does not go on by itself. */
  readonly isInterrupted: boolean;
  /** Whether the caller may answer what the run asks. */
  readonly mayAnswer: boolean;
  /** Why a question was not put to the person at the client, if it was tried. */
  readonly unanswered?: string;
}

/** Tells a model how a run stands, as text and as data. */
export function toToolResult(standing: Standing): CallToolResult {
  const { result } = standing;
  const next = adviseNext(standing);
  const facts = describeFacts(standing, next);
  const text = [tellRun(standing), next].filter((part) => part !== undefined).join("\n\n");
  const isError = result.status === "failed" || result.status === "cancelled";
  return {
    content: [{ type: "text", text }],
    structuredContent: facts,
    ...(isError && { isError }),
    _meta: { "baton/usage": result.usage },
  };
}

function describeFacts({ result, isInterrupted }: Standing, next: string | undefined): RunFacts {
  const { runId, status, output, object, path, cost, paused, error } = result;
  return {
    runId,
    status: isInterrupted ? "interrupted" : status,
    ...(status === "completed" && { output }),
    ...(object !== undefined && { object }),
    path: [...path],
    costUsd: cost.usd,
    ...(paused !== undefined && { paused: { ...paused, options: [...paused.options] } }),
    ...(error !== undefined && { error: { code: error.code, message: error.message } }),
    ...(next !== undefined && { next }),
  };
}

function tellRun({ result, isInterrupted, unanswered }: Standing): string {
  const { runId, status } = result;
  switch (status) {
    case "completed":
      return result.error === undefined ? result.output : `${result.output}\n\n(stopped: ${result.error.message})`;
    case "failed":
      return `Run ${runId} failed: ${result.error.code}: ${result.error.message}`;
    case "cancelled":
      return `Run ${runId} was cancelled.`;
    case "paused": {
      const why = unanswered === undefined ? "" : ` (${unanswered})`;
      return `Run ${runId} is paused and waits for an answer${why}. ${tellQuestion(result.paused)}`;
    }
    case "queued":
      return `Run ${runId} waits for its turn.`;
    case "running":
      return isInterrupted ? `Run ${runId} was interrupted: its process has ended.` : `Run ${runId} is still running.`;
  }
}

/** What a paused run asks, for whoever answers. */
export function tellQuestion({ agent, reason, prompt, tool }: Paused): string {
  const about = tool === undefined ? "" : ` of ${tool}`;
  return reason === "approval" ? `${agent} asks for approval${about}:\n${prompt}` : `${agent} asks:\n${prompt}`;
}

function adviseNext({ result, isInterrupted, mayAnswer }: Standing): string | undefined {
  const { runId, status } = result;
  const given = `{"runId": "${runId}"`;
  if (isInterrupted) return `To continue it, call resume_run with ${given}}.`;
  if (status === "queued" || status === "running")
    return `For its result, call get_run with ${given}, "wait": 40}; to end it, call cancel_run with ${given}}.`;
  if (status !== "paused") return undefined;
  if (!mayAnswer)
    return `A person must decide this, and you may not: ask the user to run \`baton resume ${runId}\`. Then call get_run with ${given}}.`;
  return `To answer, call resume_run with ${given}, "answer": "…"}. ${adviseAnswer(result.paused)}`;
}

/** How an answer is written, which is how `baton resume` takes it. */
export function adviseAnswer({ reason, options }: Pick<Paused, "reason" | "options">): string {
  if (reason === "quota") return 'The answer raises caps: "max_cost_usd 2".';
  if (options.includes("input") || options.includes("external"))
    return "The answer is in the user's words: ask the user if you do not know it.";
  const forms: Readonly<Record<string, string>> = {
    reject: "reject <why>",
    edit: "edit <the arguments as JSON>",
    happened: "happened <the result>",
  };
  return `The answer is one of: ${options.map((option) => forms[option] ?? option.replace(":", " ")).join(", ")}.`;
}
