import { builtInSignals } from "../../signals/default-signals.ts";
import { findEntry } from "../fields.ts";
import { idleSettings } from "../settings-shape.ts";
import { type Reading, reportAt, reportIdle } from "../shape.ts";
import type { MapEntry, MapNode, YamlNode } from "../yaml-node.ts";
import { changeEntries, changeMap, changeValues, createEntry, isEmpty, isNothing } from "./edit-map.ts";
import type { Origin } from "./origin.ts";

const neverRead: ReadonlySet<string> = new Set([
  "tasks",
  "parallel_targets",
  "parallel_execution",
  "max_iterations",
  "expected_output",
]);

export const goAgentic: Origin = {
  name: "go-agentic",
  isIdle: (key) => neverRead.has(key) || key.endsWith("_ms"),
  whyIdle: "not in go-agentic either",
  absentTools: {
    code: "unknown-tool",
    explain: (names) =>
      `these tools are declared nowhere: ${names}; tools that are written in Go do not come along: declare each under 'tools' in crew.yaml, or try the crew without them by --stub-tools`,
  },
};

/** Older names of keys, by today's. */
const settingNames = new Map([["enforce_quotas", "block_on_quota_exceed"]]);
const costNames = new Map([["enforce", "block_on_cost_exceed"]]);
/** What an agent said of its costs before there was `cost_limits`. */
const flatCosts = new Map([
  ["max_tokens_per_call", "max_tokens_per_call"],
  ["max_tokens_per_day", "max_tokens_per_day"],
  ["max_cost_per_day", "max_cost_per_day_usd"],
  ["cost_alert_threshold", "alert_threshold"],
  ["enforce_cost_limits", "block_on_cost_exceed"],
]);

/** Whether a crew's file has a key that only go-agentic's files have. */
export function isGoCrew(tree: MapNode): boolean {
  const version = findEntry(tree, "version")?.value;
  if (version?.kind === "scalar" && String(version.value).startsWith("2")) return false;
  const settings = findEntry(tree, "settings")?.value;
  const isMark = ({ key }: MapEntry) => idleSettings.has(key) || settingNames.has(key) || key.endsWith("_ms");
  return findEntry(tree, "tasks") !== undefined || (settings?.kind === "map" && settings.entries.some(isMark));
}

/** Whether an agent's file has a key that only go-agentic's files have. */
export function isGoAgent(tree: MapNode): boolean {
  const marks = ["memory_limits", "error_limits", "logging", "enforce_cost_limits"];
  const costs = findEntry(tree, "cost_limits")?.value;
  return marks.some((key) => findEntry(tree, key) !== undefined) || findEntry(costs, "enforce") !== undefined;
}

/** A crew's file as go-agentic reads it, in our keys. */
export function readGoCrew(tree: MapNode, reading: Reading): MapNode {
  const whole = withoutNulls(tree);
  const versioned = readVersion(whole, reading);
  const set = changeMap(versioned, "settings", (settings) => readSettings(settings, reading));
  return changeMap(set, "routing", (routing) => readRouting(routing, reading));
}

/** An agent's file as go-agentic reads it, in our keys. */
export function readGoAgent(tree: MapNode, reading: Reading): MapNode {
  const whole = changeEntries(tree, (entry) => (isEmpty(entry.value) ? [] : entry));
  const priced = changeMap(nestCosts(whole, reading), "cost_limits", (costs) =>
    withoutZeros(renameKeys(costs, costNames), reading),
  );
  return readModel(priced, reading);
}

/** What is `null` there is not given, at every depth. */
function withoutNulls(map: MapNode): MapNode {
  const inside = (node: YamlNode): YamlNode => {
    if (node.kind === "map") return withoutNulls(node);
    return node.kind === "list" ? { ...node, items: node.items.map(inside) } : node;
  };
  return changeEntries(map, (entry) => (isNothing(entry.value) ? [] : { ...entry, value: inside(entry.value) }));
}

