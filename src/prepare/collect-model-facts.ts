import { listAgents } from "../flow/list-crews.ts";
import type { ModelFacts } from "../flow/plan/model-facts.ts";
import { findOutputLimit } from "../models/output-limits.ts";
import type { Agent, Crew, ModelName } from "../vocabulary/crew.ts";
import { describeModel, formatModelName } from "./prepare-models.ts";

/** Which models a plan is made for. */
export interface PlannedModels {
  /** Models in place of the crew's own. */
  readonly instead?: readonly ModelName[] | undefined;
  /** Models for agents that name none. */
  readonly defaults?: readonly ModelName[] | undefined;
}

/** Looks up what is known of every model of a crew: window, output limit and prices. No model is opened. */
export async function collectModelFacts(
  crew: Crew,
  { instead, defaults = [] }: PlannedModels,
): Promise<(agent: Agent, name: string) => readonly ModelFacts[]> {
  const known = new Map<string, ModelFacts>();
  const chains = new Map<string, readonly ModelFacts[]>();
  for (const [name, agent] of listAgents(crew)) {
    const models = instead ?? (agent.models.length > 0 ? agent.models : defaults);
    const chain: ModelFacts[] = [];
    for (const model of models) {
      const key = formatModelName(model);
      const facts = known.get(key) ?? (await describe(model));
      known.set(key, facts);
      chain.push(facts);
    }
    chains.set(name, chain);
  }
  return (_, name) => chains.get(name) ?? [];
}

async function describe(model: ModelName): Promise<ModelFacts> {
  const { name, listed } = await describeModel(model);
  return {
    name,
    contextWindow: listed?.contextWindow,
    outputLimit: findOutputLimit(model.provider, model.model),
    findPrice(input, output) {
      const usage = { input, output, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: input + output };
      return listed?.findPrice(usage);
    },
  };
}
