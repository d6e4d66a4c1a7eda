import type { Run } from "../run/run.ts";
import { findSchemaProblem } from "../tools/find-schema-problem.ts";
import type { Agent } from "../vocabulary/crew.ts";
import type { EventPlace } from "../vocabulary/events.ts";
import type { BesideJson } from "./beside-json.ts";

/** An answer as the agent's contract wants it, or what is wrong with it. */
export type ReadAnswer = { readonly text: string } | { readonly problem: string };

/** What reading an answer needs of its session. */
interface AnswerReading {
  readonly agent: Agent;
  readonly beside?: BesideJson | undefined;
  readonly checkOutput?: ((value: unknown) => string | undefined) | undefined;
  readonly run: Run;
  readonly place: EventPlace;
  readonly turns: number;
}

/**
 * Checks what a contract can: JSON is parsed, and fits its schema if there is one. Text and Markdown are taken as they are. What may stand
 * beside JSON is found there.
 */
export function readAnswer(text: string, { agent, beside, checkOutput, run, place, turns }: AnswerReading): ReadAnswer {
  if (agent.output.format !== "json") return { text };
  const json = readBeside(text, agent, beside);
  if ("problem" in json || (checkOutput === undefined && !run.isReplaying())) return json;
  // What code says of an answer is on record: whoever replays the run may not have that code.
  const at = { ...place, path: `${place.path}/t${turns - 1}` };
  const rejected = run.observe(at, "answer.rejected", () => {
    const problem = checkOutput?.(json.value);
    return problem === undefined ? undefined : { problem };
  });
  return rejected === undefined ? json : { problem: `the answer does not fit: ${rejected.problem}` };
}

function readBeside(text: string, agent: Agent, beside: BesideJson | undefined): ReadJson {
  const alone = readJson(text, agent);
  if (beside === undefined || "text" in alone) return alone;
  const { before, body, after } = beside.find(text);
  const within = readJson(body, agent);
  return "text" in within ? { ...within, text: (before + within.text + after).trim() } : within;
}

type ReadJson = { readonly text: string; readonly value: unknown } | { readonly problem: string };

function readJson(text: string, { output }: Agent): ReadJson {
  const json = stripFence(text);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { problem: `the answer is not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const problem = findSchemaProblem(value, output.schema);
  return problem === undefined ? { text: json, value } : { problem };
}

/** Models like to put JSON into a code block. */
export function stripFence(text: string): string {
  const trimmed = text.trim();
  const start = trimmed.indexOf("\n") + 1;
  const isFenced = /^```(?:json)?\s*$/.test(trimmed.slice(0, start)) && trimmed.slice(start).endsWith("```");
  return isFenced ? trimmed.slice(start, -3).trim() : trimmed;
}
