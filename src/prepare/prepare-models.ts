import { resolve } from "node:path";
import { parseModel } from "../definition/parse-model.ts";
import { listAgents } from "../flow/list-crews.ts";
import { type Model, ModelError } from "../models/model.ts";
import { findBaseProvider, isAiSdkModel, type ModelObject, nameModelObject } from "../models/model-choice.ts";
import { createScriptModel, type Script } from "../models/script-model.ts";
import type { World } from "../orchestration/crew-run.ts";
import { type Clock, sleep } from "../run/clock.ts";
import type { Agent, Crew, ModelName } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { ModelOptions } from "../vocabulary/run-start.ts";
import { readScript } from "./read-script.ts";
import { replayScript } from "./replay-script.ts";

/** Where a crew's models come from. */
export interface ModelSource {
  /**
   * The names of the script or models that replace the crew's own. They are recorded, so that a resumed or forked run uses them
   * again.
   */
  readonly named?: ModelOptions;
  /** Replies for every model of the crew. No model is called. */
  readonly script?: Script;
  /** Models that replace all models of the crew. */
  readonly instead?: readonly ModelName[];
  /** Models for agents of crews that name none. Default: those in the variable BATON_MODEL. */
  readonly defaults?: readonly ModelName[];
  /** Models made in code, by `provider/model`. */
  readonly custom?: Readonly<Record<string, ModelObject>>;
  /** Models that agents list as objects, by `<crew>/<agent>`: at the place of each name the object that it stands for. */
  readonly inPlace?: ModelsInPlace;
  /** The folder that `script/<file>` is relative to, if the name does not come from a crew's file. */
  readonly workingDirectory?: string;
  /** Reads the events of a stored run, for `replay/<run>`. */
  readonly readRun?: (runId: string) => Promise<readonly BatonEvent[]> | readonly BatonEvent[];
  /** Environment variables, for keys and addresses. Default: those of the process. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

export type ModelsInPlace = Readonly<Record<string, readonly (ModelObject | undefined)[]>>;

export function formatModelName({ provider, model }: ModelName): string {
  return `${provider}/${model}`;
}

/** Parses names such as `provider/model`, separated by commas. */
export function parseModels(names: string, from = "--model"): ModelName[] {
  const each = names.split(",").map((name) => name.trim());
  return each.filter(Boolean).map((name) => {
    const model = parseModel(name);
    if (model === undefined)
      throw new BatonError(
        "bad-model",
        `'${name}' in ${from} is not a model's name: write provider/model, such as openai/gpt-5`,
      );
    return model;
  });
}

/** Prepares the models of every agent before the run begins. A provider's package is imported when it is first needed. */
export async function prepareModels(crew: Crew, source: ModelSource, clock: Clock): Promise<World["models"]> {
  const { script } = source;
  if (script !== undefined) return prepareScript(crew, script, clock);
  const defaults = source.defaults ?? parseModels(source.variables?.["BATON_MODEL"] ?? "", "BATON_MODEL");
  const made = new Map<ModelObject | string, Model>();
  const chains = new Map<Agent, readonly Model[]>();
  const missing = new Set<string>();
  for (const [id, agent] of listModelAgents(crew)) {
    const names = source.instead ?? (agent.models.length > 0 ? agent.models : defaults);
    if (names.length === 0) missing.add(`agent '${id}' has no model`);
    const chain: Model[] = [];
    for (const [index, name] of names.entries()) {
      const object = findObject(name, source, source.inPlace?.[id]?.[index]);
      const key = object ?? `${formatModelName(name)} ${name.url ?? ""} ${name.file ?? ""}`;
      const model = made.get(key) ?? (await openOrExplain(name, object, source, clock));
      made.set(key, model);
      chain.push(model);
    }
    for (const key of listMissingKeys(chain)) missing.add(key);
    chains.set(agent, chain);
  }
  if (missing.size > 0) {
    const { explainNoModel } = await import("./explain-no-model.ts");
    throw new BatonError("no-model", explainNoModel([...missing], source.variables ?? {}));
  }
  return (agent) => chains.get(agent) ?? [];
}

/** The object that an agent lists under this name, or one that is registered by it. */
function findObject(name: ModelName, { custom }: ModelSource, own: ModelObject | undefined): ModelObject | undefined {
  const plain = formatModelName(name);
  // A fork or a stored copy may have other models at the same place.
  if (own !== undefined && nameModelObject(own) === plain) return own;
  return custom !== undefined && Object.hasOwn(custom, plain) ? custom[plain] : undefined;
}

async function openOrExplain(
  name: ModelName,
  object: ModelObject | undefined,
  source: ModelSource,
  clock: Clock,
): Promise<Model> {
  if (object === undefined) return createModel(name, source, clock).catch((error) => createKeylessModel(name, error));
  if (!isAiSdkModel(object)) return object;
  const [{ adaptAiSdkModel }, { findListedModel }] = await Promise.all([
    import("../models/adapt-ai-sdk-model.ts"),
    import("../models/price-table.ts"),
  ]);
  const model = adaptAiSdkModel(formatModelName(name), object, source.variables?.["BATON_STREAM"] !== "off");
  return { ...model, listed: findListedModel(findBaseProvider(object), object.modelId) };
}

/** All agents but those whose function answers in place of a model. */
function listModelAgents(crew: Crew): [name: string, agent: Agent][] {
  return listAgents(crew).filter(([, agent]) => agent.function === undefined);
}

/** Replaces every model with the replies of a script. Names and prices stay those of the model. */
export async function prepareScript(crew: Crew, script: Script, clock: Clock): Promise<World["models"]> {
  const model = prepareScriptModel("script", script, clock);
  const chains = new Map<Agent, readonly Model[]>();
  for (const [, agent] of listModelAgents(crew)) {
    const chain: Model[] = [];
    for (const name of agent.models) chain.push({ ...model, ...(await describeModel(name)) });
    chains.set(agent, chain.length === 0 ? [model] : chain);
  }
  return (agent) => chains.get(agent) ?? (agent.function === undefined ? [model] : []);
}

/** A model's name and what is known about it. The price table is large, so it is imported only when a model needs it. */
export async function describeModel(of: ModelName): Promise<Pick<Model, "name" | "listed">> {
  const { provider, model } = of;
  const name = formatModelName(of);
  if (provider === "script" || provider === "replay") return { name };
  const { findListedModel } = await import("../models/price-table.ts");
  return { name, listed: findListedModel(provider.replace(/\..*/, ""), model) };
}

function prepareScriptModel(name: string, script: Script, clock: Clock, source?: string): Model {
  return createScriptModel(name, script, (ms, signal) => sleep(clock, ms, signal), source);
}

/** One model with a key is enough. Calls of the others fail as if the key were refused. */
function listMissingKeys(chain: readonly Model[]): string[] {
  const without = chain.filter((model) => model instanceof KeylessModel);
  return without.length === chain.length ? without.map(({ message }) => message) : [];
}

/** A model in a chain whose key is missing. */
class KeylessModel implements Model {
  readonly name: string;
  readonly listed: Model["listed"];
  readonly message: string;

