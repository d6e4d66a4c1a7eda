import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../src/journal/open-sqlite-store.ts";
import { agentFiles } from "./load-written-crew.ts";
import { runBaton, startBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const members = ["a", "b", "c", "d", "e", "f", "g", "h"];
const dear = `max_output_tokens: 100
cost_limits: { input_token_price_per_million: 0, output_token_price_per_million: 1000 }`;

/** A crew that asks nine agents, eight of them at once, at ten cents a call, and may spend so much on a day. */
function project(maxCostUsd: number): string {
  return writeCrew({
    "package.json": "{}",
    "crew.yaml": JSON.stringify({
      version: "2.0",
      name: "dear",
      agents: ["lead", ...members],
      routing: {
        signals: {
          lead: [
            { signal: "[ALL]", target: "everybody" },
            { signal: "[END]", target: "" },
          ],
        },
        parallel_groups: { everybody: { agents: members, wait_for_all: true, next_agent: "lead" } },
      },
      settings: { quotas: { max_cost_usd: maxCostUsd, per: "day" } },
    }),
    ...agentFiles(Object.fromEntries(["lead", ...members].map((id) => [id, dear]))),
    "replies.yaml": JSON.stringify({
      lead: [
        { text: "[ALL]", usage: { output: 100 } },
        { text: "[END]", usage: { output: 100 } },
      ],
      ...Object.fromEntries(members.map((id) => [id, [{ text: id, usage: { output: 100 }, latency_ms: 200 }]])),
    }),
  });
}

/** Runs the crew in so many processes at once, and gives what each came to, and what all of them spent. */
async function runTogether(cwd: string, processes: number) {
  const home = join(cwd, ".baton");
  const run = ["run", ".", "go", "--script", "replies.yaml"];
  const exitCodes = await Promise.all(Array.from({ length: processes }, () => startBaton(run, cwd, home)));
  const store = await openSqliteStore(join(home, "journal.sqlite"));
  const runs = await store.list();
  const spent = await Promise.all(runs.map(async ({ runId }) => callsIn(await store.read(runId))));
  const [day] = await store.documents("spending");
  await store.close();
  return { exitCodes, runs: runs.map(({ runId }) => runId), calls: spent.reduce((sum, each) => sum + each, 0), day };
}

function callsIn(events: readonly { readonly type: string }[]): number {
  return events.filter(({ type }) => type === "model.called").length;
}

describe("a day's cap, where several processes run at once", () => {
  it("is not passed by a single call, and what is booked is what was called", async () => {
    const cwd = project(1.2);
    const { exitCodes, runs, calls, day } = await runTogether(cwd, 4);
    expect(exitCodes).toContain(5);
    expect(calls).toBeLessThanOrEqual(12);
    expect(calls).toBeGreaterThanOrEqual(9);
    expect(day?.value).toMatchObject({ llmCalls: calls });
    for (const runId of runs) {
      const replayed = runBaton(["replay", runId], { cwd, home: join(cwd, ".baton") });
      expect(replayed, replayed.stderr).toMatchObject({ exitCode: 0 });
    }
  });

  it("stops nobody where there is enough for all", async () => {
    const { exitCodes, calls, day } = await runTogether(project(3), 3);
    expect(exitCodes).toEqual([0, 0, 0]);
    expect(calls).toBe(30);
    expect(day?.value).toMatchObject({ llmCalls: 30, usd: expect.closeTo(3) });
  });
});
