import { findSchemaProblem } from "../tools/find-schema-problem.ts";
import type { Agent } from "../vocabulary/crew.ts";

/** An answer as the agent's contract wants it, or what is wrong with it. */
export type ReadAnswer = { readonly text: string } | { readonly problem: string };

/** An answer, and what stands before and after it that is no part of it. */
export interface ReadAround {
  readonly before: string;
  readonly body: string;
  readonly after: string;
}

/**
 * Checks what a contract can: JSON is parsed, and fits its schema if there is one. Text and Markdown are taken as they are. `around` finds
 * what may stand beside JSON.
 */
export function readAnswer(text: string, agent: Agent, around?: (text: string) => ReadAround): ReadAnswer {
  if (agent.output.format !== "json") return { text };
  const alone = readJson(text, agent);
  if (around === undefined || "text" in alone) return alone;
  const { before, body, after } = around(text);
  const within = readJson(body, agent);
  return "text" in within ? { text: (before + within.text + after).trim() } : within;
}

function readJson(text: string, { output }: Agent): ReadAnswer {
  const json = stripFence(text);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { problem: `the answer is not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const problem = findSchemaProblem(value, output.schema);
  return problem === undefined ? { text: json } : { problem };
}

/** Models like to put JSON into a code block. */
export function stripFence(text: string): string {
  const trimmed = text.trim();
  const start = trimmed.indexOf("\n") + 1;
  const isFenced = /^```(?:json)?\s*$/.test(trimmed.slice(0, start)) && trimmed.slice(start).endsWith("```");
  return isFenced ? trimmed.slice(start, -3).trim() : trimmed;
}
