import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { systemClock } from "../src/run/clock.ts";
import { continuationEvent } from "../src/runtime/continuation-events.ts";
import { findScenarios, runScenario } from "../src/scenario/play-scenarios.ts";
import { recordScenario } from "../src/scenario/record-scenario.ts";
import { playOnce } from "./play-once.ts";
import { writeCrew } from "./write-crew.ts";

const folder = fileURLToPath(new URL("./scenarios", import.meta.url));
/** What a limit of time decided cannot be told from events; nor can tools that only the first scenario declares. */
const timed = /timeout|late|race|tool-of-another/;

describe("a scenario that is written from a recorded run", () => {
  const files = findScenarios(folder).filter(
    (file) => !timed.test(relative(folder, file)) && !/timeout|delay_ms/.test(readFileSync(file, "utf8")),
  );
  it.each(files.map((file) => relative(folder, file)))("passes: %s", async (name) => {
    const { scenario, events } = (await playOnce(join(folder, name))) ?? {};
    if (scenario?.files === undefined || events === undefined) return;
    const text = recordScenario(events, scenario.run ?? ".");
    const home = writeCrew({ ...Object.fromEntries(scenario.files), "again.scenario.yaml": text });
    const { problems } = await runScenario(join(home, "again.scenario.yaml"), home);
    expect(problems, text).toEqual([]);
  });

  it("takes no time for that in which nobody ran the run", async () => {
    const name = "pause/after-two-sub-agents-at-once.scenario.yaml";
    const { events = [] } = (await playOnce(join(folder, name))) ?? {};
    const called = events.findIndex(({ type }) => type === "model.called") + 1;
    const day = 86_400_000;
    const later = events.slice(called).map((event) => ({ ...event, ts: event.ts + day }));
    const last = events[called - 1];
    if (last === undefined) throw new Error("nobody was called");
    const recorded = [
      ...events.slice(0, called),
      continuationEvent(last, "forked", { ...systemClock, now: () => last.ts + day }),
    ];
    const text = recordScenario([...recorded, ...later], ".");
    expect(text).toBe(recordScenario(events, "."));
  });
});
