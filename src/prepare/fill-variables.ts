import { changeAgents, listAgents } from "../flow/list-crews.ts";
import type { Crew } from "../vocabulary/crew.ts";

const VARIABLE = /\{\{\s*([\w-]+)\s*\}\}/g;

/** Replaces `{{name}}` in the prompts of a crew's agents with the variables of a run. Other braces stay. */
export function fillVariables(crew: Crew, variables: Readonly<Record<string, string>>): Crew {
  const names = Object.keys(variables);
  if (names.length === 0) return crew;
  const fill = (text: string) =>
    text.replace(VARIABLE, (whole, name: string) => (Object.hasOwn(variables, name) ? (variables[name] ?? "") : whole));
  return changeAgents(crew, (agent) => ({ ...agent, prompt: fill(agent.prompt) }));
}

/** The names that stand as `{{name}}` in the prompts of a crew's agents. */
export function listVariables(crew: Crew): ReadonlySet<string> {
  const prompts = listAgents(crew).map(([, { prompt }]) => prompt);
  return new Set(prompts.flatMap((prompt) => [...prompt.matchAll(VARIABLE)].map(([, name = ""]) => name)));
}
