import type { History } from "../context/history.ts";
import type { Model } from "../models/model.ts";
import type { Budget, Level } from "../run/budget.ts";
import type { Clock } from "../run/clock.ts";
import type { DayTotals } from "../run/day-totals.ts";
import type { Run } from "../run/run.ts";
import type { Scope } from "../run/scope.ts";
import type { CallableFunction } from "../tools/agent-function.ts";
import type { Tool } from "../tools/tool.ts";
import type { Agent, Crew } from "../vocabulary/crew.ts";
import type { EventData, EventPlace, Failure, StopReason } from "../vocabulary/events.ts";
import type { LearnedTargets, PastEntry } from "../vocabulary/run-start.ts";
import type { Answer, Asked, Question } from "./agent-call.ts";
import type { MemoryPort } from "./memory-port.ts";
import type { TeamKind } from "./patterns/team-kind.ts";
import type { EntryRanker } from "./rank-entries.ts";
import type { SignalReader } from "./read-signals.ts";

/** What handlers of external signals are told. */
export interface ExternalSignal {
  readonly runId: string;
  readonly signal: string;
  readonly agent: string;
  readonly content: string;
}

/** How that went: the answer of a handler, and what failed. */
export interface ExternalDelivery {
  readonly response?: unknown;
  readonly failures: readonly string[];
}

/** What a crew's run is given from outside. */
export interface World {
  readonly run: Run;
  readonly clock: Clock;
  /** The chain of models of an agent, in the order in which they are tried. */
  models(agent: Agent): readonly Model[];
  /** What answers in place of a model; undefined for an agent that has one. */
  findFunction(agent: Pick<Agent, "id" | "function">): CallableFunction | undefined;
  /** What checks an agent's JSON answer beyond its JSON Schema, and says what is wrong with it. */
  readonly findOutputCheck?: ((agent: Agent) => ((value: unknown) => string | undefined) | undefined) | undefined;
  /** The tool of a name that the crew declares; all of them are there before the run begins. */
  tool(name: string, crew: Crew): Tool;
  /** The names of the tools that `<server>__*` stands for. */
  serverTools(pattern: string, crew: Crew): readonly string[];
  /** What agents remember across runs. */
  readonly memory?: MemoryPort | undefined;
  readonly signalReader: SignalReader;
  /** Who fits an input, for crews that leave open who begins. */
  readonly rankEntries: EntryRanker;
  /** What nobody can guess, but is the same wherever the run replays its journal. */
  drawNonce(place: string): string;
  /** What other runs took of the quotas of a day. */
  readonly dayTotals?: DayTotals | undefined;
  /** How agents did that began earlier runs, as it was when the run began. */
  readonly began?: readonly PastEntry[] | undefined;
  /** What earlier runs showed of whom to hand over to, likewise. */
  readonly learned?: readonly LearnedTargets[] | undefined;
  /** Kinds of teams besides Baton's own. */
  readonly teamKinds?: ReadonlyMap<string, TeamKind> | undefined;
  /** Tells handlers of an external signal of a crew; what one of them answers, if any does. A delivery has its id however often it is tried. */
  external(signal: ExternalSignal, deliveryId: string, abort: AbortSignal, crew: Crew): Promise<ExternalDelivery>;
  /** Calls an agent from inside another or a group; given from outside, since agents call agents. */
  callAgent(question: Question, crewRun: CrewRun): Promise<Asked>;
  /** Runs a crew on an input from its first agent to its end; given from outside, since crews call crews. */
  beginCrew(crewRun: CrewRun, input: string, history: History | undefined): Promise<CrewOutcome>;
}

/** What is counted for quotas of a crew or an agent, and the runs of the crew that count in it. */
export interface KeptLevel {
  readonly level: Level;
  readonly crewRuns: Set<CrewRun>;
}

/** A value, and how often its key was written. */
export interface Remembered {
  readonly value: unknown;
  readonly version: number;
}

/** What the crews of one run have in common; made when first needed. */
export interface SharedByCrews {
  /** The name of the run's own crew. */
  readonly rootName: string;
  /** Handoffs of all crews together, and how many there may be. */
  handoffs: number;
  readonly maxRunHandoffs: number;
  /** How the run ends, where a crew within it reached a limit of the whole run. */
  ended: CrewOutcome | undefined;
  /** Quotas by crew and agent: they hold for the run, however often a crew is called. */
  levels: Map<string, KeptLevel> | undefined;
  /** The run's memory, of which each crew sees what it was granted. */
  memory: Map<string, Remembered> | undefined;
  /** The plan that agents with todo tools keep. */
  plan: EventData["todo.set"]["items"] | undefined;
  /** How many agents were put into crews that agents composed. */
  composed: number;
  /** Messages of deprecated signals that were pointed out already. */
  noted: Set<string> | undefined;
  /** Whether the run's reader sees signal tokens, which the run's own crew says for all crews of the run. */
  readonly showsSignals: boolean;
}

