import type { Agent } from "../crew.ts";
import { schemaProblem } from "../tools/schema-problem.ts";

/** An answer as the agent's contract wants it, or what is wrong with it. */
export type ReadAnswer = { readonly text: string } | { readonly problem: string };

/** Checks what a contract can: JSON is parsed, and fits its schema if there is one. Text and Markdown are taken as they are. */
export function readAnswer(text: string, agent: Agent): ReadAnswer {
  if (agent.output.format !== "json") return { text };
  const json = stripFence(text);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { problem: `the answer is not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const problem = schemaProblem(value, agent.output.schema);
  return problem === undefined ? { text: json } : { problem };
}

/** Models like to put JSON into a code block. */
function stripFence(text: string): string {
  return /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text.trim();
}
