import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openCluster } from "./start-cluster.ts";

/** A crew whose clerk asks, and pays once, which takes a while. */
const files = {
  "baton.yaml": "",
  "crew.yaml": `version: "2.0"
name: desk
agents: [clerk]
tools: { pay: "./pay.ts#pay" }
routing:
  signals:
    clerk: [{ signal: "[ASK]", type: pause }, { signal: "[DONE]", target: "" }]
`,
  "pay.ts": `import { appendFileSync } from "node:fs";
export const pay = {
  name: "pay", description: "pays", effect: "once", parameters: { type: "object" },
  read: (args) => args,
  execute: () => { appendFileSync(new URL("paid.txt", import.meta.url), "x"); return "paid"; },
};
`,
  "paid.txt": "",
  "agents/clerk.md": "---\nid: clerk\nmodels: [openai/x]\ntools: [pay]\n---\nHelp. [ASK] [DONE]",
  "replies.yaml": `clerk:
  - { tools: [{ name: pay, args: {} }] }
  - "Which one? [ASK]"
  - { text: "That one. [DONE]", latency_ms: 4000 }
`,
};

describe("runs that a server queues in PostgreSQL", () => {
  it("are run by workers, and continued by another one within 5 s when theirs is killed", async () => {
    const cluster = await openCluster(files);
    const workers = { blue: await cluster.startWorker("blue"), red: await cluster.startWorker("red") };
    const paused = await cluster.ask("/v1/crews/desk/runs", { input: "x" }, { prefer: "wait=30" });
    expect(paused).toMatchObject({ status: "paused", output: "Which one?" });
    const answered = await cluster.ask(`/v1/runs/${paused.runId}/resume`, { input: "the left one" });
    expect(answered).toMatchObject({ status: "queued", runId: paused.runId });
    const again = await cluster.ask(`/v1/runs/${paused.runId}/resume`, { input: "the right one" });
    expect(again).toMatchObject({ code: "not-paused" });
    const told = `SELECT name FROM ${cluster.schema.name}.workers WHERE runs LIKE '%' || $1 || '%'`;
    const findWorker = async () => (await cluster.schema.query(told, [paused.runId]))[0]?.["name"];
    await expect.poll(findWorker).toMatch(/^(blue|red)$/);
    const holder = (await findWorker()) === "blue" ? "blue" : "red";
    const killedAt = Date.now();
    workers[holder].kill("SIGKILL");
    const stream = await (await cluster.stream(`/v1/runs/${paused.runId}/events?deltas=false`)).text();
    const recovered = [...stream.matchAll(/"ts":(\d+)[^\n]*"type":"run.continued"[^\n]*"why":"(\w+)"/g)].at(-1);
    expect(recovered?.[2]).toBe("recovered");
    expect(Number(recovered?.[1]) - killedAt).toBeLessThan(5000);
    expect(stream).toContain("event: end");
    expect(await cluster.ask(`/v1/runs/${paused.runId}`)).toMatchObject({ status: "completed", output: "That one." });
    expect(readFileSync(`${cluster.folder}/paid.txt`, "utf8")).toBe("x");
    const other = holder === "blue" ? "red" : "blue";
    expect(cluster.baton("drain", other).stdout).toContain(`${other} takes no more runs, and ends`);
    expect(await once(workers[other], "exit")).toEqual([0, null]);
    expect(cluster.baton("workers").stderr).toContain("no worker is running");
    expect(cluster.baton("drain", "green").stderr).toContain("there is no worker called 'green'");
  });
});
