import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import { readTypedAnswer } from "../../library/read-typed-answer.ts";
import type { Paused, ResumeAnswer } from "../../vocabulary/pause.ts";
import { adviseAnswer, tellQuestion } from "./tool-result.ts";

/** What a person filled in. */
export type FilledForm = Readonly<Record<string, unknown>>;

/** The question of a paused run as a form that a client shows to a person. */
export function toForm(paused: Paused): ElicitRequestFormParams {
  const decisions = listDecisions(paused);
  const words = { type: "string" as const, title: "Answer", description: adviseAnswer(paused) };
  return {
    mode: "form",
    message: tellQuestion(paused),
    requestedSchema:
      decisions.length === 0
        ? { type: "object", properties: { answer: words }, required: ["answer"] }
        : {
            type: "object",
            properties: {
              decision: { type: "string", title: "Decision", enum: decisions },
              details: { type: "string", title: "Details", description: describeDetails(decisions) },
            },
            required: ["decision"],
          },
  };
}

/** Reads a filled form as the answer of the pause. What does not fit is refused by the run itself. */
export function readForm(form: FilledForm, paused: Paused): ResumeAnswer {
  const text = (key: string) => (typeof form[key] === "string" ? form[key] : "");
  const isDecision = listDecisions(paused).length > 0;
  return readTypedAnswer(isDecision ? `${text("decision")} ${text("details")}`.trim() : text("answer"), paused);
}

/** The decisions that a pause takes; none if it takes words. */
function listDecisions({ options, reason }: Paused): string[] {
  if (reason === "quota" || options.includes("input") || options.includes("external")) return [];
  return options.map((option) => option.replace(/:.*$/, ""));
}

const details: Readonly<Record<string, string>> = {
  reject: "reject: why",
  edit: "edit: the arguments as JSON",
  redirect: "redirect: the agent",
  happened: 'happened: what the call returned, or ""',
};

function describeDetails(decisions: readonly string[]): string {
  return decisions.flatMap((decision) => details[decision] ?? []).join("; ");
}
