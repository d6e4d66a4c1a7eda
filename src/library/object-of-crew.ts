import type { StandardSchema } from "../tools/standard-schema.ts";
import type { AgentIdOf, Item, Key } from "./checked-crew.ts";

/**
 * What `result.object` of a crew is: what the agents answer that may end a run, `undefined` where one of them answers text, `unknown`
 * where the compiler does not know. An agent is left out only if it is certain that a run cannot end with its answer.
 */
export type ObjectOfCrew<Crew> =
  string extends AgentIdOf<Crew>
    ? unknown
    : ObjectOf<EndOf<Crew, Item<Key<Crew, "agents">>>> | JoinOf<Key<Crew, "routing">>;

type ObjectOf<Agent> = Agent extends unknown ? ValueOf<Key<Agent, "output">> : never;

/** The value of an answer. A JSON Schema says nothing to the compiler. */
type ValueOf<Output> = [Output] extends [never]
  ? undefined
  : Output extends StandardSchema<infer Value>
    ? Value
    : Output extends "text" | "markdown" | undefined | { readonly format: "text" | "markdown" }
      ? undefined
      : unknown;

/** A group that leads to nobody ends the run with the answers of its members, which are text. */
type JoinOf<Routing> = [EndingGroup<Entry<Key<Routing, "parallelGroups" | "parallel_groups">>>] extends [never]
  ? never
  : undefined;
type EndingGroup<Group> = Group extends { readonly nextAgent: string } | { readonly next_agent: string }
  ? never
  : Group;

/** Agents that may end a run. */
type EndOf<Crew, Agent> = Agent extends { readonly id: infer Id }
  ? Id extends CalledOnly<Crew>
    ? never
    : MayEnd<Crew, Agent, Id> extends true
      ? Agent
      : never
  : never;

type MayEnd<Crew, Agent, Id> = true extends
  | IsTerminal<Agent>
  | IsTerminal<Part<Crew, "agentBehaviors" | "agent_behaviors", Id>>
  ? true
  : Id extends PassedTo<Item<Key<Crew, "agents">>>
    ? true
    : [EndingBinding<Item<Part<Crew, "signals", Id>>>] extends [never]
      ? MayEndWithoutSignal<Crew, Agent, Id>
      : true;

type IsTerminal<Value> = Key<Value, "isTerminal" | "is_terminal">;

/** A binding that may end the run: one that leads to nobody, and neither waits nor only tells. */
type EndingBinding<Binding> = Binding extends
  | { readonly type: "pause" | "external" | "status" | "broadcast" | "sub_crew" | "parallel" }
  | { readonly targetCrew: string }
  | { readonly target_crew: string }
  | { readonly targetCrews: readonly string[] }
  | { readonly target_crews: readonly string[] }
  ? never
  : Binding extends { readonly target: infer Target extends string }
    ? "" extends Target
      ? Binding
      : never
    : Binding;

/** What follows an answer in which there is no signal. */
type MayEndWithoutSignal<Crew, Agent, Id> = Agent extends { readonly handoff: string }
  ? false
  : Id extends KeyOf<Key<Key<Crew, "routing">, "defaults">>
    ? Part<Crew, "defaults", Id> extends infer Default extends string
      ? "" extends Default
        ? true
        : false
      : true
    : [Item<Key<Agent, "handoffTargets" | "handoff_targets">>] extends [never]
      ? MayEndUnled<Crew, Id>
      : false;

/** What `on_no_signal` does where nothing else says who continues. */
type MayEndUnled<Crew, Id> = [NoSignal<Crew>] extends [never]
  ? MayBeLast<Crew, Id>
  : NoSignal<Crew> extends "pause"
    ? false
    : NoSignal<Crew> extends "next" | "repair"
      ? MayBeLast<Crew, Id>
      : true;

type NoSignal<Crew> = Key<Key<Crew, "settings">, "onNoSignal" | "on_no_signal">;

/** The next of the list continues, but for agents that only patterns refer to: with patterns, anybody may be the last. */
type MayBeLast<Crew, Id> = [PatternNames<Item<Key<Crew, "agents">>>] extends [never]
  ? Key<Crew, "agents"> extends readonly [...unknown[], { readonly id: infer Last }]
    ? Id extends Last
      ? true
      : false
    : true
  : true;

/** Agents to which others pass their work for good: when they have answered, the run may end. */
type PassedTo<Agent> =
  | NameIn<Key<Agent, "handoff">>
  | NameIn<Key<Key<Agent, "handoff">, "to">>
  | NameIn<Item<Key<Agent, "router">>>
  | NameIn<Item<Key<Key<Agent, "router">, "destinations">>>
  | NameIn<Item<Key<Agent, "collaborations">>>
  | NameIn<Key<Key<Agent, "team">, "supervisor">>;

/** Agents that others call, and that come back to their callers. */
type CalledBy<Agent> =
  | Item<Key<Agent, "agents">>
  | Item<Key<Agent, "advisors">>
  | Item<Key<Key<Agent, "team">, "members">>;

type PatternNames<Agent> = PassedTo<Agent> | CalledBy<Agent>;

/** Agents that are called, and to which nothing else leads. */
type CalledOnly<Crew> = Exclude<CalledBy<Item<Key<Crew, "agents">>>, PassedTo<Item<Key<Crew, "agents">>> | LedTo<Crew>>;

/** Names to which a crew's routing leads, and the agent that begins. */
type LedTo<Crew> =
  | Key<Crew, "entryPoint" | "entry_point">
  | FirstOf<Key<Crew, "agents">>
  | Item<Key<Item<Key<Crew, "agents">>, "handoffTargets" | "handoff_targets">>
  | Entry<Key<Key<Crew, "routing">, "defaults">>
  | Key<Item<Entry<Key<Key<Crew, "routing">, "signals">>>, "target" | "returnTo" | "return_to">
  | Key<Entry<Key<Key<Crew, "routing">, "parallelGroups" | "parallel_groups">>, "nextAgent" | "next_agent">;

type FirstOf<Agents> = Agents extends readonly [{ readonly id: infer First }, ...unknown[]] ? First : never;

type NameIn<Value> = Value extends string ? Value : Value extends { readonly agent: infer Name } ? Name : never;

type Part<Crew, Name extends string, Id> = Key<Key<Key<Crew, "routing">, Name>, Id & string>;

/** Nothing has no keys, which the compiler sees otherwise. */
type KeyOf<Value> = [Value] extends [never] ? never : keyof Value;

type Entry<Record> = Record extends object ? Record[keyof Record] : never;
