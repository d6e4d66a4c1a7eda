import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  defineCrew,
  defineTool,
  loadCrew,
  type Model,
  openMemoryStore,
  script,
  type ToolContext,
} from "../src/index.ts";
import { writeCrew } from "./write-crew.ts";

interface Database {
  find(order: string): string;
}
const db: Database = { find: (order) => `${order} is shipped` };

/** A tool that remembers what it was told. */
function watching() {
  const seen: ToolContext[] = [];
  const look = defineTool({
    name: "look",
    description: "looks",
    effect: "read",
    execute: (_, context) => {
      seen.push(context);
      return "seen";
    },
  });
  return { seen, look };
}

const calling = script({ a: [{ tools: [{ name: "look" }, { name: "look" }] }, "done"] });

describe("what a tool is told of its call", () => {
  it("is who calls, in which run, for whom, and which attempt it is", async () => {
    const { seen, look } = watching();
    const crew = defineCrew(
      { name: "desk", agents: [{ id: "a", prompt: "For {{team}}.", tools: ["look"] }], tools: [look] },
      { script: calling, variables: { team: "support" }, context: { db } },
    );
    const { runId } = await crew.conversation("order-7").run("go", { user: "ada", context: { customer: "Bob" } });
    const { signal, idempotencyKey, ...told } = seen[0] ?? expect.fail("the tool was not called");
    expect(told).toEqual({
      runId,
      callId: "0/t0/c0",
      agent: "a",
      crew: "desk",
      conversation: "order-7",
      user: "ada",
      attempt: 1,
      epoch: 1,
      variables: { team: "support" },
      context: { db, customer: "Bob" },
    });
    expect(signal.aborted).toBe(false);
    expect(idempotencyKey).toMatch(/^run_[0-9a-f]{20}\.[0-9a-f]{16}$/);
    expect(seen[1]).toMatchObject({ callId: "0/t0/c1", attempt: 1 });
    expect(seen[1]?.idempotencyKey).not.toBe(idempotencyKey);
  });

  it("names the place of a sub-crew, and nothing that was not given", async () => {
    const { seen, look } = watching();
    const sub = { name: "lab", agents: [{ id: "b", prompt: "Look.", tools: ["look"] }], tools: [look] };
    const crew = defineCrew({ name: "desk", agents: [{ id: "a", prompt: "Delegate." }] }).withSubCrew("lab", sub);
    const replies = script({
      a: [{ tools: [{ name: "crew__delegate", args: { crew: "lab", input: "look" } }] }, "done"],
      b: [{ tools: [{ name: "look" }] }, "seen"],
    });
    await crew.run("go", { script: replies });
    expect(seen[0]).toMatchObject({ agent: "b", crew: "lab", variables: {}, context: {} });
    expect([seen[0]?.user, seen[0]?.conversation]).toEqual([undefined, undefined]);
  });

  it("is the same for a function that answers in place of a model", async () => {
    const seen: ToolContext[] = [];
    const run = (_: string, context: ToolContext) => {
      seen.push(context);
      return "done";
    };
    const crew = defineCrew({ name: "desk", agents: [{ id: "step", description: "steps", run }] });
    await crew.run("go", { user: "ada", context: { db } });
    expect(seen[0]).toMatchObject({ agent: "step", crew: "desk", user: "ada", attempt: 1, context: { db } });
  });
});

