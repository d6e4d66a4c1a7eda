import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type ClientConversation,
  type ClientCrew,
  type ClientRun,
  createClient,
  RemoteError,
} from "../src/client/client.ts";
import {
  type BatonEvent,
  type Conversation,
  type CrewHandle,
  loadCrew,
  openMemoryStore,
  openSqliteStore,
  type RunHandle,
  script,
} from "../src/index.ts";
import { openCuttingProxy } from "./cutting-proxy.ts";
import { newFile } from "./open-desk.ts";
import { askingReplies, deskReplies, openServer, tokenLine } from "./open-server.ts";
import { packageCommand } from "./package-command.ts";

type Replies = Readonly<Record<string, readonly string[]>>;
type OpenCrew = (replies: Replies) => Promise<CrewHandle | ClientCrew>;

const never = script({ triage: [{ text: "late", latencyMs: 60_000 }] });

async function openLocal(replies: Replies): Promise<CrewHandle> {
  const { folder } = await openServer();
  return loadCrew(folder, { store: openMemoryStore(), script: script(replies), env: {} });
}

async function openRemote(replies: Replies): Promise<ClientCrew> {
  const { server } = await openServer({ replies });
  return createClient({ url: server.url, token: "bt_operator" }).crew("desk");
}

async function collect(events: AsyncIterable<BatonEvent>): Promise<BatonEvent[]> {
  const all: BatonEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const seqs = (events: readonly BatonEvent[]) => events.flatMap(({ seq }) => seq ?? []);

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error: { readonly code?: string }) => error.code,
  );

describe.each<[string, OpenCrew]>([
  ["in this process", openLocal],
  ["over HTTP", openRemote],
])("a crew %s", (_, open) => {
  it("runs", async () => {
    const result = await (await open(deskReplies)).run("What was it?", { user: "anna", variables: { city: "Rome" } });
    expect(result).toMatchObject({ status: "completed", output: "Five.", path: ["triage", "billing"], handoffs: 1 });
  });

  it("recovers and expires only what was interrupted or has passed", async () => {
    const crew = await open(askingReplies);
    const { runId, status } = await crew.run("x");
    expect(status).toBe("paused");
    expect(await codeOf(crew.recover(runId).result)).toBe("not-broken");
    expect(await codeOf(crew.expire(runId).result)).toBe("not-expired");
  });

  it("streams its events, each stored one once, with deltas", async () => {
    const stream = (await open(deskReplies)).stream("x");
    const events = await collect(stream);
    expect(seqs(events)).toEqual(seqs(events).map((_, index) => index));
    expect(events.filter(({ type }) => type === "text.delta").length).toBeGreaterThan(1);
    expect(events.at(-1)).toMatchObject({ type: "run.completed", runId: await stream.id });
    expect(await stream.result).toMatchObject({ status: "completed", output: "Five." });
  });

  it("gives any number of readers all stored events", async () => {
    const run = (await open(deskReplies)).start("x");
    const [first = [], second = []] = await Promise.all([collect(run.events), collect(run.events)]);
    expect(seqs(first)).toEqual(seqs(second));
    expect(seqs(first).length).toBeGreaterThan(5);
    expect((await run.result).runId).toBe(await run.id);
  });

  it("pauses, and goes on with an answer from there", async () => {
    const crew = await open(askingReplies);
    const asked = await crew.run("x");
    expect(asked).toMatchObject({ status: "paused", paused: { agent: "billing", reason: "signal" } });
    expect(await codeOf(crew.resume(asked.runId, { decision: "approve" }).result)).toBe("bad-answer");
    const resumed = crew.resume(asked.runId, { input: "the left" });
    const events = await collect(resumed.events);
    expect(events[0]).toMatchObject({ type: "run.resumed", data: { input: "the left" } });
    expect(await resumed.result).toMatchObject({ status: "completed", output: "That one." });
    expect(await codeOf(crew.resume(asked.runId, { input: "again" }).result)).toBe("not-paused");
  });

  it("has conversations, whose runs continue each other", async () => {
    const crew = await open({ triage: ["Money. [BILLING]"], billing: ["One. [DONE]"] });
    const talk = crew.conversation("t1", { user: "anna" });
    expect(await talk.state()).toBeUndefined();
    expect(await talk.run("first")).toMatchObject({ output: "One." });
    expect(await talk.run("second")).toMatchObject({ output: "One.", path: ["billing"] });
    expect(await talk.state()).toMatchObject({ current_agent: "billing", context: { original_query: "first" } });
  });

  it("cancels paused runs, takes feedback, forks and replays", async () => {
    const crew = await open(askingReplies);
    const { runId } = await crew.run("x");
    expect(await crew.cancel(runId)).toMatchObject({ status: "cancelled" });
    expect(await codeOf(crew.cancel(runId))).toBe("run-ended");
    expect(await crew.feedback(runId, "good", "quick")).toMatchObject({ verdict: "good", words: "quick" });
    const forked = crew.fork(runId, { at: 0, input: "y" });
    const [first] = await collect(forked.events);
    expect(first).toMatchObject({ type: "run.started", data: { input: "y", forkedFrom: { runId, seq: 0 } } });
    expect(await crew.replay(runId)).toEqual({ events: expect.any(Number) });
    expect(await crew.suggest({ agent: "triage" })).toMatchObject([{ agent: "billing" }]);
    expect(await crew.stats()).toMatchObject({ paths: expect.any(Array) });
  });

  it("refuses in the same words", async () => {
    const crew = await open(deskReplies);
    expect(await codeOf(crew.feedback("run_00000000000000000000", "good"))).toBe("unknown-run");
    expect(await codeOf(crew.run("x", { colour: "red" } as object))).toBe("bad-option");
    expect(await codeOf(crew.fork("run_00000000000000000000", { at: 0 }).result)).toBe("unknown-run");
  });
});

