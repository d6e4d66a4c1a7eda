import { changeAgents } from "../flow/list-crews.ts";
import type { Crew } from "../vocabulary/crew.ts";

/** A crew whose agents' prompts have `{{name}}` replaced by the variables given for a run; other braces stay. */
export function fillVariables(crew: Crew, variables: Readonly<Record<string, string>>): Crew {
  const names = Object.keys(variables);
  if (names.length === 0) return crew;
  const fill = (text: string) =>
    text.replace(/\{\{\s*([\w-]+)\s*\}\}/g, (whole, name: string) =>
      Object.hasOwn(variables, name) ? (variables[name] ?? "") : whole,
    );
  return changeAgents(crew, (agent) => ({ ...agent, prompt: fill(agent.prompt) }));
}
