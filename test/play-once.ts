import { playScenario } from "../src/scenario/play-scenario.ts";
import { readScenario, type Scenario } from "../src/scenario/read-scenario.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";

interface PlayedFile {
  readonly scenario: Scenario;
  /** Absent where the scenario is about what cannot be loaded or run. */
  readonly events: readonly BatonEvent[] | undefined;
}

const plays = new Map<string, Promise<PlayedFile | undefined>>();

/** The run of a file's scenario, for all test files of a process, since several look at every scenario. Undefined where the file is wrong. */
export function playOnce(file: string): Promise<PlayedFile | undefined> {
  const play = plays.get(file) ?? playFile(file);
  plays.set(file, play);
  return play;
}

async function playFile(file: string): Promise<PlayedFile | undefined> {
  const read = readScenario(file, () => file);
  if ("diagnostics" in read) return undefined;
  const { events } = await playScenario(read.scenario);
  return { scenario: read.scenario, events };
}
