import { fileURLToPath } from "node:url";
import { playScenario } from "../src/scenario/play-scenario.ts";
import { readScenario } from "../src/scenario/read-scenario.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";

/** The events of a scenario among those of the tests. */
export async function eventsOf(name: string): Promise<readonly BatonEvent[]> {
  const file = fileURLToPath(new URL(`./scenarios/${name}.scenario.yaml`, import.meta.url));
  const read = readScenario(file, () => name);
  const { events } = "diagnostics" in read ? {} : await playScenario(read.scenario);
  if (events === undefined) throw new Error(`${name} does not run`);
  return events;
}
