import { bindingTypes } from "../signals/binding-types.ts";
import { signalBehaviors } from "../signals/signal-definition.ts";
import { fields, optional, required, withDefault } from "./fields.ts";
import { guardsShape } from "./guards-shape.ts";
import { memoryShape } from "./memory-shape.ts";
import { pauseTimeoutShape } from "./pause-timeout-shape.ts";
import { quotasShape } from "./quota-shape.ts";
import { agentList } from "./remote-shape.ts";
import {
  asWritten,
  flag,
  integer,
  itemPath,
  label,
  nameOrNothing,
  number,
  seconds,
  text,
  textOrNothing,
  word,
  wordOrNone,
} from "./scalar-shapes.ts";
import { settingsShape } from "./settings-shape.ts";
import { choice, list, mapOf, readAs, type Shape, spelled } from "./shape.ts";
import { toolSetShape } from "./tool-set-shape.ts";

const names = list(word);

const signalFields = {
  description: optional(text, "what the signal means"),
  behavior: optional(
    choice(...signalBehaviors),
    "what it does unless a binding says otherwise; when absent, the binding decides",
  ),
  allowed_agents: optional(spelled(choice("all"), names), "who may emit it; all when absent"),
  default_target: optional(word, "where it leads without a binding"),
  valid_targets: optional(names, "the only targets a binding may give it"),
  priority: optional(number(), "of several signals in one answer the highest decides"),
  example: optional(text, "an answer that emits it"),
  deprecated: optional(text, "says what replaces it"),
};

const listedDefinition = fields({ name: required(text, "the signal, in brackets"), ...signalFields });
const bareName = readAs(text, (name) => ({ ...listedDefinition.absent, name }));
const listed = spelled(bareName, listedDefinition);
/** A definition, or a name alone. */
const listedSignal: typeof listed = {
  ...listed,
  // An unquoted [NAME] is a list to YAML; the message for a text says what to write.
  read: (node, name, reading) => (node.kind === "list" ? bareName : listed).read(node, name, reading),
};

const mappedDefinition = fields(signalFields);
const bareDescription = readAs(textOrNothing, (description) => ({ ...mappedDefinition.absent, description }));

/** Definitions in a list, or in a map by name. */
const signalsShape = spelled(mapOf(spelled(bareDescription, mappedDefinition)), list(listedSignal));

const errorPolicy = choice("propagate", "retry", "fallback", "continue");

export const bindingShape = fields(
  {
    signal: required(text, "the signal, in brackets"),
    target: optional(wordOrNone, "the agent or group it leads to; empty ends the run"),
    targets: optional(names, "who hears a broadcast; everybody when absent"),
    type: optional(choice(...bindingTypes), "what the signal does; when absent, the target decides"),
    description: optional(text, "what it is for"),
    pause: withDefault(flag, false, "an external signal waits for its response"),
    pause_timeout: optional(
      pauseTimeoutShape,
      "how long its pause waits, and what follows: `2h`, or `{ after, then }`",
    ),
    priority: optional(number(), "of several signals in one answer the highest decides"),
    target_crew: optional(word, "the sub-crew it calls"),
    target_crews: optional(names, "sub-crews it calls at once"),
    return_to: optional(word, "who gets the sub-crew's result; the emitter when absent"),
    input_template: optional(text, "the sub-crew's input, such as `Topic: {{.OriginalInput}}`"),
    timeout_seconds: optional(seconds, "the longest the sub-crew may take"),
    history: optional(choice("full", "summary", "none"), "what history the sub-crew sees"),
    on_error: withDefault(
      spelled(errorPolicy, list(errorPolicy)),
      "propagate",
      "what follows the sub-crew's failure; several are tried in order, such as `[retry, fallback, continue]`",
    ),
    max_retries: optional(integer({ min: 0 }), "retries of a failed sub-crew"),
    fallback_crew: optional(word, "the sub-crew to fall back to"),
  },
  { refusesSlips: true },
);

/** More sessions than this need a queue, not a group of a run. */
const MAX_ITEMS = 1000;

