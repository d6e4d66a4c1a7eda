import type { ModelChoice, ModelObject } from "../models/model-choice.ts";
import { findChoiceProblem, nameChoice } from "../prepare/model-choices.ts";
import type { ModelsInPlace } from "../prepare/prepare-models.ts";
import { BatonError } from "../vocabulary/errors.ts";

/** What lists models: a crew's definition, or that of an agent. */
interface Listing {
  readonly models?: readonly ModelChoice[] | undefined;
}

/** The names of a listing's models. A value that is not a list is left for the crew's checks. */
export function nameModels({ models }: Listing, where: string): Pick<Listing, "models"> {
  if (!Array.isArray(models)) return models === undefined ? {} : { models };
  return { models: models.map((model, index) => nameModel(model, `${where}.models[${index}]`)) };
}

/** The model objects of agents, at the places of their names. An agent without models has those of the crew. */
export function collectModelObjects(
  crew: Listing,
  agents: readonly (Listing & { readonly id: string })[],
): ModelsInPlace {
  const objects = ({ models = [] }: Listing) =>
    models.map((model): ModelObject | undefined => (typeof model === "string" ? undefined : model));
  const listed = agents.map((agent) => [agent.id, objects(agent.models?.length ? agent : crew)] as const);
  return Object.fromEntries(listed.filter(([, models]) => models.some((model) => model !== undefined)));
}

function nameModel(model: ModelChoice, where: string): string {
  // The crew's checks find what is wrong with a name, as in a file.
  const problem = typeof model === "string" ? undefined : findChoiceProblem(model);
  if (problem === undefined) return nameChoice(model);
  throw new BatonError("bad-definition", `the crew's definition cannot be used: ${where} ${problem}`);
}
