import type { MapEntry, YamlNode } from "../definition/yaml-node.ts";
import {
  type AutogenParts,
  makeEntry,
  readAutogenAgent,
  readAutogenModel,
  readClass,
  readConfig,
} from "./autogen-agents.ts";
import { readTermination } from "./autogen-termination.ts";
import { compact } from "./clean-keys.ts";
import { createNotes, type ImportPlan, type Plain, type PlainMap, type PlannedAgent } from "./crew-plan.ts";
import { createNoter, type ForeignSource, findChild, type Noter, scalarText, textAt } from "./foreign-source.ts";

/** A crew out of a component that AutoGen wrote as JSON or YAML: a team, or one agent. */
export function planAutogen(name: string, file: ForeignSource): ImportPlan {
  const notes = createNotes();
  const noter = createNoter(file, notes);
  const parts: AutogenParts = { servers: {}, stubs: [], ids: new Map() };
  const taken = new Set<string>();
  const given = findChild(readConfig(file.tree), "participants");
  const isTeam = given?.kind === "list";
  const nodes = isTeam ? given.items : [file.tree];
  const members = nodes.filter((node) => isAgent(node, noter));
  const humans = isTeam ? given.items.filter((node) => readClass(node) === "UserProxyAgent") : [];
  const agents = members.map((node) => readAutogenAgent(node, file, parts, noter, taken));
  addHandoffs(agents, members, parts, noter);
  const planned = isTeam ? planTeam(file, agents, humans, noter, taken) : { agents, keys: {} };
  const ids = planned.agents.map(({ id }) => id);
  const keys = compact({
    version: "2.0",
    name,
    description: textAt(file.tree, "description"),
    agents: ids,
    ...planned.keys,
    mcp_servers: parts.servers,
  });
  return {
    kind: "autogen",
    name,
    crews: [{ folder: "", keys, agents: planned.agents, stubs: parts.stubs }],
    notes,
    sources: [file.file],
  };
}

/** Whether a participant answers with a model. A person is asked by a pause; a team within a team is left out. */
function isAgent(node: YamlNode, noter: Noter): boolean {
  if (readClass(node) === "UserProxyAgent") return false;
  if (findChild(readConfig(node), "participants") === undefined) return true;
  noter.decide(
    makeEntry(node),
    `the team '${makeEntry(node).key}' is part of another team, and is left out`,
    "import it by itself, and call it as a sub-crew",
  );
  return false;
}

/** Agents that another one names take over from it. */
function addHandoffs(agents: PlannedAgent[], nodes: readonly YamlNode[], { ids }: AutogenParts, noter: Noter): void {
  for (const [index, node] of nodes.entries()) {
    const handoffs = findChild(readConfig(node), "handoffs");
    const agent = agents[index];
    if (handoffs?.kind !== "list" || agent === undefined) continue;
    const collaborations = handoffs.items.flatMap((each): Plain[] => {
      const target = scalarText(each) ?? textAt(each, "target") ?? "";
      const id = ids.get(target);
      if (id === undefined)
        noter.decide(
          makeEntry(node),
          `'${target}', to whom '${agent.id}' hands off, is not an agent here`,
          "for a person, let it end with a signal that pauses, such as [WAIT], bound with `type: pause`",
        );
      const specialty = textAt(each, "description");
      return id === undefined ? [] : [specialty === undefined ? id : { agent: id, specialty }];
    });
    agents[index] = { ...agent, keys: compact({ ...agent.keys, collaborations }) };
  }
}

interface PlannedTeam {
  readonly agents: readonly PlannedAgent[];
  readonly keys: PlainMap;
}

function planTeam(
  file: ForeignSource,
  agents: readonly PlannedAgent[],
  humans: readonly YamlNode[],
  noter: Noter,
  taken: Set<string>,
): PlannedTeam {
  const { tree } = file;
  const config = readConfig(tree);
  const end = readTermination(findChild(config, "termination_condition"), findChild(config, "max_turns"), noter);
  const team = { ...makeEntry(tree), key: readClass(tree) };
  for (const human of humans)
    noter.decide(
      makeEntry(human),
      `'${makeEntry(human).key}' is a person`,
      "the run pauses where the agent before it answers without a signal; `wait_for_signal` in crew.yaml says so",
    );
  const limits = compact({ max_rounds: end.maxRounds, max_handoffs: end.maxRounds });
  switch (readClass(tree)) {
    case "Swarm":
      noter.map(team, "transfers between the agents, from the first one on");
      return { agents, keys: { entry_point: agents[0]?.id ?? "", settings: { on_no_signal: "stop", ...limits } } };
    case "RoundRobinGroupChat":
    case "GraphFlow": {
      if (readClass(tree) === "GraphFlow")
        noter.decide(team, "the edges of the graph are not read", "write them under `routing` in crew.yaml");
      else noter.map(team, "the order of `agents`, round and round, by `routing.defaults`");
      return planRound(agents, humans.length > 0, end.words, limits);
    }
    default:
      return planSelector(file, team, agents, limits, noter, taken);
  }
}

/** Each answers in turn, until one writes the word that ends the run. */
function planRound(
  agents: readonly PlannedAgent[],
  hasPerson: boolean,
  words: readonly string[],
  limits: PlainMap,
): PlannedTeam {
  const ids = agents.map(({ id }) => id);
  const waits = hasPerson ? ids.slice(-1) : [];
  const defaults = ids.flatMap((id, index) =>
    waits.includes(id) || ids.length === 1 ? [] : [[id, ids[(index + 1) % ids.length] ?? id] as const],
  );
  const signals = words.map((word) => ({ signal: `[${word}]`, target: "" }));
  const routing = compact({
    signals: signals.length === 0 ? {} : Object.fromEntries(ids.map((id) => [id, signals])),
    defaults: Object.fromEntries(defaults),
    agent_behaviors: Object.fromEntries(waits.map((id) => [id, { wait_for_signal: true }])),
  });
  return { agents: agents.map((agent) => addWords(agent, words)), keys: compact({ routing, settings: limits }) };
}

/** An agent that chooses who speaks calls the others until it can answer. */
function planSelector(
  { source }: ForeignSource,
  team: MapEntry,
  agents: readonly PlannedAgent[],
  limits: PlainMap,
  noter: Noter,
  taken: Set<string>,
): PlannedTeam {
  const config = readConfig(team.value);
  const id = taken.has("selector") ? "team-selector" : "selector";
  noter.decide(
    team,
    `a model chooses who speaks next in a ${team.key}: here the agent '${id}' calls the others, and answers when it is done`,
    `read its prompt in agents/${id}.md`,
  );
  const prompt = `You lead a team. Decide who works next, call that agent with all that it needs to know, and go on until the task is done. Then give the whole result.`;
  const keys = compact({
    ...readAutogenModel(team, findChild(config, "model_client"), noter),
    agents: agents.map((agent) => agent.id),
    max_turns: 20,
  });
  const selector: PlannedAgent = {
    id,
    keys,
    prompt,
    from: { file: source.file, line: source.position(team.keySpan.start).line },
  };
  return {
    agents: [selector, ...agents],
    keys: compact({ entry_point: id, settings: { on_no_signal: "stop", ...limits } }),
  };
}

function addWords(agent: PlannedAgent, words: readonly string[]): PlannedAgent {
  if (words.length === 0) return agent;
  const tokens = words.map((word) => `[${word}]`).join(" or ");
  return {
    ...agent,
    prompt: `${agent.prompt}\n\nWhen the task is done, end your answer with ${tokens}, in brackets.`.trim(),
  };
}
