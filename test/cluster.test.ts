import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { newSchema } from "./postgres-server.ts";
import { runBaton } from "./run-baton.ts";
import { openCluster } from "./start-cluster.ts";
import { writeCrew } from "./write-crew.ts";

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
  name: "pay", description: "pays", effect: "once", parameters: { type: "object", properties: { euros: { type: "number" } } },
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

  it("wait in the queue of their crew, the urgent ones first, and never more at once than it allows", async () => {
    const cluster = await openCluster({
      ...files,
      "baton.yaml": "queues: [{ name: calm, concurrency: 1 }]",
      "crew.yaml": `${files["crew.yaml"]}settings: { queue: calm }\n`,
      "replies.yaml": 'clerk: [{ text: "Done. [DONE]", latency_ms: 300 }]',
    });
    const start = (priority: number, key: string) =>
      cluster.ask("/v1/crews/desk/runs", { input: key, priority }, { "idempotency-key": key });
    const [late, last, urgent] = [await start(100, "late"), await start(200, "last"), await start(0, "urgent")];
    expect((await start(0, "urgent")).runId).toBe(urgent.runId);
    expect((await cluster.ask("/metrics")).text).toContain('baton_queue_depth{queue="calm"} 3');
    expect(cluster.baton("workers").stderr).toContain("no worker is running, and 3 runs wait");
    const reading = cluster.stream(`/v1/runs/${last.runId}/events`).then((response) => response.text());
    await cluster.startWorker("blue");
    expect(await reading).toContain('"type":"run.completed"');
    const order = await cluster.schema.query(`SELECT run_id FROM ${cluster.schema.name}.runs ORDER BY updated_at`);
    expect(order.map((row) => row["run_id"])).toEqual([urgent, late, last].map(({ runId }) => runId));
    const twice = cluster.baton(
      "worker",
      cluster.folder,
      "--name",
      "blue",
      "--lease",
      "500",
      "--script",
      "replies.yaml",
    );
    expect([twice.exitCode, twice.stderr]).toEqual([1, expect.stringContaining("a worker called 'blue' is running")]);
  });
});

describe("workers", () => {
  const folder = writeCrew({ ...files, "baton.yaml": "" });
  const fail = (...args: readonly string[]) => runBaton(["worker", folder, ...args], { cwd: folder });

  it("are refused on a store that is a file", () => {
    expect(fail("--script", "replies.yaml").stderr).toContain("workers share runs through PostgreSQL");
    expect(runBaton(["serve", folder, "--work"], { cwd: folder }).stderr).toContain("--work shares runs through");
    expect(runBaton(["workers"], { cwd: folder }).stderr).toContain("workers share a store in PostgreSQL");
  });

  it("say what their crews lack, if they can run none", async () => {
    const { url } = await newSchema();
    const { exitCode, stderr } = fail("--store", url);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/can run none of its crews.*desk: .*OPENAI_API_KEY/)]);
  });
});
