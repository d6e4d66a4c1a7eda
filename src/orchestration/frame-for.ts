import { frameInMarkdown, frameInTags, type Section } from "../context/frame.ts";
import type { Agent } from "../vocabulary/crew.ts";
import type { EventPlace } from "../vocabulary/events.ts";
import type { CrewRun } from "./crew-run.ts";

/** An agent's input put together as it wants other agents' words framed. */
export function frameFor(
  agent: Agent,
  sections: readonly Section[],
  place: EventPlace,
  { world: { run, drawNonce } }: CrewRun,
): string {
  const isFramed = sections.some(({ kind }) => kind !== "plain");
  if (agent.promptStyle === "markdown" || !isFramed) return frameInMarkdown(sections);
  const key = `${place.path} ${run.count(`nonce at ${place.path}`)}`;
  // On record, since a fork replays another run's events.
  const { nonce } = run.observe(place, "nonce.drawn", () => ({ nonce: drawNonce(key) })) ?? { nonce: drawNonce(key) };
  return frameInTags(sections, nonce);
}