const groupShape = fields({
  agents: withDefault(names, [], "agents that run at once"),
  crews: withDefault(names, [], "sub-crews that run at once"),
  for_each: optional(
    word,
    "the agent, or `crew:` and a sub-crew, that works on each item of a list in the emitter's answer",
  ),
  items: optional(itemPath, "where the list is in the JSON of the answer, with `for_each`; `$` when absent"),
  max_items: optional(
    integer({ min: 1, max: MAX_ITEMS }),
    "the most items the list may have, with `for_each`: more fail the run; 50 when absent",
  ),
  concurrency: optional(
    integer({ min: 1, max: MAX_ITEMS }),
    "how many items are worked on at once, with `for_each`; 8 when absent",
  ),
  input_template: optional(
    text,
    "the worker's input, with `for_each`, such as `{{.Index}}: {{.Item}}`; the item when absent",
  ),
  wait_for_all: optional(
    flag,
    "wait for all instead of the first success; true when absent with `for_each`, else false",
  ),
  min_success: optional(integer({ min: 1 }), "how many successes to wait for"),
  timeout_seconds: optional(seconds, "the longest the group may take"),
  next_agent: optional(word, "who gets the results"),
  description: optional(text, "what it is for"),
});

export const behaviorShape = fields({
  wait_for_signal: withDefault(flag, false, "pause when it answers without a signal"),
  auto_route: withDefault(flag, true, "false: hold its moves until a human approves; no effect in 1.0 files"),
  pause_timeout: optional(pauseTimeoutShape, "how long its pauses wait, and what follows: `2h`, or `{ after, then }`"),
  is_terminal: optional(flag, "its answer ends the run unless a signal says otherwise; the agent's own when absent"),
  description: optional(text, "what it is for"),
});

const subCrewShape = fields({
  config_path: required(text, "the crew's folder or file, relative to this one"),
  description: optional(text, "what the crew does"),
  shared_memory: optional(
    fields({ keys: withDefault(mapOf(choice("read", "write")), new Map(), "what it may read, or write and read") }),
    "what it sees of the run's shared memory",
  ),
  quotas: optional(quotasShape, "what the crew may spend, within what its parent has left"),
});

const mcpServerShape = fields({
  type: optional(
    choice("stdio", "http", "streamable-http"),
    "how it is reached; when absent, `command` or `url` decides",
  ),
  command: optional(word, "the program to start"),
  args: withDefault(list(asWritten), [], "its arguments"),
  env: withDefault(mapOf(asWritten), new Map(), "environment variables for it"),
  cwd: optional(text, "the folder it starts in, within the project root"),
  url: optional(text, "its address, for a server over HTTP"),
  headers: withDefault(mapOf(asWritten), new Map(), "headers sent to it"),
});

export const mcpServersShape = mapOf(mcpServerShape);

/** "1.0" or "2.0"; YAML reads an unquoted 2.0 as the number 2. */
const version: Shape<"1.0" | "2.0"> = {
  wanted: "1.0 or 2.0",
  schema: { enum: ["1.0", "2.0", 1, 2] },
  read: (node, name, reading) =>
    choice("1.0", "2.0").read(
      node.kind === "scalar" && typeof node.value === "number" ? { ...node, value: node.value.toFixed(1) } : node,
      name,
      reading,
    ),
};

export const crewShape = fields({
  version: required(version, `"1.0" or "2.0"`),
  name: optional(label, "the crew's name; needed in 2.0"),
  description: optional(text, "what the crew is for"),
  entry_point: optional(word, "the agent that begins, or `auto`; the first of `agents` when absent"),
  agents: required(
    agentList,
    "ids of the agents, in order; a remote agent may stand here whole, as `{id, a2a, description}`",
  ),
  models: withDefault(names, [], "models of agents that name none, each `provider/model`"),
  signals: optional(signalsShape, "signals and what they mean"),
  routing: optional(
    fields({
      signals: withDefault(mapOf(list(bindingShape)), new Map(), "what each agent's signals do"),
      defaults: withDefault(
        mapOf(nameOrNothing),
        new Map(),
        "where an agent's answer without a signal goes; empty ends the run",
      ),
      agent_behaviors: withDefault(mapOf(behaviorShape), new Map(), "how agents behave in routing"),
      parallel_groups: withDefault(mapOf(groupShape), new Map(), "agents that run at once"),
    }),
    "who speaks after whom",
  ),
  sub_crews: withDefault(mapOf(subCrewShape), new Map(), "crews that this one may call"),
  memory: optional(memoryShape, "what its agents remember across runs"),
  guards: optional(guardsShape, "what is checked of the crew's input and its output"),
  settings: optional(settingsShape, "limits and defaults of the crew"),
  tools: withDefault(
    mapOf(spelled(text, toolSetShape)),
    new Map(),
    "tools by name: `./module.ts#export`, or a set of tools, `{ builtin: files }` or `{ openapi: ./crm.yaml }`",
  ),
  mcp_servers: withDefault(mcpServersShape, new Map(), "MCP servers by name"),
});
