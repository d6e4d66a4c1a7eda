import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type AgentDefinition, defineTool, openSqliteStore, type Store } from "../src/index.ts";
import { openMemoryStore } from "../src/journal/memory-store.ts";
import {
  attachmentsOf,
  desk,
  hashOf,
  log,
  openPhotoCrew,
  type Playing,
  photo,
  playFiles,
  png,
  refer,
} from "./photo-crew.ts";

describe("attachments go where the words go", () => {
  const chain = (second: Partial<AgentDefinition>, first: Partial<AgentDefinition> = {}): Playing => ({
    agents: [
      { ...desk, ...first },
      { id: "next", prompt: "Go on.", description: "goes on", ...second },
    ],
  });
  const routed = {
    routing: { signals: { desk: [{ signal: "[GO]", target: "next" }] } },
    says: { desk: ["Look [GO]"] },
  };
  const filesOf = async (playing: Playing) => {
    const { asked, result } = await playFiles({ text: "Look", attachments: [photo] }, playing);
    expect(result.status).toBe("completed");
    return asked.filter(({ agent }) => agent === "next").map(({ files }) => files);
  };

  it("to the next agent of the line, which sees the history", async () => {
    expect(await filesOf({ ...chain({}), ...routed })).toEqual([["photo.png"]]);
  });
  it("with 'attachments: new' only where they come with what is new", async () => {
    expect(await filesOf({ ...chain({ attachments: "new" }), ...routed })).toEqual([[]]);
    const { asked } = await playFiles(
      { text: "Look", attachments: [photo] },
      { agents: [{ ...desk, attachments: "new" }] },
    );
    expect(asked[0]?.files).toEqual(["photo.png"]);
  });
  it("with 'attachments: none' to nobody, who still reads that there is a file", async () => {
    const { asked } = await playFiles(
      { text: "Look", attachments: [photo] },
      { agents: [{ ...desk, attachments: "none" }] },
    );
    expect(asked[0]).toMatchObject({ last: expect.stringContaining("photo.png, image/png"), files: [] });
  });
  it("with a handoff that includes the request, and not with one of the answer alone", async () => {
    expect(await filesOf(chain({}, { handoff: "next" }))).toEqual([[]]);
    const include = ["response", "original_request"] as const;
    expect(await filesOf(chain({}, { handoff: { to: "next", include } }))).toEqual([["photo.png"]]);
  });
  it("with an answer that repeats the reference", async () => {
    const says = { desk: [`See ${refer(photo, "image/png", png)}`] };
    expect(await filesOf({ ...chain({}, { handoff: "next" }), says })).toEqual([["photo.png"]]);
  });
  it("and a reference to what the run does not have is only text", async () => {
    const says = { desk: ["See [attachment: x.png, image/png, 3 KB, 0123456789abcdef]"] };
    expect(await filesOf({ ...chain({}, { handoff: "next" }), says })).toEqual([[]]);
  });
  it("to advisors and sub-agents with the input that they get", async () => {
    const agents = [
      { ...desk, advisors: ["next"] },
      { id: "next", prompt: "Advise.", description: "advises" },
    ];
    expect(await filesOf({ agents })).toEqual([["photo.png"]]);
  });
  it("to the members of a group and of a team", async () => {
    const parallel_groups = { both: { agents: ["next"], wait_for_all: true } };
    const routing = { signals: { desk: [{ signal: "[GO]", target: "both" }] }, parallel_groups };
    const [files] = await filesOf({ ...chain({}), routing, says: { desk: ["Look [GO]"] } });
    expect(files).toEqual(["photo.png"]);
    const team = { members: ["next"], supervisor: "desk" };
    const [ofMember] = await filesOf(chain({}, { team }));
    expect(ofMember).toEqual(["photo.png"]);
  });
});

