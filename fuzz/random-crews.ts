import type { Agent, Binding, BoundMove, Crew, Group, SubCrew } from "../src/vocabulary/crew.ts";
import { type Chance, createChance } from "./chance.ts";
import { type RandomCrew, randomCrew } from "./random-crew.ts";
import type { RandomReply } from "./random-replies.ts";

/** A random crew that calls others, which call others again; each is made of a seed of its own. */
export interface RandomCrews {
  readonly random: RandomCrew;
  readonly crew: Crew;
}

/** Puts crews within each other, with ways to call them. */
export function randomCrews(seed: number, load: (random: RandomCrew) => Crew): RandomCrews {
  const chance = createChance(seed);
  const [outer, middle, inner, other] = [0, 1, 2, 3].map((index) => randomCrew(seed * 4 + index));
  if (outer === undefined || middle === undefined || inner === undefined || other === undefined)
    throw new Error("there are four of them");
  const leaf = load(inner);
  const between = withCrews(load(middle), { deep: leaf }, chance);
  const crew = withCrews(load(outer), { one: between, two: load(other) }, chance);
  // Agents of all crews have the same ids: what they say is put together.
  const replies: Record<string, readonly RandomReply[]> = {};
  for (const each of [outer, middle, inner, other])
    for (const [id, given] of Object.entries(each.replies)) replies[id] = [...(replies[id] ?? []), ...given];
  const calling = Object.fromEntries(
    Object.entries(replies).map(([id, given]) => [id, given.map((reply) => withCall(reply, chance))]),
  );
  const tools = { ...other.tools, ...inner.tools, ...middle.tools, ...outer.tools };
  return { random: { ...outer, tools, replies: calling }, crew };
}

/** What every agent of a crew that has others below it may say to call one. */
const CALL = "[CALL]";

/** Many replies call a crew, by a signal or as a tool, or use the memory that crews share. */
function withCall(reply: RandomReply, chance: Chance): RandomReply {
  const composing = { name: "crew__compose", args: randomComposition(chance) };
  if (chance.percent(15)) return { ...reply, tools: [...(reply.tools ?? []), composing] };
  if (chance.percent(45) && reply.tools === undefined) return { ...reply, text: `${reply.text ?? ""}\n${CALL}` };
  if (!chance.percent(20)) return reply;
  const call = chance.pick<{ readonly name: string; readonly args: unknown }>([
    { name: "crew__delegate", args: { crew: chance.pick(["one", "two", "deep", "none"]), input: "do it" } },
    {
      name: "memory__set",
      args: { key: chance.pick(["a", "b"]), value: chance.pick<unknown>([1, 2.5, "x", [], null]) },
    },
    { name: "memory__set", args: { key: chance.pick(["a", "b"]), value: [], if_version: chance.below(4) } },
    { name: "memory__add", args: { key: chance.pick(["a", "b"]), amount: chance.pick<unknown>([1, -1, 0.5, "1"]) } },
    { name: "memory__append", args: { key: chance.pick(["a", "b"]), item: chance.below(9) } },
    { name: "memory__get", args: { key: chance.pick(["a", "b"]) } },
    { name: "memory__list", args: {} },
  ]);
  return { ...reply, tools: [...(reply.tools ?? []), call] };
}

/** Mostly one that can be run. */
function randomComposition(chance: Chance): unknown {
  const agents = Array.from({ length: chance.below(3) + (chance.percent(5) ? 0 : 1) }, (_, index) => ({
    agent: chance.percent(2) ? "nobody" : chance.pick(["ann", "bob", "bob", "Cem"]),
    task: `part ${index}`,
  }));
  return { mode: chance.pick(["sequence", "parallel"]), agents };
}

function withCrews(crew: Crew, below: Readonly<Record<string, Crew>>, chance: Chance): Crew {
  const names = Object.keys(below);
  const subCrews = Object.entries(below).map(([name, each]): [string, SubCrew] => [
    name,
    { crew: each, description: undefined, sharedMemory: randomGrants(chance), quotas: [] },
  ]);
  const bindings = [...crew.agents.keys()].map((agent): [string, readonly Binding[]] => [
    agent,
    [
      { signal: CALL, priority: 90, description: undefined, move: randomCall(crew, names, chance) },
      ...(crew.bindings.get(agent) ?? []),
    ],
  ]);
  const agents = [...crew.agents].map(([id, agent]): [string, Agent] => [
    id,
    { ...agent, ...(chance.percent(30) && { delegate: chance.some(names, 2) }), compose: chance.percent(60) },
  ]);
  const groups = [...crew.groups].map(([name, group]): [string, Group] => [
    name,
    chance.percent(50) ? withMembers(group, chance.some(names, 2)) : group,
  ]);
  const settings = {
    ...crew.settings,
    maxHandoffs: chance.pick([2, 10, 20]),
    maxRunHandoffs: chance.pick([3, 20, 60, 1000]),
    maxRounds: chance.pick([3, 20]),
    // Deeper, agents that compose each other would make more events than anybody can wait for.
    maxCrewDepth: chance.pick([4, 3, 3, 1, 0]),
    subCrewTimeoutMs: chance.pick([5, 20, 200, 120_000]),
    ...(chance.percent(15) && { summarizer: chance.anyOf([...crew.agents.keys()]) }),
  };
  return {
    ...crew,
    settings,
    subCrews: new Map(subCrews),
    bindings: new Map(bindings),
    agents: new Map(agents),
    groups: new Map(groups),
  };
}

/** A group that works on items has one member only. */
function withMembers(group: Group, crews: readonly string[]): Group {
  const [worker] = crews;
  if (group.forEach === undefined) return { ...group, crews };
  return worker === undefined ? group : { ...group, agents: [], crews: [worker] };
}

function randomGrants(chance: Chance): SubCrew["sharedMemory"] {
  return new Map(["a", "b"].flatMap((key) => (chance.percent(40) ? [[key, chance.pick(["read", "write"])]] : [])));
}

const policies = ["fallback", "retry", "continue"] as const;

function randomCall(crew: Crew, names: readonly string[], chance: Chance): BoundMove {
  const some = chance.some(names, 2);
  return {
    type: "sub_crew",
    crews: some.length === 0 ? names.slice(0, 1) : some,
    returnTo: chance.anyOf([...crew.agents.keys()]) ?? "",
    inputTemplate: chance.pick([undefined, "{{.Input}} {{.PreviousResult}} {{.SharedData | json}} {{.Depth}}"]),
    timeoutMs: chance.pick([5, 20, 100, 120_000]),
    history: chance.pick(["full", "summary", "none"]),
    onError: chance.pick([
      [],
      ["retry"],
      ["fallback"],
      ["continue"],
      ["retry", "fallback", "continue"],
      chance.some(policies, 3),
    ]),
    maxRetries: chance.below(3),
    fallbackCrew: chance.anyOf(names),
  };
}
