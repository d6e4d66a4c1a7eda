import { describe, expect, it } from "vitest";
import { type CrewDefinition, defineCrew, type Model, ModelError, openMemoryStore } from "../src/index.ts";

const definition: CrewDefinition = {
  name: "desk",
  models: ["m/m"],
  agents: [
    { id: "triage", prompt: "Read." },
    { id: "fixer", prompt: "Repair.", isTerminal: true },
  ],
  routing: { signals: { triage: [{ signal: "[FIX]", target: "fixer" }] } },
  settings: { retry_backoff_min_millis: 1 },
};
const usage = { input: 7, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 9 };

describe("replay/<run>", () => {
  it("gives what the models of a run that is kept replied, failures included", async () => {
    const store = openMemoryStore();
    let calls = 0;
    const model: Model = {
      name: "m/m",
      call({ agent }) {
        if (++calls === 1) throw new ModelError("slow down", { status: 429, retryAfterMs: 1 });
        return { text: agent === "triage" ? "It needs a fuse. [FIX]" : "Fixed.", toolCalls: [], usage, finish: "stop" };
      },
    };
    const first = await defineCrew(definition, { store, models: { "m/m": model } }).run("Go");
    expect(calls).toBe(3);
    const again = defineCrew({ ...definition, models: [`replay/${first.runId}`] }, { store });
    const second = await again.run("Go");
    expect(second).toMatchObject({ status: "completed", output: "Fixed.", path: first.path, usage: first.usage });
    expect(calls).toBe(3);
  });

  it("needs a run that is there", async () => {
    const crew = defineCrew(
      { ...definition, models: ["replay/run_00000000000000000000"] },
      { store: openMemoryStore() },
    );
    await expect(crew.run("Go")).rejects.toMatchObject({ code: "unknown-run" });
  });
});
