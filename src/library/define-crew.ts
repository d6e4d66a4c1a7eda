import { checkEnvironment } from "../runtime/check-options.ts";
import type { CrewEnvironment } from "../runtime/environment.ts";
import { type AgentDefinition, type CrewDefinition, readDefinition } from "./crew-definition.ts";
import { type CrewHandle, openCrew } from "./crew-handle.ts";
import { readSetup } from "./read-setup.ts";

/** An agent, checked with the crew that it becomes part of. */
export function defineAgent(agent: AgentDefinition): AgentDefinition {
  return agent;
}

/** A crew without files; throws a ConfigurationError with every problem if one of them is an error. */
export function defineCrew(definition: CrewDefinition, environment: Omit<CrewEnvironment, "tools"> = {}): CrewHandle {
  checkEnvironment(environment);
  const { crew, diagnostics, tools, functions, models } = readDefinition(definition);
  const setup = readSetup(environment);
  return openCrew(crew, diagnostics, { ...setup, tools, functions, models: { ...setup.models, inPlace: models } });
}
