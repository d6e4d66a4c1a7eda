import { checkEnvironment } from "../runtime/check-options.ts";
import type { CrewEnvironment } from "../runtime/environment.ts";
import type { ContextSource, FittingContext, GivenContext } from "../runtime/resolve-context.ts";
import type { CheckedAgent, CheckedCrew, Item, Key } from "./checked-crew.ts";
import { type AgentDefinition, type CrewDefinition, readDefinition } from "./crew-definition.ts";
import { type CrewHandle, openCrew } from "./crew-handle.ts";
import type { MissingContext, NeededByFunctions, NeededContext } from "./crew-types.ts";
import type { ObjectOfCrew } from "./object-of-crew.ts";
import { readSetup } from "./read-setup.ts";

/** What the runs of a crew in code need from outside. Its tools are part of its definition. */
export interface CrewCodeEnvironment<Crew = CrewDefinition, Source extends ContextSource = ContextSource>
  extends Omit<CrewEnvironment, "tools" | "context"> {
  /**
   * What tools and functions find in their `context.context`, such as `{ db }`; or a function that gives each run its own, whenever
   * the run starts or continues in a process. It is never sent to a model and never stored. What tools need and is not given
   * here, each start must give.
   */
  readonly context?: (Source & FittingContext<Source, ContextOfCrew<Crew>>) | undefined;
}

/** The context that the tools and functions of a crew need, together. */
export type ContextOfCrew<Crew> = NeededContext<Key<Crew, "tools">> & NeededByFunctions<Item<Key<Crew, "agents">>>;

/**
 * An agent in code, with the keys of an agent's file. The crew that it becomes part of checks it with all others.
 *
 * ```ts
 * const reader = defineAgent({ id: "reader", prompt: "Read the invoice.", output: z.object({ total: z.number() }) });
 * ```
 */
export function defineAgent<const Agent extends AgentDefinition>(agent: CheckedAgent<Agent>): Agent {
  // The expectation is inferred from the agent, which the compiler does not see.
  return agent as unknown as Agent;
}

/**
 * A crew in code, with the keys of crew.yaml. It is checked like one with files. Names of agents, groups, tools and sub-crews that do
 * not exist do not compile, and neither do two spellings of one key.
 *
 * ```ts
 * const crew = defineCrew({
 *   name: "desk",
 *   models: ["openai/gpt-5-mini"],
 *   agents: [triage, fixer],
 *   tools: [lookup],
 *   routing: { signals: { triage: [{ signal: "[FIX]", target: "fixer" }] } },
 * });
 * ```
 * Throws a `ConfigurationError` (code `invalid-configuration`) with every problem if one of them is an error, and a `BatonError` with
 * the code `ambiguous-tool`, `bad-definition` or `bad-option` if something is not data that a file could have.
 */
export function defineCrew<
  const Crew extends CrewDefinition,
  Source extends ContextSource = Readonly<Record<never, never>>,
>(
  definition: CheckedCrew<Crew>,
  environment: CrewCodeEnvironment<Crew, Source> = {},
): CrewHandle<{
  readonly object: ObjectOfCrew<Crew>;
  readonly context: MissingContext<ContextOfCrew<Crew>, GivenContext<Source>>;
}> {
  checkEnvironment(environment);
  // The expectation is inferred from the crew, which the compiler does not see.
  const { crew, diagnostics, tools, functions, models, schemas } = readDefinition(
    definition as unknown as Crew,
    environment.root,
  );
  const setup = readSetup(environment);
  const inPlace = { ...setup.models, inPlace: models };
  // A crew's types are what its definition lets the compiler know of the same handle.
  return openCrew(crew, diagnostics, { ...setup, tools, functions, schemas, models: inPlace }) as CrewHandle<{
    object: ObjectOfCrew<Crew>;
    context: MissingContext<ContextOfCrew<Crew>, GivenContext<Source>>;
  }>;
}
