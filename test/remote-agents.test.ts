import { describe, expect, it } from "vitest";
import { openMemoryStore } from "../src/index.ts";
import { openPeer, type Peer } from "./a2a-peer.ts";
import { gateFiles, gateReplies } from "./gate-crew.ts";
import { askingReplies, openServer, tokenLine } from "./open-server.ts";
import { type Given, openOffice, writeOffice } from "./remote-office.ts";
import { writeCrew } from "./write-crew.ts";

const office = async (peer: Pick<Peer, "card">, given?: Given) => openOffice(writeOffice(peer.card), given);
const token = ', token_env: "DESK_TOKEN"';

describe("a remote agent of another system", () => {
  it("answers like a member of the crew, in a step with its ids, and a replay calls nobody", async () => {
    const peer = await openPeer({ answer: (text) => `You said: ${text}` });
    const store = openMemoryStore();
    const crew = await office(peer, { store });
    const result = await crew.run("What was it?");
    expect(result).toMatchObject({
      status: "completed",
      output: "You said: Ask them. [DESK]",
      path: ["clerk", "desk"],
    });
    // The clerk's model has no known price either.
    expect(result.cost).toEqual({ usd: null, unknownCalls: 2 });
    const events = await store.read(result.runId);
    const called = events.find(({ type }) => type === "function.called");
    expect(called?.data).toMatchObject({
      effect: "idempotent",
      remote: { contextId: /^\w{32}$/.source && expect.any(String) },
    });
    const asked = peer.methods.length;
    expect((await crew.replay(result.runId)).divergence).toBeUndefined();
    expect(peer.methods).toHaveLength(asked);
  });

  it("is connected to when a run needs it, not when the crew is loaded", async () => {
    const peer = await openPeer();
    await office(peer);
    expect(peer.tokens).toEqual([]);
  });

  it("acts by signals that are bound to it, and by no others", async () => {
    const answers = ["See them. [LEGAL]", "Do it. [DESK] [DONE]"];
    const peer = await openPeer({ answer: () => answers.shift() ?? "" });
    const crew = await office(peer, { replies: { clerk: ["Ask. [DESK]", "Again. [DESK]"] } });
    const { path, output } = await crew.run("x");
    expect(path).toEqual(["clerk", "desk", "clerk", "desk"]);
    expect(output).toBe("Do it. [DESK] [DONE]");
  });

  it("asks something: the run pauses, and the answer goes on in the same task", async () => {
    const peer = await openPeer({ answer: (text) => (text.startsWith("Ask") ? "Which one?" : `That: ${text}`) });
    const store = openMemoryStore();
    const crew = await office(peer, { store });
    const paused = await crew.run("What was it?");
    expect(paused).toMatchObject({ status: "paused", paused: { agent: "desk", options: ["input"] } });
    expect(paused.paused?.prompt).toContain("Which one?");
    const { result } = crew.resume(paused.runId, { input: "the left one" });
    expect(await result).toMatchObject({ status: "completed", output: "That: the left one" });
    expect((await crew.replay(paused.runId)).divergence).toBeUndefined();
  });

  it("needs an approval once, and again when its card has changed", async () => {
    let about = "A peer";
    const peer = await openPeer({ describe: () => about });
    const home = writeCrew({});
    const folder = writeOffice(peer.card);
    await expect((await openOffice(folder, { approves: false, home })).run("x")).rejects.toMatchObject({
      code: "server-not-approved",
      message: expect.stringContaining("remote agent 'desk'"),
    });
    expect(peer.methods).toEqual([]);
    const { approveServer } = await import("../src/servers/hold-servers.ts");
    const { openServerApprovals } = await import("../src/servers/server-approvals.ts");
    const refused = await (await openOffice(folder, { approves: false, home })).run("x").catch((error) => error);
    approveServer(refused.request, openServerApprovals({ BATON_HOME: home }));
    expect((await (await openOffice(folder, { approves: false, home })).run("x")).status).toBe("completed");
    about = "Another peer";
    await expect((await openOffice(folder, { approves: false, home })).run("x")).rejects.toThrow(/another card/);
  });

  it("is not called without the variable with its token", async () => {
    const peer = await openPeer();
    const crew = await openOffice(writeOffice(peer.card, ', token_env: "NOT_SET"'));
    await expect(crew.run("x")).rejects.toMatchObject({ code: "no-variable" });
  });
});