describe("the user of a run", () => {
  const crew = () => {
    const { seen, look } = watching();
    const store = openMemoryStore();
    const agents = [{ id: "a", prompt: "Look.", tools: ["look"] }];
    return { seen, store, crew: defineCrew({ name: "desk", agents, tools: [look] }, { store, script: calling }) };
  };

  it("is stored with it, so that a fork has the same", async () => {
    const { seen, store, crew: desk } = crew();
    const { runId } = await desk.run("go", { user: "ada" });
    expect((await store.read(runId))[0]?.data).toMatchObject({ user: "ada" });
    await desk.fork(runId, { at: 0 }).result;
    expect(seen.at(-1)).toMatchObject({ user: "ada" });
  });

  it.each(["", " ", 5, "x".repeat(257), "a\u0000"])("is refused where it is no name: %j", async (user) => {
    const refused = {
      code: "bad-option",
      message: expect.stringContaining("the option 'user' of a run must be a text"),
    };
    await expect(crew().crew.run("go", { user: user as never })).rejects.toMatchObject(refused);
  });

  it("cannot change when a run continues", async () => {
    const { crew: desk } = crew();
    const { runId } = await desk.run("go");
    const options = { user: "bob" } as object;
    const refused = { code: "bad-option", message: expect.stringContaining("is for the start of a run") };
    await expect(desk.fork(runId, { at: 0 }, options).result).rejects.toMatchObject(refused);
    await expect(desk.recover(runId, options).result).rejects.toMatchObject(refused);
  });
});

describe("the context that a caller gives", () => {
  const approved = (seen: ToolContext[]) => ({
    name: "desk",
    models: [{ name: "my/model", call: () => ({ text: "x", toolCalls: [], finish: "stop" }) } satisfies Model],
    agents: [{ id: "a", prompt: "Pay.", tools: ["pay"] }],
    tools: [
      defineTool({
        name: "pay",
        description: "pays",
        needsApproval: true,
        execute: (_, context) => {
          seen.push(context);
          return "paid";
        },
      }),
    ],
  });
  const paying = script({ a: [{ tools: [{ name: "pay" }] }, "done"] });

  it("is in no event and in no request to a model", async () => {
    const requests: string[] = [];
    const store = openMemoryStore();
    const model: Model = {
      name: "my/model",
      call: (request) => {
        requests.push(JSON.stringify([request, request.messages()]));
        return request.calls === 1
          ? { text: "", toolCalls: [{ name: "look", args: {} }], finish: "tool-calls" }
          : { text: "done", toolCalls: [], finish: "stop" };
      },
    };
    const { seen, look } = watching();
    const agents = [{ id: "a", prompt: "Look.", models: [model], tools: ["look"] }];
    const crew = defineCrew({ name: "desk", agents, tools: [look] }, { store, context: { token: "kestrel-4711" } });
    const { runId } = await crew.run("go", { context: { customer: "osprey-4712" } });
    expect(seen[0]?.context).toEqual({ token: "kestrel-4711", customer: "osprey-4712" });
    expect(requests).toHaveLength(2);
    const stored = JSON.stringify([await store.read(runId), await store.documents("crew")]) + requests.join();
    expect(stored).not.toMatch(/kestrel|osprey/);
  });

  it("is asked for again, with what is known of the run, whenever the run continues in a process", async () => {
    const store = openMemoryStore();
    const [first, second, third]: [ToolContext[], ToolContext[], ToolContext[]] = [[], [], []];
    const asked: unknown[] = [];
    const open = (seen: ToolContext[], name: string) =>
      defineCrew(approved(seen), {
        store,
        script: paying,
        variables: { tone: "kind" },
        context: async (run) => {
          asked.push(run);
          return { name };
        },
      });
    const { runId, status } = await open(first, "first").conversation("t").run("go", { user: "ada" });
    expect(status).toBe("paused");
    await open(second, "second").resume(runId, { decision: "approve" }, { context: { extra: 1 } }).result;
    expect([first, second.map(({ context }) => context)]).toEqual([[], [{ name: "second", extra: 1 }]]);
    const known = { runId, crew: "desk", user: "ada", conversation: "t", variables: { tone: "kind" } };
    expect(asked).toEqual([
      { ...known, isContinued: false },
      { ...known, isContinued: true },
    ]);
    const forked = open(third, "third").fork(runId, { at: 0 });
    expect((await forked.result).status).toBe("paused");
    expect(asked[2]).toMatchObject({ runId: forked.id, user: "ada", isContinued: true });
  });

  it("ends a run before anything is called where its function fails", async () => {
    const failing = (context: () => object) => defineCrew(approved([]), { script: paying, context }).run("go");
    const refused = (message: string) => ({ code: "context-failed", message: expect.stringContaining(message) });
    const throws = () => {
      throw new Error("no database");
    };
    await expect(failing(throws)).rejects.toMatchObject(refused("failed: no database"));
    await expect(failing(() => 5 as never)).rejects.toMatchObject(refused("returned number: return an object"));
  });

  it("is typed by what tools need: what the crew is not given, each start is", async () => {
    const find = defineTool({
      name: "find",
      description: "finds",
      execute: (_, { context }: ToolContext<{ db: Database; customer: string }>) => context.db.find(context.customer),
    });
    const path = writeCrew({
      "crew.yaml": 'version: "2.0"\nname: desk\nagents: [a]\n',
      "agents/a.md": "---\ntools: [find]\n---\nFind.\n",
    });
    const replies = script({ a: [{ tools: [{ name: "find" }] }, "done"] });
    const crew = await loadCrew(path, { tools: [find], context: { db }, script: replies });
    expect(await crew.run("go", { context: { customer: "Bob" } })).toMatchObject({ output: "done" });
    expect(await crew.start("go", { context: { customer: "Bob", more: 1 } }).result).toMatchObject({ output: "done" });
    const untyped = [
      // @ts-expect-error the customer is missing
      () => crew.run("go"),
      // @ts-expect-error the customer is a text
      () => crew.run("go", { context: { customer: 5 } }),
      // @ts-expect-error a run that continues needs it as well
      () => crew.recover("run_x", {}),
      // @ts-expect-error this is no database
      () => loadCrew(path, { tools: [find], context: { db: 5 } }),
    ];
    expect(untyped).toHaveLength(4);
    const whole = await loadCrew(path, { tools: { find }, context: () => ({ db, customer: "Bob" }), script: replies });
    expect(await whole.run("go")).toMatchObject({ output: "done" });
    const asked = await loadCrew(path, {
      tools: { find },
      context: async ({ user = "Bob" }) => ({ db, customer: user }),
      script: replies,
    });
    expect(await asked.run("go")).toMatchObject({ output: "done" });
    // @ts-expect-error this is no database
    expect(() => loadCrew(path, { tools: [find], context: async () => ({ db: 5 }) })).not.toThrow();
  });
});

