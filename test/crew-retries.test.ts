import { describe, expect, it } from "vitest";
import { loadCrew, type Model, ModelError } from "../src/index.ts";
import { createVirtualClock } from "../src/run/virtual-clock.ts";
import { writeCrew } from "./write-crew.ts";

const files = {
  "crew.yaml": `version: "2.0"
name: master
models: [my/model]
agents: [lead]
settings: { timeout_seconds: 100000 }
sub_crews: { lab: { config_path: ./lab } }
routing: { signals: { lead: [{ signal: "[MEASURE]", target_crew: lab, on_error: retry, max_retries: 9 }] } }
`,
  "agents/lead.md": "---\ndescription: leads\n---\nSay [MEASURE].",
  "lab/crew.yaml": 'version: "2.0"\nname: lab\nmodels: [my/model]\nagents: [meter]\n',
  "lab/agents/meter.md": "---\ndescription: measures\nmax_retries: 0\n---\nMeasure.",
};

describe("the waits before a sub-crew is called again", () => {
  it("are between half and all of what doubles up to half a minute, by chance", async () => {
    const call: Model["call"] = async ({ crew }) => {
      if (crew === "lab") throw new ModelError("overloaded", { code: "overloaded", isRetryable: true });
      return { text: "measure it [MEASURE]", toolCalls: [], finish: "stop" };
    };
    const models = { "my/model": { name: "my/model", call } };
    const crew = await loadCrew(writeCrew(files), { clock: createVirtualClock(), models });
    const shares: number[] = [];
    for (let count = 0; count < 12; count++) {
      const waits: number[] = [];
      const result = await crew.run("How long?", {
        onEvent: ({ type, data }) => void (type === "crew.retrying" && waits.push(data.waitMs)),
      });
      expect(result).toMatchObject({ status: "failed", error: { code: "sub_crew_failed" } });
      const longest = [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000];
      expect(waits).toHaveLength(longest.length);
      shares.push(...longest.map((most, index) => (waits[index] ?? 0) / most));
    }
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.5);
    expect(Math.max(...shares)).toBeLessThanOrEqual(1);
    // Of a hundred waits some are near each end.
    expect(Math.min(...shares)).toBeLessThan(0.6);
    expect(Math.max(...shares)).toBeGreaterThan(0.9);
  });
});
