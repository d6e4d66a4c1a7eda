import { fileURLToPath } from "node:url";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { playOnce } from "./play-once.ts";

/** The events of a scenario among those of the tests. */
export async function eventsOf(name: string): Promise<readonly BatonEvent[]> {
  const file = fileURLToPath(new URL(`./scenarios/${name}.scenario.yaml`, import.meta.url));
  const { events } = (await playOnce(file)) ?? {};
  if (events === undefined) throw new Error(`${name} does not run`);
  return events;
}