function readVersion(tree: MapNode, reading: Reading): MapNode {
  const [first] = tree.entries;
  const version = findEntry(tree, "version");
  const written = version?.value.kind === "scalar" ? version.value.written.replace(/^["']|["']$/g, "") : undefined;
  if (first === undefined || /^1(?:\.0)?$/.test(written ?? "")) return tree;
  const what = version === undefined ? "'version' is missing" : `'version' is ${written}`;
  reportAt(reading, "read-as", (version ?? first).keySpan, `${what}: the file is read as version "1.0"`);
  const others = tree.entries.filter((entry) => entry !== version);
  return { ...tree, entries: [createEntry("version", "1.0", version ?? first), ...others] };
}

function readSettings(settings: MapNode, reading: Reading): MapNode {
  const renamed = withoutZeros(renameKeys(settings, settingNames), reading);
  return changeEntries(renamed, (entry) => {
    const isStrict = entry.key === "config_mode" && entry.value.kind === "scalar" && entry.value.value === "strict";
    if (!isStrict) return entry;
    const message =
      "'config_mode: strict' is read as go-agentic reads it: it asks for limits to be written out, and leaves keys and signals alone";
    reportAt(reading, "read-as", entry.keySpan, message);
    return [];
  });
}

/** A limit of 0 is one that is not given. */
function withoutZeros(map: MapNode, reading: Reading): MapNode {
  return changeEntries(map, (entry) => {
    const isPrice = entry.key.endsWith("_price_per_million");
    if (entry.value.kind !== "scalar" || entry.value.value !== 0 || isPrice) return entry;
    reportIdle(reading, entry, "0 stands for the default in go-agentic");
    return [];
  });
}

function readRouting(routing: MapNode, reading: Reading): MapNode {
  const ending: { readonly entry: MapEntry; readonly signal: string }[] = [];
  const bound = changeMap(routing, "signals", (signals) =>
    changeValues(signals, (bindings) => {
      if (bindings.kind !== "list") return bindings;
      return { ...bindings, items: bindings.items.map((each) => readBinding(each, ending)) };
    }),
  );
  const [first] = ending;
  if (first !== undefined) {
    const names = [...new Set(ending.map(({ signal }) => `'${signal}'`))];
    const what =
      names.length === 1
        ? `signal ${names[0]} has no target: it ends`
        : `signals ${names.join(", ")} have no target: they end`;
    reportAt(reading, "read-as", first.entry.value.span, `${what} the run, as in go-agentic`);
  }
  return changeMap(bound, "parallel_groups", (groups) =>
    changeValues(groups, (group) => (group.kind === "map" ? withoutZeros(group, reading) : group)),
  );
}

const routes: ReadonlySet<string> = new Set(
  builtInSignals.flatMap(({ name, behavior }) => (behavior === "route" && name !== "[NEXT]" ? name : [])),
);

/** Whatever a signal is called, without a target it ends the run. */
function readBinding(binding: YamlNode, ending: { entry: MapEntry; signal: string }[]): YamlNode {
  const signal = findEntry(binding, "signal");
  if (binding.kind !== "map" || signal?.value.kind !== "scalar") return binding;
  const name = String(signal.value.value);
  const isTyped = ["type", "target_crew", "target_crews"].some((key) => findEntry(binding, key) !== undefined);
  if (isTyped || !routes.has(name) || !isEmpty(findEntry(binding, "target")?.value)) return binding;
  ending.push({ entry: signal, signal: name });
  return { ...binding, entries: [...binding.entries, createEntry("type", "terminate", signal)] };
}

/** Costs that stand beside the agent's other keys count where there is no `cost_limits`. */
function nestCosts(agent: MapNode, reading: Reading): MapNode {
  const flat = agent.entries.filter(({ key }) => flatCosts.has(key));
  const [first] = flat;
  if (first === undefined) return agent;
  const others = { ...agent, entries: agent.entries.filter((entry) => !flat.includes(entry)) };
  if (findEntry(agent, "cost_limits") !== undefined) {
    for (const entry of flat) reportIdle(reading, entry, "'cost_limits' is given");
    return others;
  }
  const limits = renameKeys({ kind: "map", entries: flat, span: first.value.span }, flatCosts);
  return { ...others, entries: [...others.entries, { ...createEntry("cost_limits", "", first), value: limits }] };
}

/** A model without a provider is one of OpenAI's; where there is a `primary`, the older form is not read. */
function readModel(agent: MapNode, reading: Reading): MapNode {
  const older = ["model", "provider", "provider_url"];
  const hasPrimary = findEntry(agent, "primary") !== undefined;
  const kept = changeEntries(agent, (entry) => {
    if (!hasPrimary || !older.includes(entry.key)) return entry;
    reportIdle(reading, entry, "'primary' is given");
    return [];
  });
  const model = findEntry(kept, "model");
  if (model === undefined || findEntry(kept, "provider") !== undefined || namesProvider(model.value)) return kept;
  return { ...kept, entries: [...kept.entries, createEntry("provider", "openai", model)] };
}

function namesProvider(model: YamlNode): boolean {
  return model.kind === "scalar" && String(model.value).includes("/");
}

function renameKeys(map: MapNode, names: ReadonlyMap<string, string>): MapNode {
  const isFree = (key: string) => findEntry(map, key) === undefined;
  return changeEntries(map, (entry) => {
    const name = names.get(entry.key);
    return name === undefined || (name !== entry.key && !isFree(name)) ? entry : { ...entry, key: name };
  });
}
