import type { HandoffBase, NeighbourBase, TeamBase } from "./agent-keys.ts";
import type { AgentDefinition, AgentDefinitionBase, CrewDefinitionBase } from "./crew-definition.ts";
import type { BehaviorKeys, BindingBase, GroupBase, SettingBase } from "./crew-keys.ts";

/**
 * A crew in code as the compiler expects it: names are those of its agents, groups, tools and sub-crews, and no key is there in both
 * spellings. Names that the compiler does not know may be any. The type argument is inferred from the crew that is given, which the
 * form of a condition makes possible without the crew becoming its own expectation.
 */
export type CheckedCrew<Crew> = [Crew] extends [never] ? Crew : CrewDefinitionBase & ExpectedCrew<NamesIn<Crew>, Crew>;

/** An agent in code as the compiler expects it: no key is there in both spellings. */
export type CheckedAgent<Agent> = [Agent] extends [never] ? Agent : AgentDefinition & Spelled<Agent>;

type ExpectedCrew<Known extends Names, Crew> = Spelled<Crew> & {
  /** The agents, in order: an answer without a signal continues with the next. */
  readonly agents: EachAgent<Known, Key<Crew, "agents">>;
  /** The agent that begins, or `auto`; the first of `agents` when absent. */
  readonly entryPoint?: Name<Key<Crew, "entryPoint">, Known["agent"] | "auto"> | undefined;
  /** The agent that begins, or `auto`; the first of `agents` when absent. */
  readonly entry_point?: Name<Key<Crew, "entry_point">, Known["agent"] | "auto"> | undefined;
  /** Who speaks after whom. */
  readonly routing?: ExpectedRouting<Known, Key<Crew, "routing">> | undefined;
  /** Limits and habits of the crew. */
  readonly settings?: ExpectedSettings<Known, Key<Crew, "settings">> | undefined;
};

/** Ids of a crew's agents; any text if the compiler does not know them all. */
export type AgentIdOf<Crew> = Named<Item<Key<Crew, "agents">>, "id">;

/** Names that a crew defines. */
interface Names {
  readonly agent: string;
  /** Ids and names of agents in the form in which collaborators are compared. */
  readonly called: string;
  readonly tool: string;
  readonly group: string;
  readonly crew: string;
}

interface NamesIn<Crew> {
  readonly agent: AgentIdOf<Crew>;
  readonly called: Simple<AgentIdOf<Crew> | Named<Item<Key<Crew, "agents">>, "name", never>>;
  // The compiler does not know the tools of MCP servers.
  readonly tool: OrNone<ToolName<Key<Crew, "tools">>, "the crew has no tools"> | `${string}__${string}`;
  readonly group: KeyName<Key<Key<Crew, "routing">, "parallelGroups" | "parallel_groups">>;
  readonly crew: OrNone<KeyName<Key<Crew, "subCrews" | "sub_crews">>, "the crew has no sub-crews">;
}

type EachAgent<Known extends Names, Agents> = {
  readonly [Index in keyof Agents]: AgentDefinitionBase & ExpectedAgent<Known, Agents[Index]>;
};

type ExpectedAgent<Known extends Names, Agent> = Spelled<Agent> & {
  /** Names of the tools it may call. */
  readonly tools?: List<Key<Agent, "tools">, Known["tool"]> | undefined;
  /** Sub-agents, offered as tools `agent__<id>`. */
  readonly agents?: List<Key<Agent, "agents">, Known["agent"]> | undefined;
  /** The agent that continues with this one's answer. */
  readonly handoff?: ExpectedHandoff<Known, Key<Agent, "handoff">> | undefined;
  /** Chooses who takes the request, one of these agents. */
  readonly router?: ExpectedRouter<Known, Key<Agent, "router">> | undefined;
  /** Agents that are heard before this one begins. */
  readonly advisors?: List<Key<Agent, "advisors">, Known["agent"]> | undefined;
  /** Agents that work on the task together. */
  readonly team?: ExpectedTeam<Known, Key<Agent, "team">> | undefined;
  /** Whom it may transfer the work to. */
  readonly collaborations?: Collaborators<Known, Key<Agent, "collaborations">> | undefined;
  /** Where an answer without a signal goes. */
  readonly handoffTargets?: List<Key<Agent, "handoffTargets">, Known["agent"]> | undefined;
  /** Where an answer without a signal goes. */
  readonly handoff_targets?: List<Key<Agent, "handoff_targets">, Known["agent"]> | undefined;
  /** Sub-crews it may call by `crew__delegate`. */
  readonly delegate?: List<Key<Agent, "delegate">, Known["crew"]> | undefined;
};

type ExpectedHandoff<Known extends Names, Handoff> = Handoff extends string
  ? Name<Handoff, Known["agent"]>
  : HandoffBase & Spelled<Handoff> & { readonly to: Name<Key<Handoff, "to">, Known["agent"]> };

