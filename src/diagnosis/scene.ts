import type { Agent, Crew } from "../vocabulary/crew.ts";
import type { BatonEvent, EventPlace } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import type { CrewKey, Evidence, Found } from "./finding.ts";
import { buildStory, getAnswer, type Invocation, type Story } from "./story.ts";

/** A run and the crew it was a run of: what every detector looks at. Without the crew, less can be said. */
export interface Scene {
  readonly story: Story;
  /** The crew, or sub-crew by its names in events, as it was in the run. */
  findCrew(names: string | undefined): Crew | undefined;
  findAgent(actor: Actor): Agent | undefined;
}

/** The agent that an invocation or an event belongs to. */
type Actor = Pick<EventPlace, "crew" | "agent">;

/** Finds one kind of failure. Pure, and in time that grows with the number of events. */
export type Detector = (scene: Scene) => readonly Found[];

export function createScene(events: readonly BatonEvent[], crew: Crew | undefined): Scene {
  const findCrew = (names: string | undefined) => findSubCrew(crew, names);
  return {
    story: buildStory(events),
    findCrew,
    findAgent: ({ crew: names, agent = "" }) => findCrew(names)?.agents.get(agent),
  };
}

/** A sub-crew by the names of all crews around it, which may hold a slash themselves; the crew itself without any. */
export function findSubCrew(crew: Crew | undefined, names: string | undefined): Crew | undefined {
  if (names === undefined) return crew;
  for (const [name, { crew: within }] of crew?.subCrews ?? []) {
    if (name === names) return within;
    const found = names.startsWith(`${name}/`) ? findSubCrew(within, names.slice(name.length + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** As much of a text as says what it is. */
const EXCERPT = 160;

/** An event as evidence, with the words in it that matter. */
export function quoteEvent(event: BatonEvent, text: string): Evidence {
  const words = text
    .slice(0, 4 * EXCERPT)
    .replace(/\s+/g, " ")
    .trim();
  const cut = words.length > EXCERPT ? `${words.slice(0, EXCERPT - 1)}…` : words;
  return { seq: event.seq ?? 0, agent: nameSpeaker(event), text: cut };
}

/** The end of an agent's work as evidence: what it answered, or the words in it that matter. */
export function quoteEnd(invocation: Invocation, text = getAnswer(invocation)): Evidence {
  return quoteEvent(invocation.end ?? invocation.started, text);
}

/** A key in the file of the agent that was at work. */
export function locateAgentKey({ crew, agent = "" }: Actor, ...keys: readonly (string | number)[]): CrewKey {
  return { ...(crew !== undefined && { crew }), agent, keys };
}

/** A key in crew.yaml of the crew in which somebody was at work. */
export function locateCrewKey(crew: string | undefined, ...keys: readonly (string | number)[]): CrewKey {
  return { ...(crew !== undefined && { crew }), keys };
}
