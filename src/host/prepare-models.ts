import { resolve } from "node:path";
import type { Agent, Crew, Model as ModelName } from "../crew.ts";
import { BatonError } from "../errors.ts";
import type { Model } from "../models/model.ts";
import { createScriptModel, type Script } from "../models/script-model.ts";
import type { World } from "../orchestration/crew-run.ts";
import { type Clock, sleep } from "../run/clock.ts";
import { readScript } from "./read-script.ts";

/** Where a crew's models come from. */
export interface ModelSource {
  /** Replies for every model of the crew, in the place of calling any. */
  readonly script?: Script;
  /** Models in the place of all that the crew names. */
  readonly instead?: readonly ModelName[];
  /** Models for agents whose crew names none. */
  readonly defaults?: readonly ModelName[];
  /** Models made in code, by `provider/model`. */
  readonly custom?: ReadonlyMap<string, Model>;
  /** What the files of `script/<file>` are relative to. */
  readonly workingDirectory?: string;
  /** Environment variables, for keys and addresses. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

/** Makes the models of every agent, before the run begins. Providers are imported when one is first needed. */
export async function prepareModels(crew: Crew, source: ModelSource, clock: Clock): Promise<World["models"]> {
  const { script } = source;
  if (script !== undefined) {
    const model = createScriptModel("script", script, (ms, signal) => sleep(clock, ms, signal));
    return (agent) => (agent.models.length === 0 ? [model] : agent.models.map(() => model));
  }
  const made = new Map<string, Model>();
  const chains = new Map<string, readonly Model[]>();
  for (const agent of crew.agents.values()) {
    const names = source.instead ?? (agent.models.length > 0 ? agent.models : (source.defaults ?? []));
    if (names.length === 0) throw noModel(agent);
    const chain: Model[] = [];
    for (const name of names) {
      const plain = `${name.provider}/${name.model}`;
      const key = `${plain} ${name.url ?? ""}`;
      const model = made.get(key) ?? source.custom?.get(plain) ?? (await createModel(name, source, clock));
      made.set(key, model);
      chain.push(model);
    }
    chains.set(agent.id, chain);
  }
  return (agent) => chains.get(agent.id) ?? [];
}

function noModel({ id }: Agent): BatonError {
  const ways =
    "give the crew 'models: [provider/model]', set BATON_MODEL, or use --model; the examples run offline with --script";
  return new BatonError("no-model", `agent '${id}' has no model: ${ways}`);
}

async function createModel(name: ModelName, source: ModelSource, clock: Clock): Promise<Model> {
  if (name.provider === "script") {
    const script = readScript(resolve(source.workingDirectory ?? process.cwd(), name.model));
    return createScriptModel(`script/${name.model}`, script, (ms, signal) => sleep(clock, ms, signal));
  }
  const { createCompatibleModel } = await import("../models/compatible-model.ts");
  return createCompatibleModel(name, source.variables ?? {});
}
