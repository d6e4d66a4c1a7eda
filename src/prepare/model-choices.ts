import { parseModel } from "../definition/parse-model.ts";
import { findModelProblem, type ModelChoice, type ModelObject, nameModelObject } from "../models/model-choice.ts";
import type { ModelName } from "../vocabulary/crew.ts";

/** What is wrong with an entry of a list of models; undefined if nothing is. */
export function findChoiceProblem(choice: unknown): string | undefined {
  if (typeof choice === "string")
    return parseModel(choice) === undefined ? `is '${choice}': write provider/model` : undefined;
  const problem = findModelProblem(choice);
  if (problem !== undefined) return problem;
  // That was just found.
  const name = nameModelObject(choice as ModelObject);
  const parsed = parseModel(name);
  const isPlain = parsed !== undefined && `${parsed.provider}/${parsed.model}` === name;
  return isPlain ? undefined : `is called '${name}': a model's name must have the form provider/model`;
}

/** The name of a model that was chosen by its name or as an object. */
export function nameChoice(choice: ModelChoice): string {
  return typeof choice === "string" ? choice : nameModelObject(choice);
}

/** The names of models that were chosen. They have been checked. */
export function readChoices(choices: readonly ModelChoice[]): ModelName[] {
  return choices.map((choice) => {
    const name = parseModel(nameChoice(choice));
    if (name === undefined) throw new Error("the names of models are checked before");
    return name;
  });
}

/** The objects among models that were chosen, by their names. */
export function collectObjects(choices: readonly ModelChoice[]): Readonly<Record<string, ModelObject>> {
  const objects = choices.filter((choice) => typeof choice !== "string");
  return Object.fromEntries(objects.map((object) => [nameModelObject(object), object]));
}
