import type { Model } from "./model.ts";

/** A model object of the AI SDK 5 or newer, such as `anthropic("claude-sonnet-5")`. */
export interface AiSdkModel {
  readonly specificationVersion: "v2" | "v3" | "v4";
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<unknown>;
}

/** A model that was made in code: one of the AI SDK, or one of your own. */
export type ModelObject = Model | AiSdkModel;

/** A model as an agent lists it: its name, `provider/model`, or a model object. */
export type ModelChoice = string | ModelObject;

export function isAiSdkModel(model: ModelObject): model is AiSdkModel {
  return "doGenerate" in model;
}

/** The name of a model object, as `provider/model`. The AI SDK adds the kind of API to a provider: `openai.responses`. */
export function nameModelObject(model: ModelObject): string {
  return isAiSdkModel(model) ? `${findBaseProvider(model)}/${model.modelId}` : model.name;
}

/** The provider without the kind of its API. */
export function findBaseProvider({ provider }: Pick<AiSdkModel, "provider">): string {
  return provider.replace(/\..*/, "");
}

/** What is wrong with a value that should be a model object; undefined if it is one. */
export function findModelProblem(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null)
    return `is not a model: it is ${value === null ? "null" : typeof value}`;
  if (typeof Reflect.get(value, "doGenerate") === "function") return findAiSdkProblem(value);
  const isOwn = typeof Reflect.get(value, "call") === "function" && typeof Reflect.get(value, "name") === "string";
  return isOwn
    ? undefined
    : 'is not a model: give an AI SDK model such as openai("gpt-5"), or an object { name, call }';
}

function findAiSdkProblem(value: object): string | undefined {
  const version: unknown = Reflect.get(value, "specificationVersion");
  if (version !== "v2" && version !== "v3" && version !== "v4")
    return `is a model of an AI SDK that Baton does not know (specification ${String(version)}): use AI SDK 5 or newer`;
  const isNamed = ["provider", "modelId"].every((key) => typeof Reflect.get(value, key) === "string");
  return isNamed ? undefined : "is an AI SDK model without 'provider' and 'modelId'";
}