describe("the files of a tool's result", () => {
  const snap = (attachments: readonly unknown[], more: object = {}) =>
    defineTool({
      name: "snap",
      description: "takes a photo",
      effect: "read",
      execute: (): unknown => ({ ...more, attachments }),
    });
  const agents = [{ ...desk, tools: ["snap"] }];
  const says = { desk: ["call snap", "Done."] };

  it("are stored, referred to and shown to the model", async () => {
    const { asked, events } = await playFiles("Go", { agents, says, tools: [snap([photo], { text: "here" })] });
    expect(asked[1]).toMatchObject({ last: `here\n\n${refer(photo, "image/png", png)}`, files: ["photo.png"] });
    expect(attachmentsOf(events)).toHaveLength(1);
  });

  it("may be left out where they cannot be taken, which fails nothing", async () => {
    const settings = { max_attachment_mb: 0.00001 };
    const { asked } = await playFiles("Go", { agents, says, settings, tools: [snap([photo], { n: 1 })] });
    expect(asked[1]?.last).toMatch(/^\{"n":1\}\n\[a file was left out: 'photo.png' has \d+ bytes, and at most/);
  });

  it("are only taken from the project, without what agents never get", async () => {
    const root = mkdtempSync(join(tmpdir(), "baton-root-"));
    writeFileSync(join(root, "own.png"), png);
    writeFileSync(join(root, ".env"), "KEY=1");
    const paths = ["own.png", "../x.png", "/etc/passwd", ".env"].map((path) => ({ path }));
    const { asked, events } = await playFiles("Go", { agents, says, root, tools: [snap(paths)] });
    expect(attachmentsOf(events).map(({ name }) => name)).toEqual(["own.png"]);
    expect(asked[1]?.last.match(/left out: .*/g)).toEqual([
      "left out: '../x.png' cannot be read: '../x.png' is outside the folder that may be used]",
      "left out: '/etc/passwd' cannot be read: '/etc/passwd' is outside the folder that may be used]",
      "left out: '.env' cannot be read: '.env' may hold secrets or runs, and is not given to agents]",
    ]);
  });

  it("stay data where they are no files", async () => {
    const { asked } = await playFiles("Go", { agents, says, tools: [snap(["a.pdf"], { subject: "x" })] });
    expect(asked[1]?.last).toBe('{"subject":"x","attachments":["a.pdf"]}');
  });
});

describe("a run with attachments", () => {
  it("replays, also where models were passed over", async () => {
    const store = openMemoryStore();
    const { crew, result } = await playFiles(
      { text: "Look", attachments: [photo, log] },
      { store, models: ["deepseek/deepseek-chat", "openai/gpt-5"] },
    );
    expect(await crew.replay(result.runId)).not.toHaveProperty("divergence");
  });

  it("pauses, takes more files with the answer, and goes on", async () => {
    const store = openMemoryStore();
    const routing = { agent_behaviors: { desk: { wait_for_signal: true } }, signals: { desk: [{ signal: "[DONE]" }] } };
    const says = { desk: ["Which one?", "That one. [DONE]"] };
    const { crew, asked, result } = await playFiles({ text: "Look", attachments: [photo] }, { store, routing, says });
    expect(result.status).toBe("paused");
    const resumed = await crew.resume(result.runId, { input: "This", attachments: [log] }).result;
    expect(resumed).toMatchObject({ status: "completed", output: "That one." });
    expect(asked[1]?.files).toEqual(["photo.png", expect.stringContaining("disk full")]);
    expect(attachmentsOf(await store.read(result.runId)).map(({ name }) => name)).toEqual(["photo.png", "log.txt"]);
    expect(await crew.replay(result.runId)).not.toHaveProperty("divergence");
  });

  it("refuses files with an answer that nobody reads", async () => {
    const agents = [{ ...desk, tools: ["pay"] }];
    const pay = defineTool({ name: "pay", description: "pays", needsApproval: true, execute: () => "paid" });
    const { crew, result } = await playFiles("Go", { agents, tools: [pay], says: { desk: ["call pay", "Done."] } });
    const refusal = crew.resume(result.runId, { decision: "approve", attachments: [log] }).result;
    await expect(refusal).rejects.toMatchObject({ code: "bad-answer" });
  });

  it("can be forked, and its files outlive it in the fork", async () => {
    const store = openMemoryStore();
    const { crew, asked, result } = await playFiles({ text: "Look", attachments: [photo] }, { store });
    const fork = await crew.fork(result.runId, { at: 0 }).result;
    expect(asked[1]?.files).toEqual(["photo.png"]);
    await store.remove(result.runId);
    expect(await store.readBlob(hashOf(png))).toBeDefined();
    await store.remove(fork.runId);
    expect(await store.readBlob(hashOf(png))).toBeUndefined();
  });

  it("is a turn of a conversation, whose later turns see its files though it is deleted", async () => {
    const store = openMemoryStore();
    const { crew, asked } = openPhotoCrew({ store });
    const conversation = crew.conversation("c1");
    const first = await conversation.run({ text: "Look", attachments: [photo] });
    await conversation.run("And now?");
    expect(asked[1]?.files).toEqual(["photo.png"]);
    await store.remove(first.runId);
    await conversation.run("And then?");
    expect(asked[2]?.files).toEqual(["photo.png"]);
  });

  it("stores each file once, durable before the run begins, and deletes it with its last run", async () => {
    const folder = mkdtempSync(join(tmpdir(), "baton-store-"));
    const store = await openSqliteStore(join(folder, "journal.sqlite"));
    const large = { bytes: Buffer.concat([png, new Uint8Array(2 ** 20)]), name: "large.png" };
    const { result } = await playFiles(
      { text: "Look", attachments: [large, { ...large, name: "again.png" }] },
      { store },
    );
    expect(await store.listBlobs(result.runId)).toEqual([hashOf(large.bytes)]);
    expect(readdirSync(join(folder, "blobs"))).toEqual([hashOf(large.bytes)]);
    await store.remove(result.runId);
    expect(readdirSync(join(folder, "blobs"))).toEqual([]);
    await store.close();
  });

  it("leaves nothing behind where it is refused over its second file", async () => {
    const store = openMemoryStore();
    const { crew } = openPhotoCrew({ store });
    const refused = crew.run({ text: "Look", attachments: [photo, { path: "/nowhere/x.png" }] });
    await expect(refused).rejects.toMatchObject({ code: "bad-attachment" });
    expect(await store.readBlob(hashOf(png))).toBeUndefined();
  });

  it("says what is missing where the store lost a file", async () => {
    const store = openMemoryStore();
    const lossy: Store = { ...store, readBlob: async () => undefined };
    const { result } = await playFiles({ text: "Look", attachments: [photo] }, { store: lossy });
    expect(result.error?.message).toContain("the store no longer has the bytes of 'photo.png'");
  });
});
