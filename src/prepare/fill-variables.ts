import { changeAgents } from "../flow/list-crews.ts";
import type { Crew } from "../vocabulary/crew.ts";

/** Replaces `{{name}}` in the prompts of a crew's agents with the variables of a run. Other braces stay. */
export function fillVariables(crew: Crew, variables: Readonly<Record<string, string>>): Crew {
  const names = Object.keys(variables);
  if (names.length === 0) return crew;
  const fill = (text: string) =>
    text.replace(/\{\{\s*([\w-]+)\s*\}\}/g, (whole, name: string) =>
      Object.hasOwn(variables, name) ? (variables[name] ?? "") : whole,
    );
  return changeAgents(crew, (agent) => ({ ...agent, prompt: fill(agent.prompt) }));
}
