import { checkEnvironment } from "../runtime/check-options.ts";
import type { CrewEnvironment, ToolRegistry } from "../runtime/environment.ts";
import type { ContextSource } from "../runtime/resolve-context.ts";
import { type AgentDefinition, type CrewDefinition, readDefinition } from "./crew-definition.ts";
import { type CrewHandle, openCrew } from "./crew-handle.ts";
import type { MissingContext, NeededContext } from "./crew-types.ts";
import { readSetup } from "./read-setup.ts";

/** An agent, checked with the crew that it becomes part of. */
export function defineAgent(agent: AgentDefinition): AgentDefinition {
  return agent;
}

/** What the runs of a crew in code need from outside. Its tools are part of its definition. */
export interface CrewCodeEnvironment<Tools extends ToolRegistry = ToolRegistry, Context extends object = object>
  extends Omit<CrewEnvironment, "tools" | "context"> {
  /**
   * What tools and functions find in their `context.context`, such as `{ db }`; or a function that gives each run its own, whenever
   * the run starts or continues in a process. It is never sent to a model and never stored. What tools need and is not given
   * here, each start must give.
   */
  readonly context?: ContextSource<Context & Partial<NeededContext<Tools>>>;
}

/** A crew without files; throws a ConfigurationError with every problem if one of them is an error. */
export function defineCrew<
  const Tools extends ToolRegistry = readonly [],
  Context extends object = Readonly<Record<never, never>>,
>(
  definition: CrewDefinition & { readonly tools?: Tools | undefined },
  environment: CrewCodeEnvironment<Tools, Context> = {},
): CrewHandle<{ readonly object: unknown; readonly context: MissingContext<NeededContext<Tools>, Context> }> {
  checkEnvironment(environment);
  const { crew, diagnostics, tools, functions, models, schemas } = readDefinition(definition, environment.root);
  const setup = readSetup(environment);
  return openCrew(crew, diagnostics, {
    ...setup,
    tools,
    functions,
    schemas,
    models: { ...setup.models, inPlace: models },
  });
}
