import type { MapEntry } from "../definition/yaml-node.ts";
import { compact } from "./clean-keys.ts";
import type { Notes, OriginalPlace, Plain, PlainMap } from "./crew-plan.ts";
import {
  createNoter,
  type ForeignSource,
  isTrue,
  listEntries,
  listNames,
  type Noter,
  oneLine,
  scalarNumber,
  scalarText,
  textAt,
} from "./foreign-source.ts";
import { nameFile } from "./name-files.ts";
import { locateSpan } from "./original-text.ts";
import { joinModel, readModel } from "./read-model.ts";

/** An agent of CrewAI in our words. */
export interface CrewAgent {
  readonly id: string;
  /** What the file calls it. */
  readonly name: string;
  readonly role: string | undefined;
  readonly goal: string | undefined;
  readonly backstory: string | undefined;
  readonly tools: readonly string[];
  /** Keys of ours besides. */
  readonly keys: PlainMap;
  /** What its prompt ends with. */
  readonly closing: readonly string[];
  readonly entry: MapEntry;
  readonly from: OriginalPlace;
}

/** `{topic}` is `{{topic}}` here. */
export function fillBraces(text: string): string {
  return text.replace(/(?<!\{)\{([A-Za-z_][\w-]*)\}(?!\})/g, "{{$1}}");
}

/** The agents of an `agents.yaml`. */
export function readCrewAgents(file: ForeignSource, notes: Notes): CrewAgent[] {
  const noter = createNoter(file, notes);
  const taken = new Set<string>();
  return file.tree.entries.flatMap((entry): CrewAgent[] => {
    if (entry.value.kind === "map") return [readAgent(entry, nameFile(entry.key, taken), file, noter)];
    noter.idle(entry, "it is not an agent");
    return [];
  });
}

function readAgent(entry: MapEntry, id: string, { source }: ForeignSource, noter: Noter): CrewAgent {
  const filled = (key: string) => {
    const text = textAt(entry.value, key);
    return text === undefined ? undefined : fillBraces(unquote(text));
  };
  const keys: Record<string, Plain> = {};
  const closing: string[] = [];
  for (const each of listEntries(entry.value)) readKey(each, keys, closing, entry, noter);
  const role = oneLine(filled("role"));
  const goal = filled("goal");
  const backstory = filled("backstory");
  if (role === undefined && goal === undefined && backstory === undefined)
    noter.decide(entry, `'${entry.key}' has no role, goal or backstory`, "write its prompt");
  return {
    ...{ id, name: entry.key, role, goal, backstory, closing, entry },
    tools: listNames(listEntries(entry.value).find(({ key }) => key === "tools")?.value),
    keys: compact({ role, backstory, ...keys }),
    from: locateSpan(source, entry.keySpan),
  };
}

/** Texts in CrewAI's files often stand in quotes within a block. */
function unquote(text: string): string {
  const bare = /^("""|'''|")([\s\S]*)\1$/.exec(text)?.[2];
  return bare === undefined || (bare.includes('"') && !text.startsWith('"""')) ? text : bare.trim();
}

const texts: ReadonlyMap<string, string> = new Map([
  ["role", "`role`, and the prompt of each of its tasks"],
  ["goal", "`description`, and the prompt of each of its tasks"],
  ["backstory", "`backstory`, and the prompt of each of its tasks"],
]);

const RATE = "quotas.max_calls_per_minute";

/** Numbers that mean the same under another name. */
const counts: ReadonlyMap<string, string> = new Map([
  ["max_iter", "max_turns"],
  ["max_retry_limit", "max_retries"],
  ["max_rpm", RATE],
]);

function readKey(
  each: MapEntry,
  keys: Record<string, Plain>,
  closing: string[],
  agent: MapEntry,
  noter: Noter,
): undefined {
  const { key, value } = each;
  const said = texts.get(key);
  if (said !== undefined) {
    const isEmpty = scalarText(value) === undefined;
    const what = `'${key}' of '${agent.key}' says nothing`;
    return isEmpty ? noter.decide(each, what, "write it into the prompt") : noter.map(each, said);
  }
  const count = counts.get(key);
  if (count !== undefined) return readCount(each, count, keys, noter);
  switch (key) {
    case "llm":
      return readLlm(each, keys, noter);
    case "tools": {
      const what = `the tools of '${agent.key}' live in Python: stubs in tools.ts stand in for them`;
      return listNames(value).length === 0 ? undefined : noter.decide(each, what, "write what each does in tools.ts");
    }
    case "inject_date":
      if (!isTrue(value)) return noter.idle(each, "it is what holds without it");
      closing.push("Today is {{DATE}}.");
      return noter.map(each, "a line of the prompt with {{DATE}}");
    case "allow_delegation": {
      const proposal = "name those that it may call under `agents`, each with a `description`";
      if (!isTrue(value)) return noter.idle(each, "it is what holds without it");
      return noter.decide(each, `'${agent.key}' may delegate to every other agent`, proposal);
    }
    default: {
      const proposal = needsCode.get(key);
      if (proposal === undefined) return noter.idle(each, "CrewAI's, without a counterpart here");
      return noter.decide(each, `\`${key}\` of '${agent.key}' lives in Python`, proposal);
    }
  }
}

/** Numbers of which each has a least value. */
function readCount(each: MapEntry, count: string, keys: Record<string, Plain>, noter: Noter): undefined {
  const number = scalarNumber(each.value);
  const isCount = number !== undefined && Number.isInteger(number) && number >= (count === "max_retries" ? 0 : 1);
  if (!isCount) return noter.idle(each, "it is not a whole number that this key takes");
  if (count === RATE) keys["quotas"] = { max_calls_per_minute: number };
  else keys[count] = number;
  return noter.map(each, `\`${count}\``);
}

const needsCode: ReadonlyMap<string, string> = new Map([
  ["knowledge_sources", "give the agent a tool or an MCP server that looks things up"],
  ["max_execution_time", "`settings.timeout_seconds` in crew.yaml limits the whole run"],
  ["system_template", "write its text into the prompt"],
  ["prompt_template", "write its text into the prompt"],
  ["response_template", "write its text into the prompt, or give `output` a schema"],
  ["allow_code_execution", "give the agent a tool that runs code"],
  ["guardrail", "give `output` a schema, or let an agent that follows check the answer"],
]);

function readLlm(each: MapEntry, keys: Record<string, Plain>, noter: Noter): undefined {
  const { value } = each;
  const name = scalarText(value) ?? textAt(value, "model");
  const read = name === undefined ? undefined : readModel(name);
  const model = typeof read === "object" ? read.name : joinModel(textAt(value, "provider"), name);
  if (model !== undefined) {
    keys["models"] = [model];
    const temperature = scalarNumber(listEntries(value).find(({ key }) => key === "temperature")?.value);
    if (temperature !== undefined && temperature >= 0) keys["temperature"] = temperature;
    noter.map(each, "`models`");
  } else if (read === "open") noter.idle(each, "it leaves the model to the crew");
  else
    noter.decide(
      each,
      `the model '${name ?? ""}' is not known by that name`,
      "write provider/model under `models`, such as openai/gpt-5",
    );
}

/** How an agent's prompt begins. */
export function describeBackground({ role, goal, backstory, name }: CrewAgent): string {
  const who = role ?? name.replace(/[-_]+/g, " ");
  const first = [`You are ${who}.`, backstory].filter((part) => part !== undefined).join("\n\n");
  return goal === undefined ? first : `${first}\n\nYour goal: ${goal}`;
}
