import type { Attachment } from "../src/vocabulary/attachment.ts";
import type { ResumeAnswer } from "../src/vocabulary/pause.ts";
import { type Chance, createChance } from "./chance.ts";
import { randomEntry } from "./random-entry.ts";
import { randomFiles, randomMode } from "./random-files.ts";
import { listJudges, randomGuards, randomMemory } from "./random-guards.ts";
import { collaboratorsOf, randomCollaborations, randomPatterns, withoutContradictions } from "./random-patterns.ts";
import { type Mood, type RandomReply, randomReplies } from "./random-replies.ts";
import { randomSettings } from "./random-settings.ts";
import {
  type Crash,
  type Damage,
  type ExternalPlan,
  type Interruption,
  randomAnswer,
  randomDamage,
  randomExternal,
  randomInterruptions,
  randomQuota,
  randomTraits,
  type ToolTraits,
} from "./random-surroundings.ts";

type Keys = Readonly<Record<string, unknown>>;

/** A crew, and all that the world does to it. Plain data, so that it can be printed, and cut down to what matters. */
export interface RandomCrew {
  /** The keys of crew.yaml and of each agent's file, as they are written. */
  readonly crew: Keys;
  readonly agents: readonly Keys[];
  readonly tools: Readonly<Record<string, ToolTraits>>;
  readonly input: string;
  /** What comes with the input. */
  readonly files: readonly Attachment[];
  /** Each agent's replies, again and again. */
  readonly replies: Readonly<Record<string, readonly RandomReply[]>>;
  /** How handlers of external signals answer, by signal. */
  readonly externals: Readonly<Record<string, ExternalPlan>>;
  /** One per pause; those that do not fit are refused, and the next is tried. */
  readonly answers: readonly ResumeAnswer[];
  readonly interruptions: readonly Interruption[];
  /** Where the process dies. */
  readonly crashes: readonly Crash[];
  /** What is wrong with a copy of the journal. */
  readonly damage: Damage;
}

const names = ["ann", "bob", "Cem", "đức", "eve", "f-1", "g_2", "hal"] as const;
const ownSignals = ["[GO]", "[go]", "[HAND_OVER]", "[Kết Thúc]", "[A-B]", "[ASK]", "[TELL]", "[X1]"] as const;
const builtIn = ["[NEXT]", "[END]", "[DONE]", "[WAIT]", "[RETRY]", "[OK]", "[ERROR]", "[QUESTION]"] as const;
const groupNames = ["round", "vote", "đội"] as const;
const toolNames = ["look", "write", "wipe", "call_out"] as const;

/** What the parts of one crew know of each other. */
interface Cast {
  readonly ids: readonly string[];
  readonly groups: readonly string[];
  readonly tools: readonly string[];
  readonly isStrict: boolean;
  /** Whether agents may share a plan. */
  readonly hasTodo: boolean;
}

/** The crew of a seed: always one that loads and that this version can run. */
export function randomCrew(seed: number): RandomCrew {
  const chance = createChance(seed);
  const cast = randomCast(chance);
  const bindings = Object.fromEntries(cast.ids.map((id) => [id, randomBindings(chance, cast)]));
  const signals = Object.values(bindings).flatMap((each) => each.map(({ signal }) => signal));
  const groups = Object.fromEntries(cast.groups.map((group) => [group, randomGroup(chance, cast)]));
  const givesLists = Object.values(groups).some((group) => "for_each" in group);
  const made = withoutContradictions(cast.ids.map((id, index) => randomAgent(chance, cast, id, index)));
  // A schema without lists would be told apart from what a group wants when the crew is loaded.
  const agents = givesLists ? made.map((agent) => ("output" in agent ? { ...agent, output: "json" } : agent)) : made;
  const models = agents.filter((agent) => !isFunction(agent)).map(({ id }) => id);
  const guards = chance.percent(8) ? randomGuards(chance, models, false) : undefined;
  const judges = new Set([guards, ...agents.map((agent) => agent.guards)].flatMap(listJudges));
  const begins = randomEntry(chance, cast.ids);
  const mood = randomMood(chance);
  return {
    crew: {
      version: "2.0",
      name: "random",
      agents: cast.ids,
      entry_point: begins.entry,
      ...chance.maybe(30, () => ({ models: ["script/a", "script/b"] })),
      ...(cast.hasTodo && { tools: { todo: { builtin: "todo" } } }),
      ...(guards !== undefined && { guards }),
      ...chance.maybe(10, () => ({ memory: randomMemory(chance) })),
      signals: randomDefinitions(chance, cast, signals),
      routing: {
        signals: bindings,
        defaults: randomDefaults(chance, cast),
        agent_behaviors: randomBehaviors(chance, cast),
        parallel_groups: groups,
      },
      settings: { ...randomSettings(chance, { isStrict: cast.isStrict, models }), ...begins.settings },
    },
    agents: agents.map((agent, index) => ({ ...agent, ...(isFunction(agent) ? {} : randomMode(seed, index)) })),
    tools: Object.fromEntries(cast.tools.map((tool) => [tool, randomTraits(chance)])),
    files: randomFiles(seed),
    input: chance.pick(["Begin", "", "ann does eve", "word ".repeat(40)]),
    replies: {
      ...Object.fromEntries(
        agents.map((agent) => [
          agent.id,
          randomReplies(chance, {
            bound: (bindings[agent.id] ?? []).map(({ signal }) => signal),
            known: [...signals, ...builtIn],
            tools: agent.tools,
            subAgents: agent.agents,
            others: cast.ids,
            collaborators: collaboratorsOf(agent.collaborations),
            givesJson: "output" in agent,
            givesLists,
            isJudge: judges.has(agent.id),
            mood,
          }),
        ]),
      ),
      ...begins.replies,
    },
    externals: Object.fromEntries([...new Set(signals)].map((signal) => [signal, randomExternal(chance)])),
    answers: chance.list(chance.below(10), () => randomAnswer(chance, cast.ids)),
    interruptions: randomInterruptions(chance, 20),
    crashes: chance.list(2, () => ({ at: chance.below(1000), interruptions: randomInterruptions(chance, 15) })),
    damage: randomDamage(chance),
  };
}

