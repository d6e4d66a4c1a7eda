import { expect, it } from "vitest";
import {
  type BatonEvent,
  type CrewDefinition,
  defineCrew,
  type Model,
  ModelError,
  openMemoryStore,
  type Store,
} from "../src/index.ts";

/** A crew of two that say the same of themselves; `failing` cannot do it. */
function alike(entry: string, store: Store, settings: CrewDefinition["settings"] = {}, failing?: string) {
  const model: Model = {
    name: "m/m",
    call: async ({ agent }) => {
      if (agent === failing) throw new ModelError("no", { status: 400 });
      return { text: "done", toolCalls: [], finish: "stop" };
    },
  };
  const definition: CrewDefinition = {
    name: "desk",
    models: ["m/m"],
    entry_point: entry,
    agents: ["ink", "paper"].map((id) => ({ id, description: "printers and scanners", prompt: "Help." })),
    settings: { on_no_signal: "stop", min_confidence: 0, ...settings },
  };
  return defineCrew(definition, { store, models: { custom: new Map([["m/m", model]]), variables: {} } });
}

it("of those that fit alike, one that did well when it began before is chosen", async () => {
  const store = openMemoryStore();
  expect((await alike("auto", store).run("the printers")).path).toEqual(["ink"]);
  for (let index = 0; index < 3; index++) {
    await alike("paper", store).run("the printers");
    await alike("ink", store, {}, "ink").run("the printers");
  }
  const events: BatonEvent[] = [];
  const { runId } = await alike("auto", store).run("the printers", { onEvent: (event) => void events.push(event) });
  expect(events.find(({ type }) => type === "classification")?.data).toMatchObject({ agent: "paper" });
  expect(events[0]?.data).toMatchObject({ learned: [{ targets: [{ to: "paper", successes: 3 }, { to: "ink" }] }] });
  expect((await alike("auto", store).replay(runId)).divergence).toBeUndefined();
  expect((await alike("auto", store, { learning: false }).run("the printers")).path).toEqual(["ink"]);
});