type ExpectedRouter<Known extends Names, Router> = Router extends readonly unknown[]
  ? Neighbours<Known, Router>
  : { readonly destinations?: Neighbours<Known, Key<Router, "destinations">> | undefined };

type Neighbours<Known extends Names, All> = {
  readonly [Index in keyof All]: ExpectedNeighbour<Known, All[Index]>;
};

type ExpectedNeighbour<Known extends Names, Given> = Given extends string
  ? Name<Given, Known["agent"]>
  : NeighbourBase & Spelled<Given> & { readonly agent: Name<Key<Given, "agent">, Known["agent"]> };

/** Collaborators may be called by their names, and in other spellings. */
type Collaborators<Known extends Names, All> = {
  readonly [Index in keyof All]: ExpectedCollaborator<Known, All[Index]>;
};

type ExpectedCollaborator<Known extends Names, Given> = Given extends string
  ? Called<Known, Given>
  : NeighbourBase & Spelled<Given> & { readonly agent: Called<Known, Key<Given, "agent">> };

type Called<Known extends Names, Given> =
  | Name<Given, Known["agent"]>
  | (Given extends string ? (Simple<Given> extends Known["called"] ? Given : never) : never);

type Simple<Text extends string> = WithoutAgent<Letters<Lowercase<Text>>>;
type Letters<Text extends string> = Text extends `${infer Head}${" " | "_" | "-"}${infer Tail}`
  ? `${Head}${Letters<Tail>}`
  : Text;
type WithoutAgent<Text> = Text extends `${infer Name}agent` ? (Name extends "" ? Text : Name) : Text;

type ExpectedTeam<Known extends Names, Team> = TeamBase &
  Spelled<Team> & {
    /** The agents that work together. */
    readonly members?: List<Key<Team, "members">, Known["agent"]> | undefined;
    /** The agent that hears them and decides. */
    readonly supervisor?: Name<Key<Team, "supervisor">, Known["agent"]> | undefined;
  };

type ExpectedRouting<Known extends Names, Routing> = Spelled<Routing> & {
  /** What each agent's signals do. */
  readonly signals?: EachBindings<Known, Key<Routing, "signals">> | undefined;
  /** Where an agent's answer without a signal goes; empty ends the run. */
  readonly defaults?: EachDefault<Known, Key<Routing, "defaults">> | undefined;
  /** How agents behave in routing. */
  readonly agentBehaviors?: EachBehavior<Known, Key<Routing, "agentBehaviors">> | undefined;
  /** How agents behave in routing. */
  readonly agent_behaviors?: EachBehavior<Known, Key<Routing, "agent_behaviors">> | undefined;
  /** Agents that run at once. */
  readonly parallelGroups?: EachGroup<Known, Key<Routing, "parallelGroups">> | undefined;
  /** Agents that run at once. */
  readonly parallel_groups?: EachGroup<Known, Key<Routing, "parallel_groups">> | undefined;
};

type EachBindings<Known extends Names, All> = {
  readonly [Id in keyof All]: OfAgent<Known, Id, EachBinding<Known, All[Id]>>;
};

type EachBinding<Known extends Names, Bindings> = {
  readonly [Index in keyof Bindings]: BindingBase & ExpectedBinding<Known, Bindings[Index]>;
};

type EachDefault<Known extends Names, All> = {
  readonly [Id in keyof All]: OfAgent<Known, Id, Name<All[Id], Known["agent"] | Known["group"] | ""> | null>;
};

type EachBehavior<Known extends Names, All> = {
  readonly [Id in keyof All]: OfAgent<Known, Id, BehaviorKeys & Spelled<All[Id]>>;
};

type ExpectedBinding<Known extends Names, Binding> = Spelled<Binding> & {
  /** The agent or group it leads to; empty ends the run. */
  readonly target?: Name<Key<Binding, "target">, Known["agent"] | Known["group"] | ""> | undefined;
  /** Who hears a broadcast; everybody when absent. */
  readonly targets?: List<Key<Binding, "targets">, Known["agent"]> | undefined;
  /** The sub-crew it calls. */
  readonly targetCrew?: Name<Key<Binding, "targetCrew">, Known["crew"]> | undefined;
  /** The sub-crew it calls. */
  readonly target_crew?: Name<Key<Binding, "target_crew">, Known["crew"]> | undefined;
  /** Sub-crews it calls at once. */
  readonly targetCrews?: List<Key<Binding, "targetCrews">, Known["crew"]> | undefined;
  /** Sub-crews it calls at once. */
  readonly target_crews?: List<Key<Binding, "target_crews">, Known["crew"]> | undefined;
  /** Who gets the sub-crew's result; the emitter when absent. */
  readonly returnTo?: Name<Key<Binding, "returnTo">, Known["agent"]> | undefined;
  /** Who gets the sub-crew's result; the emitter when absent. */
  readonly return_to?: Name<Key<Binding, "return_to">, Known["agent"]> | undefined;
  /** The sub-crew to fall back to. */
  readonly fallbackCrew?: Name<Key<Binding, "fallbackCrew">, Known["crew"]> | undefined;
  /** The sub-crew to fall back to. */
  readonly fallback_crew?: Name<Key<Binding, "fallback_crew">, Known["crew"]> | undefined;
};