function randomCast(chance: Chance): Cast {
  return {
    ids: names.slice(0, chance.pick([1, 2, 3, 3, 4, 4, 5, 8])),
    groups: groupNames.slice(0, chance.pick([0, 1, 1, 2, 3])),
    tools: toolNames.slice(0, chance.pick([0, 1, 2, 4])),
    isStrict: chance.percent(10),
    hasTodo: chance.percent(25),
  };
}

function randomMood(chance: Chance): Mood {
  return { fails: chance.pick([0, 0, 6, 20]), isSlow: chance.pick([0, 40, 80]), callsTools: chance.pick([0, 30, 60]) };
}

/** Whether an agent is a function: only functions have an effect. */
export function isFunction(agent: Keys): boolean {
  return agent["effect"] !== undefined;
}

function randomAgent(chance: Chance, cast: Cast, id: string, index: number) {
  const agent = randomModelAgent(chance, cast, id, index);
  if (!chance.percent(15)) return agent;
  // What a process died over is called again, and nobody has to be asked.
  const effect = chance.pick(["read", "idempotent"]);
  return { ...agent, effect, tools: [], agents: [], router: undefined, chat: undefined };
}

function randomModelAgent(chance: Chance, cast: Cast, id: string, index: number) {
  return {
    id,
    description: `does ${id}`,
    system_prompt: "Work.",
    tools: [
      ...chance.some(cast.tools, 3),
      ...(cast.hasTodo && chance.percent(60) ? [chance.pick(["todo__*", "todo__write"])] : []),
    ],
    // Only those further down the list: agents that offer each other do not load.
    agents: chance.percent(60) ? chance.some(cast.ids.slice(index + 1), 3) : [],
    ...randomPatterns(chance, id, cast.ids.slice(index + 1)),
    ...chance.maybe(45, () => randomCollaborations(chance, id, cast.ids)),
    ...chance.maybe(14, () => ({ guards: randomGuards(chance, cast.ids.slice(index + 1), true) })),
    ...chance.maybe(15, () => ({ memory: randomMemory(chance) })),
    ...chance.maybe(15, () => ({ handoff_targets: chance.some(cast.ids, 2) })),
    ...chance.maybe(10, () => ({ is_terminal: chance.percent(50) })),
    ...chance.maybe(50, () => ({ max_turns: chance.pick([1, 2, 3, 5]) })),
    ...chance.maybe(20, () => ({ max_tool_calls_per_turn: chance.pick([1, 2]) })),
    ...chance.maybe(60, () => ({ max_retries: chance.pick([0, 1, 2]) })),
    ...chance.maybe(20, () => ({ llm_timeout: chance.pick(["5ms", "10ms", "50ms", "1s"]) })),
    ...chance.maybe(30, () => ({ tool_timeout: chance.pick(["5ms", "10ms", "50ms"]) })),
    ...chance.maybe(15, () => ({ models: chance.pick([["script/a"], ["script/a", "script/b", "script/c"]]) })),
    ...chance.maybe(12, () => ({ output: chance.pick<unknown>(["json", { format: "json", schema: numberSchema }]) })),
    ...chance.maybe(12, () => ({ quotas: randomQuota(chance, false) })),
    ...chance.maybe(40, () => ({
      cost_limits: { input_token_price_per_million: 3, output_token_price_per_million: chance.pick([0, 15]) },
    })),
  };
}

const numberSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

interface BindingKeys extends Keys {
  readonly signal: string;
}

function randomBindings(chance: Chance, cast: Cast): BindingKeys[] {
  const signals = chance.some([...ownSignals, ...builtIn], 6);
  return signals.flatMap((signal) => randomBinding(chance, cast, signal) ?? []);
}

function randomBinding(chance: Chance, { ids, groups, isStrict }: Cast, signal: string): BindingKeys | undefined {
  const mayRoute = !isStrict || !/END|DONE|WAIT/.test(signal);
  const target = chance.anyOf(ids);
  const group = chance.anyOf(groups);
  const priority = chance.maybe(20, () => ({ priority: chance.pick([0, 50, 100, 120]) }));
  const kinds: readonly Keys[] = [
    ...(mayRoute ? [{ target }, { target }, { target, type: "route" }] : []),
    // Groups are where most can go wrong.
    ...(mayRoute && group !== undefined
      ? chance.list(4, () => ({ target: group, ...chance.maybe(50, () => ({ type: "parallel" })) }))
      : []),
    { type: "terminate" },
    { type: "pause" },
    { type: "status" },
    { type: "broadcast" },
    { type: "broadcast", targets: chance.some(ids, 3) },
    { type: "external", pause: chance.percent(50) },
    ...(signal === "[QUESTION]" ? [] : [{ target: "" }]),
  ];
  const kind = chance.anyOf(kinds);
  return kind && { signal, ...kind, ...priority };
}

/** In strict mode every signal that is bound must be registered; some mean something anyway. */
function randomDefinitions(chance: Chance, { ids, isStrict }: Cast, bound: readonly string[]): Keys[] {
  const own = [...new Set(bound)].filter((signal) => ownSignals.some((each) => each === signal));
  const defined = own.filter(() => isStrict || chance.percent(30));
  const unbound = ownSignals.filter((signal) => !own.includes(signal) && chance.percent(20));
  return [
    ...defined.map((name) => ({
      name,
      ...chance.maybe(30, () => ({ deprecated: "use [NEXT]" })),
      ...chance.maybe(20, () => ({ priority: chance.pick([10, 60, 110]) })),
    })),
    ...unbound.map((name) => ({
      name,
      behavior: chance.pick(["terminate", "pause", "status", "broadcast"]),
      ...chance.maybe(50, () => ({ allowed_agents: [...new Set([chance.anyOf(ids), ...chance.some(ids, 1)])] })),
    })),
  ];
}

function randomDefaults(chance: Chance, { ids, groups }: Cast): Keys {
  const some = ids.filter(() => chance.percent(12));
  return Object.fromEntries(some.map((id) => [id, chance.anyOf([...ids, ...groups])]));
}

function randomBehaviors(chance: Chance, { ids }: Cast): Keys {
  const some = ids.filter(() => chance.percent(25));
  return Object.fromEntries(
    some.map((id) => [
      id,
      {
        ...chance.maybe(40, () => ({ wait_for_signal: true })),
        ...chance.maybe(40, () => ({ auto_route: false })),
        ...chance.maybe(20, () => ({ is_terminal: chance.percent(50) })),
      },
    ]),
  );
}

function randomGroup(chance: Chance, { ids, isStrict }: Cast): Keys {
  const members = [...new Set([chance.anyOf(ids), ...chance.some(ids, 3)])];
  const isForEach = chance.percent(35);
  return {
    ...(isForEach ? randomForEach(chance, ids) : { agents: members }),
    ...chance.maybe(50, () => ({ wait_for_all: chance.percent(80) })),
    ...chance.maybe(25, () => ({ min_success: 1 + chance.below(isForEach ? 2 : members.length) })),
    ...chance.maybe(isStrict ? 100 : 70, () => ({ timeout_seconds: chance.pick([0.005, 0.01, 0.02, 0.1, 2]) })),
    ...chance.maybe(60, () => ({ next_agent: chance.anyOf(ids) })),
  };
}

function randomForEach(chance: Chance, ids: readonly string[]): Keys {
  return {
    for_each: chance.anyOf(ids),
    items: chance.percent(85) ? "$.items" : chance.pick(["$", "$[0]"]),
    ...chance.maybe(50, () => ({ max_items: chance.pick([2, 3, 50]) })),
    ...chance.maybe(60, () => ({ concurrency: chance.pick([1, 2, 8]) })),
    ...chance.maybe(30, () => ({ input_template: "{{.Index}} {{.Item.n}} {{.Item}} {{.Input | truncate 9}}" })),
  };
}