  constructor({ name, listed }: Pick<Model, "name" | "listed">, message: string) {
    this.name = name;
    this.listed = listed;
    this.message = message;
  }

  call(): never {
    throw new ModelError(this.message, { code: "no_key", isRetryable: false });
  }
}

async function createKeylessModel(name: ModelName, error: unknown): Promise<KeylessModel> {
  if (!(error instanceof BatonError) || error.code !== "no-key") throw error;
  return new KeylessModel(await describeModel(name), error.message);
}

/** A model that gives the replies of a stored run. */
async function createReplayModel(runId: string, { readRun }: ModelSource, clock: Clock): Promise<Model> {
  const events = (await readRun?.(runId)) ?? [];
  if (events.length === 0) throw new BatonError("unknown-run", `there is no run '${runId}' to take replies from`);
  return prepareScriptModel(`replay/${runId}`, replayScript(events), clock);
}

async function createModel(name: ModelName, source: ModelSource, clock: Clock): Promise<Model> {
  if (name.provider === "script") {
    const file = name.file ?? resolve(source.workingDirectory ?? process.cwd(), name.model);
    // Agents of different crews may name different files in the same way.
    return prepareScriptModel(formatModelName(name), readScript(file), clock, file);
  }
  if (name.provider === "replay") return createReplayModel(name.model, source, clock);
  const { openModel } = await import("../models/open-model.ts");
  return { ...(await openModel(name, source.variables ?? {})), ...(await describeModel(name)) };
}