describe("a run that is under way on a server", () => {
  it("is cancelled by its handle, by a signal, and by a reader of its stream who leaves", async () => {
    const { server, store } = await openServer({ script: never });
    const crew = createClient({ url: server.url, token: "bt_operator" }).crew("desk");
    const run = crew.start("x");
    await run.id;
    await run.cancel();
    expect(await run.result).toMatchObject({ status: "cancelled" });
    await run.cancel();
    const stopping = new AbortController();
    const stopped = crew.start("x", { signal: stopping.signal });
    await stopped.id;
    stopping.abort();
    expect(await stopped.result).toMatchObject({ status: "cancelled" });
    const stream = crew.stream("x");
    for await (const event of stream) if (event.type === "model.called") break;
    expect((await store.read(await stream.id)).at(-1)?.type).toBe("run.cancelled");
  });

  it("is attached to by its id", async () => {
    const { server } = await openServer();
    const crew = createClient({ url: server.url, token: "bt_operator" }).crew("desk");
    const { runId } = await crew.run("x");
    const run = crew.attach(runId);
    expect((await collect(run.events))[0]).toMatchObject({ type: "run.started" });
    expect(await run.result).toMatchObject({ output: "Five." });
  });

  it("is one run however often its start is sent", async () => {
    const { server, store } = await openServer();
    const crew = createClient({ url: server.url, token: "bt_operator" }).crew("desk");
    const options = { idempotencyKey: "k1" };
    const [a, b] = await Promise.all([crew.begin("x", options), crew.begin("x", options)]);
    expect(a.id).toBe(b.id);
    expect(await codeOf(crew.run("y", options))).toBe("idempotency-conflict");
    expect(await store.list()).toHaveLength(1);
  });

  it("gives each stored event once over connections that break", async () => {
    const { server, store } = await openServer({ replies: askingReplies });
    const proxy = await openCuttingProxy(server.url, [20, 1200, 1900, 2500, 3000, 900]);
    const crew = createClient({ url: proxy.url, token: "bt_operator" }).crew("desk");
    const stream = crew.stream("x");
    const events = await collect(stream);
    expect(proxy.connections()).toBeGreaterThan(3);
    expect(seqs(events)).toEqual(seqs(await store.read(await stream.id)));
    expect(await stream.result).toMatchObject({ status: "paused" });
    expect(await store.list()).toHaveLength(1);
    proxy.close();
  });

  it("is followed over a restart of the server", async () => {
    const store = await openSqliteStore(newFile());
    const first = await openServer({ store, script: never });
    const stream = createClient({ url: first.server.url, token: "bt_operator" }).crew("desk").stream("x");
    const reading = collect(stream);
    await expect.poll(async () => (await store.read(await stream.id)).length).toBeGreaterThan(2);
    await first.server.stop(0);
    const port = Number(new URL(first.server.url).port);
    await openServer({ store, port, folder: first.folder, replies: deskReplies });
    const events = await reading;
    expect(seqs(events)).toEqual(seqs(await store.read(await stream.id)));
    expect(events.at(-1)).toMatchObject({ type: "run.completed" });
  });
});

