import type { Agent, Crew, SubCrew } from "../../vocabulary/crew.ts";
import { joinPlace } from "../list-crews.ts";
import { type AgentBounds, boundAgent, type CallLimits, limitCalls } from "./agent-bounds.ts";
import { findRecursiveAgents } from "./in-call.ts";
import type { Measure } from "./measure.ts";
import type { ModelFacts } from "./model-facts.ts";
import type { Work } from "./work.ts";

/** A crew where it is called in a run: how deep, within which limits. One that is called alike in several places is one. */
export interface CrewAt {
  readonly crew: Crew;
  /** The names of the sub-crews that lead there. */
  readonly place: string;
  readonly depth: number;
  readonly maxDepth: number;
  readonly limits: CallLimits;
  /** Whether crews of the run may share memory. */
  readonly hasMemory: boolean;
  readonly survey: Survey;
  readonly agents: Map<string, AgentBounds>;
  readonly known: Map<string, Work>;
  readonly below: Map<string, CrewAt | undefined>;
  /** Agents that may be called within their own call, because transfers lead back to whoever called. */
  readonly recursive: ReadonlySet<string>;
}

/** An agent that is called from inside another agent or a group, for the answer of whoever is last in its chain. */
export interface Calling {
  readonly agent: string;
  /** How much it may read of what was said before, in tokens. */
  readonly said: number;
  /** Whether nothing is summed up for those it calls, since that is what it is called for itself. */
  readonly isOfSummary?: boolean | undefined;
  /** Turns of whoever speaks for a member of a team. */
  readonly memberTurns?: number | undefined;
  /** Whether it answered before, and continues its session. */
  readonly isAgain?: boolean | undefined;
  /** How deep calls are nested: 1 for an agent on its crew's line or in a group. */
  readonly depth?: number | undefined;
}

/** All that one figure is found out with. What agents and crews call in turn is passed in, so that nothing imports in circles. */
export interface Survey {
  readonly measure: Measure;
  callWork(at: CrewAt, calling: Calling): Work;
  crewWork(at: CrewAt, said: number): Work;
  listModels(agent: Agent, name: string): readonly ModelFacts[];
  readonly maxRunHandoffs: number;
  /** Who can speak at all, by name. */
  readonly reached: Map<string, AgentBounds>;
  /** What cannot be bounded, by agent. */
  readonly endless: Map<string, string>;
  readonly crews: Map<string, CrewAt>;
  /** Crews by number, as two of them may have one name. */
  readonly numbers: Map<Crew, number>;
}

export function openRoot(crew: Crew, survey: Survey): CrewAt {
  const free = { isCapped: false, perCall: Number.POSITIVE_INFINITY };
  return {
    crew,
    place: "",
    depth: 0,
    maxDepth: crew.settings.maxCrewDepth,
    limits: limitCalls(crew.settings.quotas, free),
    hasMemory: sharesMemory(crew),
    survey,
    agents: new Map(),
    known: new Map(),
    below: new Map(),
    recursive: findRecursiveAgents(crew),
  };
}

function sharesMemory({ subCrews }: Crew): boolean {
  return [...subCrews.values()].some(({ sharedMemory, crew }) => sharedMemory.size > 0 || sharesMemory(crew));
}

/** A sub-crew where it is called; undefined where calls go no deeper. */
export function enterAt(at: CrewAt, name: string): CrewAt | undefined {
  if (at.below.has(name)) return at.below.get(name);
  const subCrew = at.crew.subCrews.get(name);
  const entered = subCrew === undefined || at.depth >= at.maxDepth ? undefined : open(at, name, subCrew);
  at.below.set(name, entered);
  return entered;
}

function numberCrew(crew: Crew, { numbers }: Survey): number {
  const number = numbers.get(crew) ?? numbers.size;
  numbers.set(crew, number);
  return number;
}

function open(at: CrewAt, name: string, { crew, quotas, sharedMemory }: SubCrew): CrewAt {
  const depth = at.depth + 1;
  const maxDepth = Math.min(at.maxDepth, depth + crew.settings.maxCrewDepth);
  const limits = limitCalls([...quotas, ...crew.settings.quotas], at.limits);
  const hasMemory = at.hasMemory && sharedMemory.size > 0;
  const key = JSON.stringify([
    numberCrew(crew, at.survey),
    depth,
    maxDepth,
    limits.isCapped,
    limits.perCall,
    hasMemory,
  ]);
  const { crews } = at.survey;
  const known = crews.get(key) ?? {
    crew,
    place: joinPlace(at.place, name),
    depth,
    maxDepth,
    limits,
    hasMemory,
    survey: at.survey,
    agents: new Map(),
    known: new Map(),
    below: new Map(),
    recursive: findRecursiveAgents(crew),
  };
  crews.set(key, known);
  return known;
}

export function boundsAt(at: CrewAt, id: string): AgentBounds {
  const known = at.agents.get(id);
  if (known !== undefined) return known;
  const { crew, place, limits, hasMemory, survey } = at;
  const agent = crew.agents.get(id);
  if (agent === undefined) throw new Error(`the crew has no agent '${id}'; loading should have said so`);
  const name = joinPlace(place, id);
  const models = agent.function === undefined ? survey.listModels(agent, name) : [];
  const bounds = boundAgent({ agent, crew, name, models, limits, hasMemory });
  at.agents.set(id, bounds);
  return bounds;
}

/** Finds out once what depends on nothing but its key. */
export function once(at: CrewAt, key: string, find: () => Work): Work {
  const known = at.known.get(key);
  if (known !== undefined) return known;
  const work = find();
  at.known.set(key, work);
  return work;
}

/** Contexts that are nearly as large are one: a larger one is never less. */
export function roundContext(tokens: number): number {
  return tokens <= 0 ? 0 : tokens < 1000 ? Math.ceil(tokens / 100) * 100 : 2 ** (Math.ceil(Math.log2(tokens) * 8) / 8);
}
