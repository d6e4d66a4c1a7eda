import { dirname, resolve } from "node:path";
import type { ModelName } from "../vocabulary/crew.ts";

/** `provider/model` or `provider:model`; undefined where it is neither. */
export function parseModel(name: string): ModelName | undefined {
  const [, provider, model] = /^([a-z][a-z0-9_.-]*)[/:](?!\/\/)(\S+)$/i.exec(name) ?? [];
  return provider === undefined || model === undefined ? undefined : { provider, model };
}

/** A model as a crew's files name it. */
export function placeModel(model: ModelName, crewFile: string): ModelName {
  return model.provider === "script" ? { ...model, file: scriptFile(model.model, crewFile) } : model;
}

/** The file of `script/<file>`, which is relative to the folder of the crew. */
export function scriptFile(model: string, crewFile: string): string {
  return resolve(dirname(crewFile), model);
}