describe("a call whose process is killed with kill -9 in the middle of it", () => {
  it("has the same idempotency key in every attempt, however often that happens", () => {
    const folder = mkdtempSync(join(tmpdir(), "baton-attempts-"));
    const worker = fileURLToPath(new URL("call-worker.ts", import.meta.url));
    const read = () =>
      readFileSync(join(folder, "attempts.log"), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    let runId: string | undefined;
    let ended = "";
    for (let minutes = 0; ended === "" && minutes < 10; minutes++) {
      const args = [worker, folder, String(minutes), ...(runId === undefined ? [] : [runId])];
      const { signal, status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
      expect([signal === "SIGKILL" || status === 0, stderr]).toEqual([true, ""]);
      runId = read()[0]?.runId;
      ended = stdout;
    }
    expect(ended).toBe(`${runId} completed 7`);
    const attempts = read();
    const byCall = Map.groupBy(attempts, ({ callId }) => callId);
    expect([...byCall].map(([call, all]) => [call, all.map(({ attempt }) => attempt)])).toEqual([
      ["0/t0/c0", [1, 2, 3]],
      ["0/t0/c1", [3]],
      ["1/f0", [1, 2, 3]],
    ]);
    for (const all of byCall.values()) expect(new Set(all.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(new Set(attempts.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
    expect(attempts.map(({ epoch }) => epoch)).toEqual([1, 2, 3, 3, 3, 4, 5]);
    expect(attempts.map(({ given }) => given)).toEqual(
      attempts.map(({ epoch }) => ({ greeting: "Hello ada", isContinued: epoch > 1 })),
    );
  });
});
