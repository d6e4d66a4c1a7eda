import type { MapEntry, YamlNode } from "../definition/yaml-node.ts";
import { compact } from "./clean-keys.ts";
import type { Plain, PlainMap } from "./crew-plan.ts";
import {
  type ForeignSource,
  findChild,
  isTrue,
  listEntries,
  listNames,
  type Noter,
  scalarNumber,
  scalarText,
  textAt,
} from "./foreign-source.ts";
import { joinModel, readModel } from "./read-model.ts";

/** A model of a Docker Agent file in our keys. */
interface ReadModel {
  readonly name: string;
  /** Where it is, if not at the provider's own address. */
  readonly url: string | undefined;
  /** The keys of an agent that has it. */
  readonly keys: PlainMap;
}

/** The models of a file, by what agents call them. */
export interface DockerModels {
  /** The keys that say which models an agent has: first its own, then those to fall back to. */
  keysOf(agent: MapEntry, noter: Noter): PlainMap;
}

/** Where Docker's own models are served. */
const MODEL_RUNNER = "http://localhost:12434/engines/v1";

export function readDockerModels({ tree }: ForeignSource, noter: Noter): DockerModels {
  const defined = new Map<string, ReadModel>();
  const providers = findChild(tree, "providers");
  for (const entry of listEntries(findChild(tree, "models"))) {
    const model = readModelEntry(entry, providers, noter);
    if (model !== undefined) defined.set(entry.key, model);
  }
  const find = (name: string): ReadModel | "open" | undefined => {
    const found = defined.get(name);
    if (found !== undefined) return found;
    const read = readModel(name);
    if (typeof read !== "object") return read;
    const url = name.startsWith("dmr/") ? MODEL_RUNNER : undefined;
    return { name: read.name, url, keys: {} };
  };
  return { keysOf: (agent, noter) => chooseModels(agent, find, noter) };
}

function chooseModels(agent: MapEntry, find: (name: string) => ReadModel | "open" | undefined, noter: Noter): PlainMap {
  const own = agent.value.kind === "map" ? agent.value.entries.find(({ key }) => key === "model") : undefined;
  const fallback = agent.value.kind === "map" ? agent.value.entries.find(({ key }) => key === "fallback") : undefined;
  const inline = own?.value.kind === "map" ? readModelEntry(own, undefined, noter) : undefined;
  const read = (entry: MapEntry | undefined, names: readonly string[]) =>
    names.flatMap((name) => {
      const model = find(name);
      if (model === undefined && entry !== undefined)
        noter.decide(
          entry,
          `the model '${name}' of '${agent.key}' is not known by that name`,
          "write provider/model under `models`, such as openai/gpt-5",
        );
      return model === undefined || model === "open" ? [] : [model];
    });
  const names = own === undefined || inline !== undefined ? [] : listNames(own.value);
  const first = inline === undefined ? read(own, names) : [inline];
  if (names.length > 1 && own !== undefined)
    noter.decide(
      own,
      `'${agent.key}' takes its models by turns there; here the first is used, and the others where it fails`,
      "keep it, or leave one model in `models`",
    );
  const others = read(fallback, listNames(findChild(fallback?.value, "models")));
  const retries = scalarNumber(findChild(fallback?.value, "retries"));
  const all = [...first, ...others];
  const [chosen] = all;
  if (own !== undefined) noter.map(own, chosen === undefined ? "the crew's model" : "`models`");
  if (fallback !== undefined) noter.map(fallback, "more of `models`, which are tried in order");
  const max_retries = retries !== undefined && Number.isInteger(retries) && retries >= 0 ? retries : undefined;
  return compact({ ...writeModels(all), ...chosen?.keys, max_retries });
}

/** A chain of names; a model with an address of its own needs the longer form, which has room for two. */
function writeModels(models: readonly ReadModel[]): PlainMap {
  if (models.every(({ url }) => url === undefined)) return { models: [...new Set(models.map(({ name }) => name))] };
  const [primary, backup] = models.map(({ name, url }) => {
    const slash = name.indexOf("/");
    return compact({ model: name.slice(slash + 1), provider: name.slice(0, slash), provider_url: url });
  });
  return compact({ primary, backup });
}

function readModelEntry(entry: MapEntry, providers: YamlNode | undefined, noter: Noter): ReadModel | undefined {
  const { value } = entry;
  const provider = textAt(value, "provider");
  const custom = provider === undefined ? undefined : findChild(providers, provider);
  const name = joinModel(provider, textAt(value, "model"));
  if (name === undefined) {
    if (findChild(value, "first_available") !== undefined || findChild(value, "routing") !== undefined)
      noter.decide(
        entry,
        `the model '${entry.key}' is chosen by a rule there`,
        "name models under `models` of its agents: they are tried in order",
      );
    else
      noter.decide(
        entry,
        `the model '${entry.key}' has no provider and model`,
        "write provider/model under `models` of its agents",
      );
    return undefined;
  }
  const isLocal = provider === "dmr";
  const url = textAt(value, "base_url") ?? textAt(custom, "base_url") ?? (isLocal ? MODEL_RUNNER : undefined);
  const keys: Record<string, Plain> = {};
  for (const each of listEntries(value)) readModelKey(each, keys, noter);
  const token = findChild(value, "token_key") ?? findChild(custom, "token_key");
  if (token !== undefined)
    noter.decide(
      entry,
      `the key of '${entry.key}' is in ${scalarText(token) ?? "a variable"}`,
      "docs/models.md says which variable the provider's key is read from here",
    );
  return { name, url: url === undefined || /^https?:\/\//.test(url) ? url : undefined, keys };
}

function readModelKey(each: MapEntry, keys: Record<string, Plain>, noter: Noter): undefined {
  const { key, value } = each;
  const number = scalarNumber(value);
  switch (key) {
    case "provider":
    case "model":
      return noter.map(each, "`models` of the agents that name it");
    case "base_url":
      return noter.map(each, "`provider_url` of the agents that name it");
    case "max_tokens":
      if (number === undefined || number < 1) return noter.idle(each, "it sets no limit");
      keys["max_output_tokens"] = Math.floor(number);
      return noter.map(each, "`max_output_tokens`");
    case "temperature":
    case "top_p":
      if (number === undefined || number < 0 || (key === "top_p" && number > 1))
        return noter.idle(each, "models do not take this number");
      keys[key] = number;
      return noter.map(each, `\`${key}\``);
    case "thinking_budget": {
      const word = scalarText(value);
      const isOff = word === undefined || ["0", "-1", "none", "adaptive"].includes(word);
      if (isOff) return noter.idle(each, "the provider decides");
      keys["reasoning"] = number ?? word;
      return noter.map(each, "`reasoning`");
    }
    case "routing":
      return noter.decide(
        each,
        "rules choose a model by the request there",
        "let a router choose between agents with different models",
      );
    case "parallel_tool_calls":
      return isTrue(value)
        ? noter.idle(each, "tools of one turn run in parallel here")
        : noter.decide(
            each,
            "tools run one after another there",
            "`max_tool_calls_per_turn: 1`, or `sequential: true` of a tool",
          );
    default:
      return noter.idle(each, "Docker Agent's, without a counterpart here");
  }
}