/** The `max_crew_depth` that decides how deep crews may go from here. */
interface DepthLimit {
  readonly limit: number;
  /** Whose it is; undefined for the run's own crew. */
  readonly crew: string | undefined;
}

/** What a crew has of its caller, and shares with all crews of the run. */
export interface Within {
  readonly budget: Budget | undefined;
  readonly depth: number;
  readonly maxDepth: number;
  readonly depthLimit: DepthLimit;
  readonly shared: SharedByCrews;
  readonly grants: ReadonlyMap<string, "read" | "write"> | undefined;
  /** The run of the crew whose agents they are, where one of them has put this crew together. */
  readonly composer?: CrewRun;
}

/** One crew at work: its own counts and limits, within a run that may hold several. */
export interface CrewRun {
  readonly crew: Crew;
  readonly world: World;
  readonly scope: Scope;
  /** The place of the crew in the run; its rounds are numbered below it. */
  readonly place: EventPlace;
  /** What was broadcast to each agent, for those who do not share the crew's history. */
  readonly broadcasts: Map<string, History>;
  /** Agents, groups and sub-crews in the order they answered. */
  readonly path: string[];
  /** How many crews are around it. */
  readonly depth: number;
  readonly maxDepth: number;
  readonly depthLimit: DepthLimit;
  readonly maxHandoffs: number;
  readonly maxRounds: number;
  readonly shared: SharedByCrews;
  /** The keys of the run's memory that it may use; undefined for the run's own crew, which may use all. */
  readonly grants: Within["grants"];
  /** The run of the crew that it was put together in, whose agents and quotas are its own. */
  readonly composer: CrewRun | undefined;
  /** What the crew was asked. */
  original: string;
  /** What sub-crews gave, by name, and the newest of it. */
  results: Map<string, string> | undefined;
  lastResult: string;
  handoffs: number;
  /** How often each agent transferred the same to the same target; made when first needed. */
  transfers: Map<string, number> | undefined;
  /** The length of the path when work was last transferred; 0 where it never was. */
  transferredAt: number;
  /** Places given out so far. */
  rounds: number;
  /** What the crew gives to whoever called it if it ends now. */
  output: string;
  /** The same as the run's reader gets it. */
  shown: string;
  finalAgent: string;
  /** What the crew's calls count in, where there are quotas. */
  budget: Budget | undefined;
  /** Why a quota, or a limit of the whole run, has closed the crew's scope. */
  stopped: Failure | undefined;
}

/** How a crew's run ends; a pause is thrown past it. */
export type CrewOutcome =
  | {
      readonly type: "completed";
      readonly stopReason: StopReason;
      readonly signal?: string | undefined;
      /** The limit that ended it, where one did. */
      readonly error?: Failure | undefined;
    }
  | { readonly type: "failed"; readonly stopReason: StopReason; readonly failure: Failure };

/** The place of the next round, of whoever speaks in it. */
export function nextPlace(crewRun: CrewRun, agent?: string): EventPlace {
  const { path, crew } = crewRun.place;
  return { path: `${path}${path === "" ? "" : "/"}${crewRun.rounds++}`, agent, crew };
}

/** Who an agent on the crew's line is to those it calls. */
export function formatCallPath({ place, crew }: CrewRun, agent: string): string {
  return `${place.crew ?? crew.name}/${agent}`;
}

/** Notes an answer: what stands in the path, and what the run gives if it ends now. */
export function noteAnswer(
  crewRun: CrewRun,
  name: string,
  answer: Pick<Answer, "text" | "shown">,
  agent?: string,
): void {
  crewRun.path.push(name);
  setOutput(crewRun, answer);
  if (agent !== undefined) crewRun.finalAgent = agent;
}

/** A text as agents see it, and as the run's reader does where that differs. */
export interface ShownText {
  readonly text: string;
  readonly shown?: string;
}

export function setOutput(crewRun: CrewRun, { text, shown = text }: Pick<Answer, "text" | "shown">): void {
  crewRun.output = text;
  crewRun.shown = shown;
}

/** The part of an event that says what the run's reader sees of a text, where that differs. */
export function shownIn(text: string, shown: string | undefined): { readonly shown?: string } {
  return shown === undefined || shown === text ? {} : { shown };
}

/** The agent of an id that the crew's own files gave. */
export function findAgent({ agents }: Crew, id: string): Agent {
  const agent = agents.get(id);
  if (agent === undefined) throw new Error(`the crew has no agent '${id}'; loading should have said so`);
  return agent;
}