describe("a client", () => {
  it("lists crews, runs and what waits for an answer", async () => {
    const { server } = await openServer({ replies: askingReplies });
    const client = createClient({ url: server.url, token: "bt_operator" });
    const { runId } = await client.crew("desk").run("x");
    expect(await client.crews()).toMatchObject([{ name: "desk", description: "Answers customers" }]);
    expect(await client.runs({ crew: "desk", status: "paused" })).toMatchObject({ runs: [{ runId }] });
    expect(await client.inbox({ limit: 1 })).toMatchObject([{ runId, paused: { agent: "billing" } }]);
    const plan = await client.crew("desk").plan("x");
    expect(plan.worst).toMatchObject({ rounds: 100 });
  });

  it("is told what the server refuses, with the code and the status", async () => {
    const { server } = await openServer({ tokens: tokenLine("reader", "scopes: [read]") });
    const refused = await createClient({ url: server.url, token: "reader" })
      .crew("desk")
      .run("x")
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RemoteError);
    expect(refused).toMatchObject({ code: "forbidden", status: 403, message: expect.stringContaining("'run'") });
    expect(await codeOf(createClient({ url: server.url, token: "wrong" }).crews())).toBe("unauthorized");
    expect(await codeOf(createClient({ url: server.url, token: "reader" }).crew("x").stats())).toBe("unknown-crew");
  });

  it("gives up when nobody answers, and says who", async () => {
    const { server } = await openServer();
    await server.stop(0);
    const client = createClient({ url: server.url, token: "x", patienceMs: 300 });
    const failed = await client
      .crew("desk")
      .run("x")
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: "server-unreachable", message: expect.stringContaining(server.url) });
    expect(await codeOf(collect(client.crew("desk").stream("x")))).toBe("server-unreachable");
  });

  it("refuses an address that is none, and a missing token", () => {
    expect(() => createClient({ url: "desk", token: "x" })).toThrow("'url' must be the address of a server");
    expect(() => createClient({ url: "http://127.0.0.1", token: "" })).toThrow("'token' is missing");
  });

  it("has every method of a crew, but for what only a crew in this process can have", () => {
    type Local = "definition" | "diagnostics" | "prepare" | "enqueue" | "withSubCrew" | "close";
    expectTypeOf<Exclude<keyof CrewHandle, keyof ClientCrew>>().toEqualTypeOf<Local>();
    expectTypeOf<Exclude<keyof ClientCrew, keyof CrewHandle>>().toEqualTypeOf<
      "name" | "attach" | "listAttachments" | "readAttachment"
    >();
    expectTypeOf<Exclude<keyof Conversation, keyof ClientConversation>>().toEqualTypeOf<never>();
    expectTypeOf<Exclude<keyof RunHandle, keyof ClientRun>>().toEqualTypeOf<never>();
  });

  it("narrows events by their type", () => {
    const read = (event: BatonEvent) => {
      if (event.type === "handoff") expectTypeOf(event.data.to).toEqualTypeOf<string>();
    };
    expect(read).toBeTypeOf("function");
    expectTypeOf<Awaited<ReturnType<ClientCrew<{ n: number }>["run"]>>["object"]>().toEqualTypeOf<
      { n: number } | undefined
    >();
  });
});

describe("the page on the client", () => {
  const blocks = [...readFileSync("docs/client.md", "utf8").matchAll(/^```js\n([\s\S]*?)^```$/gm)];

  it.each(blocks.map(([, text = ""]) => text))("shows a program that runs: %#", async (text) => {
    const { server } = await openServer({ replies: askingReplies });
    const program = text.replace(
      "baton-agents/client",
      fileURLToPath(new URL("../src/client/client.ts", import.meta.url)),
    );
    const env = { ...process.env, BATON_URL: server.url, BATON_TOKEN: "bt_operator" };
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let told = "";
    child.stderr.on("data", (part) => {
      told += part;
    });
    const [exitCode] = await once(child, "close");
    expect([exitCode, told]).toEqual([0, ""]);
  });
});

describe("the published client", () => {
  const text = readFileSync(join(dirname(packageCommand()), "../dist/client/client.js"), "utf8");

  it("is less than 8 KB gzipped", () => {
    expect(gzipSync(text).length).toBeLessThan(8 * 1024);
  });

  it("imports nothing, and needs nothing of Node", () => {
    expect(text).not.toMatch(/^import\b|\bimport\(|\brequire\(|\bprocess\.|\bBuffer\b/m);
  });
});