type EachGroup<Known extends Names, All> = {
  readonly [Id in keyof All]: GroupBase & ExpectedGroup<Known, All[Id]>;
};

type ExpectedGroup<Known extends Names, Group> = Spelled<Group> & {
  /** Agents that run at once. */
  readonly agents?: List<Key<Group, "agents">, Known["agent"]> | undefined;
  /** Sub-crews that run at once. */
  readonly crews?: List<Key<Group, "crews">, Known["crew"]> | undefined;
  /** The agent, or `crew:` and a sub-crew, that works on each item of a list in the emitter's answer. */
  readonly forEach?: Name<Key<Group, "forEach">, Known["agent"] | `crew:${Known["crew"]}`> | undefined;
  /** The agent, or `crew:` and a sub-crew, that works on each item of a list in the emitter's answer. */
  readonly for_each?: Name<Key<Group, "for_each">, Known["agent"] | `crew:${Known["crew"]}`> | undefined;
  /** Who gets the results. */
  readonly nextAgent?: Name<Key<Group, "nextAgent">, Known["agent"]> | undefined;
  /** Who gets the results. */
  readonly next_agent?: Name<Key<Group, "next_agent">, Known["agent"]> | undefined;
};

type ExpectedSettings<Known extends Names, Settings> = SettingBase &
  Spelled<Settings> & {
    /** The agent that writes summaries of history. */
    readonly summarizer?: Name<Key<Settings, "summarizer">, Known["agent"]> | undefined;
    /** The agent that chooses the entry point. */
    readonly classifier?: Name<Key<Settings, "classifier">, Known["agent"]> | undefined;
  };

/** A name that must be known, unless the compiler does not know which one is given. */
type Name<Given, Known extends string> = string extends Given ? string : Known;

type List<Given, Known extends string> = readonly Name<Item<Given>, Known>[];

/** What stands under an agent's id, if there is such an agent. */
type OfAgent<Known extends Names, Id, Expected> = string extends Id
  ? Expected
  : Id extends Known["agent"]
    ? Expected
    : Problem<`there is no agent '${Id & string}'`>;

/** Keys that are there in both spellings take nothing, here and in the objects below that have no expectation of their own. */
type Spelled<Value> = SpelledHere<Value> & {
  readonly [Name in keyof Value as Name extends Below ? (IsDoubled<Value[Name]> extends true ? Name : never) : never]?:
    | SpelledBelow<Value[Name]>
    | undefined;
};

/** A key that may be absent is not there as far as the compiler knows. */
type SpelledHere<Value> = {
  readonly [Snake in keyof Value as CamelCase<Snake> extends Exclude<keyof Value, Snake>
    ? Snake
    : never]?: undefined extends Value[Snake]
    ? unknown
    : Problem<`'${CamelCase<Snake> & string}' and '${Snake & string}' are the same key: write one of them`>;
};

/** Keys that take plain objects, or lists or records of them. */
type Below =
  | ("subCrews" | "sub_crews" | "quotas" | "costLimits" | "cost_limits" | "external")
  | ("primary" | "backup" | "when" | "signals");

/** Whether a key is there in both spellings somewhere in plain data. */
type IsDoubled<Value> = Value extends object
  ? keyof SpelledHere<Value> extends never
    ? true extends { [Name in keyof Value]: IsDoubled<Value[Name]> }[keyof Value &
        (Value extends readonly unknown[] ? number : keyof Value)]
      ? true
      : false
    : true
  : false;

type SpelledBelow<Value> = Value extends object
  ? {
      readonly [Name in keyof Value]?: Name extends keyof SpelledHere<Value>
        ? SpelledHere<Value>[Name]
        : SpelledBelow<Value[Name]>;
    }
  : unknown;

/** What is wrong, in the compiler's message. No value has this type. */
declare class Problem<What extends string> {
  private readonly problem: What;
}

type CamelCase<Key> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail> & string>}`
  : Key;

/** The value of a key that an object has in one of these spellings. */
export type Key<Value, Names extends string> = Value extends object ? Value[Names & keyof Value] : never;

export type Item<All> = All extends readonly (infer Element)[] ? Element : never;

type Named<Value, Key extends string, Otherwise = string> = Value extends {
  readonly [Known in Key]: infer Found extends string;
}
  ? Found
  : Otherwise;

type KeyName<Value> = [NonNullable<Value>] extends [never] ? never : Extract<keyof NonNullable<Value>, string>;

type ToolName<Tools> = Tools extends readonly unknown[] ? Named<Item<Tools>, "name"> : KeyName<Tools>;

/** A text that says why there is no name, where there is none. */
type OrNone<Name extends string, Why extends string> = [Name] extends [never] ? Why : Name;
