import type { Agent, Crew } from "../vocabulary/crew.ts";
import type { BatonEvent, EventPlace } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import type { CrewKey, Evidence, Found } from "./finding.ts";
import { buildStory, getAnswer, type Invocation, type Story } from "./story.ts";

/** A run and its crew, which every detector looks at. Without the crew, detectors find less. */
export interface Scene {
  readonly story: Story;
  /** The crew or sub-crew as it was in the run; `names` are those in events. */
  findCrew(names: string | undefined): Crew | undefined;
  findAgent(actor: Actor): Agent | undefined;
}

/** The agent that an invocation or an event belongs to. */
type Actor = Pick<EventPlace, "crew" | "agent">;

/** Finds one kind of failure. It is pure, and its time is linear in the number of events. */
export type Detector = (scene: Scene) => readonly Found[];

export function createScene(events: readonly BatonEvent[], crew: Crew | undefined): Scene {
  const findCrew = (names: string | undefined) => findSubCrew(crew, names);
  return {
    story: buildStory(events),
    findCrew,
    findAgent: ({ crew: names, agent = "" }) => findCrew(names)?.agents.get(agent),
  };
}

/**
 * Finds a sub-crew by the names of all crews around it, which may contain slashes themselves. Without names, it is the crew
 * itself.
 */
export function findSubCrew(crew: Crew | undefined, names: string | undefined): Crew | undefined {
  if (names === undefined) return crew;
  for (const [name, { crew: within }] of crew?.subCrews ?? []) {
    if (name === names) return within;
    const found = names.startsWith(`${name}/`) ? findSubCrew(within, names.slice(name.length + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The length of a quotation. */
const EXCERPT = 160;

/** Quotes an event as evidence, with the words in it that matter. */
export function quoteEvent(event: BatonEvent, text: string): Evidence {
  const words = text
    .slice(0, 4 * EXCERPT)
    .replace(/\s+/g, " ")
    .trim();
  const cut = words.length > EXCERPT ? `${words.slice(0, EXCERPT - 1)}…` : words;
  return { seq: event.seq ?? 0, agent: nameSpeaker(event), text: cut };
}

/** Quotes the end of an agent's work as evidence: its answer, or the words in it that matter. */
export function quoteEnd(invocation: Invocation, text = getAnswer(invocation)): Evidence {
  return quoteEvent(invocation.end ?? invocation.started, text);
}

/** A key in the agent's file. */
export function locateAgentKey({ crew, agent = "" }: Actor, ...keys: readonly (string | number)[]): CrewKey {
  return { ...(crew !== undefined && { crew }), agent, keys };
}

/** A key in the crew.yaml of the crew. */
export function locateCrewKey(crew: string | undefined, ...keys: readonly (string | number)[]): CrewKey {
  return { ...(crew !== undefined && { crew }), keys };
}