describe("a crash in the middle of a call", () => {
  /** A run that dies while the peer works, in a store that another process finds it in. */
  async function crash(peer: Peer, hasBegun: () => Promise<unknown>) {
    const store = openMemoryStore();
    const folder = writeOffice(peer.card);
    const first = await openOffice(folder, { store });
    const handle = first.start("What was it?");
    handle.result.catch(() => {});
    await hasBegun();
    await first.close({ graceMs: 0 });
    return { crew: await openOffice(folder, { store }), runId: handle.id };
  }

  it("finds the task by its context, and does not begin it twice", async () => {
    const begun = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    let said = 0;
    const peer = await openPeer({
      async answer() {
        said++;
        begun.resolve();
        await finish.promise;
        return "Five.";
      },
    });
    const { crew, runId } = await crash(peer, () => begun.promise);
    finish.resolve();
    expect(await crew.recover(runId).result).toMatchObject({ status: "completed", output: "Five." });
    expect(peer.methods).toContain("ListTasks");
    expect([said, peer.methods.filter((method) => method === "SendMessage")]).toEqual([1, ["SendMessage"]]);
  });

  it("says it where the peer was never told", async () => {
    const asked = Promise.withResolvers<void>();
    let isLost = false;
    const peer = await openPeer({
      intercept(method) {
        if (method !== "SendMessage" || isLost) return false;
        isLost = true;
        asked.resolve();
        return true;
      },
    });
    const { crew, runId } = await crash(peer, () => asked.promise);
    expect(await crew.recover(runId).result).toMatchObject({ status: "completed", output: "Five." });
    expect(peer.methods.filter((method) => method === "SendMessage")).toHaveLength(2);
  });

  it("finds an answer that the peer has heard, and does not give it twice", async () => {
    const heard = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const said: string[] = [];
    const peer = await openPeer({
      async answer(text) {
        said.push(text);
        if (text.startsWith("Ask")) return "Which one?";
        heard.resolve();
        await finish.promise;
        return "That one.";
      },
    });
    const store = openMemoryStore();
    const folder = writeOffice(peer.card);
    const first = await openOffice(folder, { store });
    const { runId } = await first.run("What was it?");
    const resumed = first.resume(runId, { input: "the left one" });
    resumed.result.catch(() => {});
    await heard.promise;
    await first.close({ graceMs: 0 });
    finish.resolve();
    const result = await (await openOffice(folder, { store })).recover(runId).result;
    expect(result).toMatchObject({ status: "completed", output: "That one." });
    expect(said).toEqual([expect.stringContaining("Ask"), "the left one"]);
  });

  it("asks a person where the peer cannot list its tasks", async () => {
    const begun = Promise.withResolvers<void>();
    const peer = await openPeer({
      answer: () => {
        begun.resolve();
        return new Promise(() => {});
      },
      intercept(method, response) {
        if (method !== "ListTasks") return false;
        response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "no such method" } }));
        return true;
      },
    });
    const { crew, runId } = await crash(peer, () => begun.promise);
    const paused = await crew.recover(runId).result;
    expect(paused).toMatchObject({ status: "paused", paused: { reason: "ambiguous" } });
    const { result } = crew.resume(runId, { decision: "happened", result: "Five, they said." });
    expect(await result).toMatchObject({ status: "completed", output: "Five, they said." });
  });
});

describe("Baton against Baton", () => {
  const cardOf = ({ url }: { readonly url: string }, crew = "desk") => `${url}/a2a/${crew}/.well-known/agent-card.json`;

  it("answers, and tells what it cost", async () => {
    const { server } = await openServer();
    const result = await (await openOffice(writeOffice(cardOf(server), token))).run("What was it?");
    expect(result).toMatchObject({ output: "Five.", cost: { unknownCalls: expect.any(Number) } });
  });

  it("passes a question on, and its answer back", async () => {
    const { server } = await openServer({ replies: askingReplies });
    const crew = await openOffice(writeOffice(cardOf(server), token));
    const paused = await crew.run("What was it?");
    expect(paused.paused).toMatchObject({ agent: "desk", reason: "signal" });
    expect(await crew.resume(paused.runId, { input: "the left one" }).result).toMatchObject({ output: "That one." });
  });

  it("passes a gate on as a gate, which a token without 'answer' cannot approve", async () => {
    const tokens = tokenLine("model", "scopes: [run, read]");
    const { server } = await openServer({ files: gateFiles, replies: gateReplies, tokens });
    const crew = await openOffice(writeOffice(cardOf(server, "gate"), token));
    const paused = await crew.run("Write");
    expect(paused.paused).toMatchObject({ reason: "gate", options: expect.arrayContaining(["approve"]) });
    expect(await crew.resume(paused.runId, { decision: "approve" }).result).toMatchObject({ output: "Sent." });
  });
});
