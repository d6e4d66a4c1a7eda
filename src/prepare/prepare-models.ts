import { resolve } from "node:path";
import { parseModel } from "../definition/parse-model.ts";
import { listAgents } from "../flow/list-crews.ts";
import { type Model, ModelError } from "../models/model.ts";
import { createScriptModel, type Script } from "../models/script-model.ts";
import type { World } from "../orchestration/crew-run.ts";
import { type Clock, sleep } from "../run/clock.ts";
import type { Agent, Crew, Model as ModelName } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { ModelOptions } from "../vocabulary/run-start.ts";
import { readScript } from "./read-script.ts";
import { replayScript } from "./replay-script.ts";

/** Where a crew's models come from. */
export interface ModelSource {
  /** How the script or the models in the place of the crew's own were named: recorded, so that a run that is resumed or forked has them again. */
  readonly named?: ModelOptions;
  /** Replies for every model of the crew, in the place of calling any. */
  readonly script?: Script;
  /** Models in the place of all that the crew names. */
  readonly instead?: readonly ModelName[];
  /** Models for agents whose crew names none; when absent, those that the variable BATON_MODEL names. */
  readonly defaults?: readonly ModelName[];
  /** Models made in code, by `provider/model`. */
  readonly custom?: ReadonlyMap<string, Model>;
  /** What the files of `script/<file>` are relative to, where it is not a crew's file that names them. */
  readonly workingDirectory?: string;
  /** Reads the events of a run that is kept, for `replay/<run>`. */
  readonly readRun?: (runId: string) => Promise<readonly BatonEvent[]> | readonly BatonEvent[];
  /** Environment variables, for keys and addresses; the process's own when absent. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

export function formatModelName({ provider, model }: ModelName): string {
  return `${provider}/${model}`;
}

/** Names as `provider/model`, separated by commas. */
export function parseModels(names: string): ModelName[] {
  const each = names.split(",").map((name) => name.trim());
  return each.filter(Boolean).map((name) => {
    const model = parseModel(name);
    if (model === undefined) throw new BatonError("bad-model", `'${name}' is not a model's name: write provider/model`);
    return model;
  });
}

/** Makes the models of every agent, before the run begins. Providers are imported when one is first needed. */
export async function prepareModels(crew: Crew, source: ModelSource, clock: Clock): Promise<World["models"]> {
  const { script } = source;
  if (script !== undefined) return prepareScript(crew, script, clock);
  const defaults = source.defaults ?? parseModels(source.variables?.["BATON_MODEL"] ?? "");
  const made = new Map<string, Model>();
  const chains = new Map<Agent, readonly Model[]>();
  const missing = new Set<string>();
  for (const [id, agent] of listAgents(crew)) {
    const names = source.instead ?? (agent.models.length > 0 ? agent.models : defaults);
    if (names.length === 0) missing.add(`agent '${id}' has no model`);
    const chain: Model[] = [];
    for (const name of names) {
      const plain = formatModelName(name);
      const key = `${plain} ${name.url ?? ""} ${name.file ?? ""}`;
      const found = made.get(key) ?? source.custom?.get(plain);
      const model = found ?? (await createModel(name, source, clock).catch((error) => createKeylessModel(name, error)));
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

/** Replies of a script in the place of every model: under its name, and at its price. */
export async function prepareScript(crew: Crew, script: Script, clock: Clock): Promise<World["models"]> {
  const model = prepareScriptModel("script", script, clock);
  const chains = new Map<Agent, readonly Model[]>();
  for (const [, agent] of listAgents(crew)) {
    const chain: Model[] = [];
    for (const name of agent.models) chain.push({ ...model, ...(await describeModel(name)) });
    chains.set(agent, chain.length === 0 ? [model] : chain);
  }
  return (agent) => chains.get(agent) ?? [model];
}

/** A model's name, and what is known of it; the table is large, and imported when a model needs it. */
export async function describeModel(of: ModelName): Promise<Pick<Model, "name" | "listed">> {
  const { provider, model } = of;
  const name = formatModelName(of);
  if (provider === "script" || provider === "replay") return { name };
  const { findListedModel } = await import("../models/price-table.ts");
  return { name, listed: findListedModel(provider.replace(/\..*/, ""), model) };
}

function prepareScriptModel(name: string, script: Script, clock: Clock): Model {
  return createScriptModel(name, script, (ms, signal) => sleep(clock, ms, signal));
}

/** One model that can be called is enough: the others fail like any whose key is refused. */
function listMissingKeys(chain: readonly Model[]): string[] {
  const without = chain.filter((model) => model instanceof KeylessModel);
  return without.length === chain.length ? without.map(({ message }) => message) : [];
}

/** A model of a chain whose key is not there. */
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

/** Replies as they came in a run that is kept. */
async function createReplayModel(runId: string, { readRun }: ModelSource, clock: Clock): Promise<Model> {
  const events = (await readRun?.(runId)) ?? [];
  if (events.length === 0) throw new BatonError("unknown-run", `there is no run '${runId}' to take replies from`);
  return prepareScriptModel(`replay/${runId}`, replayScript(events), clock);
}

async function createModel(name: ModelName, source: ModelSource, clock: Clock): Promise<Model> {
  if (name.provider === "script") {
    const script = readScript(name.file ?? resolve(source.workingDirectory ?? process.cwd(), name.model));
    return prepareScriptModel(formatModelName(name), script, clock);
  }
  if (name.provider === "replay") return createReplayModel(name.model, source, clock);
  const { openModel } = await import("../models/open-model.ts");
  return { ...(await openModel(name, source.variables ?? {})), ...(await describeModel(name)) };
}
