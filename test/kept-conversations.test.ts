import { describe, expect, it, onTestFinished } from "vitest";
import { type BatonEvent, openMemoryStore, openSqliteStore, type Store } from "../src/index.ts";
import { desk, newFile, openDesk } from "./open-desk.ts";
import { leave } from "./open-process.ts";

describe("a conversation that is kept", () => {
  it("is of one crew", async () => {
    const store = openMemoryStore();
    await openDesk(["[BILLING]", "Five. [DONE]"], store).crew.conversation("t").run("What was it?");
    const { crew } = openDesk([], store, { ...desk, name: "shop" });
    await expect(crew.conversation("t").run("Hello")).rejects.toMatchObject({
      code: "other-crew",
      message: "conversation 't' belongs to crew 'desk', not to 'shop'",
    });
  });

  it("begins again at the entry point where the agent that had it is gone, and says so", async () => {
    const store = openMemoryStore();
    await openDesk(["[BILLING]", "Five. [DONE]"], store).crew.conversation("t").run("What was it?");
    const routing = { signals: { triage: [{ signal: "[TECH]", target: "tech" }] } };
    const agents = (desk.agents ?? []).filter(({ id }) => id !== "billing");
    const { crew, seen } = openDesk(["[TECH]", "Mended."], store, { ...desk, agents, routing });
    const { runId } = await crew.conversation("t").run("And now?");
    expect(seen[0]).toEqual([
      ...["triage", "user: What was it?", "triage: [BILLING]", "billing: Five. [DONE]", "user: And now?"],
    ]);
    const [started] = await store.read(runId);
    expect(started?.data).toMatchObject({ session: { n: 2, gone: "billing" } });
  });

  it("leaves an agent that was passed to as it was: it answers, and nobody is next", async () => {
    const agents = (desk.agents ?? []).map((agent) => ({
      ...agent,
      ...(agent.id === "triage" && { handoff: "billing" }),
    }));
    const { crew, seen } = openDesk(["Read.", "Five.", "Still five."], openMemoryStore(), {
      ...desk,
      agents,
      routing: {},
    });
    const talk = crew.conversation("t");
    expect(await talk.run("What was it?")).toMatchObject({ path: ["triage", "billing"], stopReason: "answer" });
    expect(await talk.run("Sure?")).toMatchObject({ path: ["billing"], stopReason: "answer" });
    expect(seen.at(-1)).toEqual(["billing", "user: What was it?", "triage: Read.", "billing: Five.", "user: Sure?"]);
  });

  it("can be replayed, run by run", async () => {
    const { crew } = openDesk(["[BILLING]", "Five. [DONE]", "Six. [TECH]", "Mended. [DONE]"], openMemoryStore());
    const talk = crew.conversation("t");
    for (const input of ["What was it?", "Sure?"]) {
      const { runId } = await talk.run(input);
      expect(await crew.replay(runId)).not.toHaveProperty("divergence");
    }
  });

  it("is left by a fork, which takes what was said along", async () => {
    const { crew, seen } = openDesk(
      ["[BILLING]", "Five. [DONE]", "Six. [DONE]", "Seven. [DONE]", "Eight. [DONE]"],
      openMemoryStore(),
    );
    const talk = crew.conversation("t");
    await talk.run("What was it?");
    const { runId } = await talk.run("Sure?");
    expect(await crew.fork(runId, { at: 0, input: "Really?" }).result).toMatchObject({ output: "Seven." });
    expect(seen.at(-1)?.slice(1)).toContain("billing: Five. [DONE]");
    await talk.run("And now?");
    expect(seen.at(-1)?.slice(-3)).toEqual(["user: Sure?", "billing: Six. [DONE]", "user: And now?"]);
  });

  it("forgets a run that could not begin, and one of which nobody heard", async () => {
    const { crew, seen } = openDesk(["[BILLING]", "Five. [DONE]"], openMemoryStore(), {
      ...desk,
      settings: { max_input_size_kb: 1 },
    });
    const talk = crew.conversation("t");
    // A caller without types.
    await expect(talk.run(5 as unknown as string)).rejects.toMatchObject({ code: "bad-input" });
    expect(await talk.state()).toBeUndefined();
    await expect(talk.run("x".repeat(2000))).rejects.toMatchObject({ code: "input-too-large" });
    await talk.run("What was it?");
    expect(seen[0]).toEqual(["triage", "user: What was it?"]);
  });

  it("takes along the first words and the newest, and says how many are left out", async () => {
    const settings = { max_context_window: 400 };
    const { crew, seen } = openDesk(Array(40).fill(`${"Five. ".repeat(10)}[DONE]`), openMemoryStore(), {
      ...desk,
      settings,
      agents: (desk.agents ?? []).slice(1),
      routing: { signals: { billing: [{ signal: "[DONE]", target: "" }] } },
    });
    const talk = crew.conversation("t");
    for (let n = 1; n <= 40; n++) await talk.run(`Question ${n}`);
    const [, first, note, ...others] = seen.at(-1) ?? [];
    expect(first).toBe("user: Question 1");
    expect(note).toBe(`user: [${78 - 1 - (others.length - 1)} earlier messages trimmed to fit context window]`);
    expect(others.at(-1)).toBe("user: Question 40");
    expect(others.length).toBeLessThan(20);
  });

  it("goes on in another process after a crash, when the interrupted run was continued", async () => {
    const file = newFile();
    const before = openDesk(["[BILLING]", undefined], await openSqliteStore(file));
    const runId = await new Promise<string>((resolve) => {
      const onEvent = (event: BatonEvent) => void (event.type === "handoff" && resolve(event.runId));
      leave(before.crew.conversation("t").run("What was it?", { onEvent }));
    });
    onTestFinished(() => before.crew.close({ graceMs: 0 }));
    const store = await openSqliteStore(file, { clock: { now: () => Date.now() + 60_000 } });
    const { crew } = openDesk(["Five. [DONE]", "Six. [DONE]"], store);
    await expect(crew.conversation("t").run("Sure?")).rejects.toMatchObject({
      code: "conversation-interrupted",
      message: expect.stringContaining(`baton resume ${runId}`),
    });
    await crew.recover(runId).result;
    expect(await crew.conversation("t").run("Sure?")).toMatchObject({ path: ["billing"], output: "Six." });
  });

  it("is not held up by a run whose process died before it began", async () => {
    const file = newFile();
    const dying = await openSqliteStore(file);
    // It has taken its place, and dies before its first event.
    const { promise, reject } = Promise.withResolvers<void>();
    const dead = { ...dying, append: () => promise };
    await openDesk(["[BILLING]", "Five. [DONE]"], dying).crew.conversation("t").run("What was it?");
    await new Promise<void>((resolve) => {
      const desk = openDesk([], { ...dead, put: (...args) => dead.put(...args).finally(resolve) });
      const lost = desk.crew.conversation("t").run("Lost");
      leave(lost);
      onTestFinished(async () => {
        reject(new Error("the process died"));
        await lost.catch(() => {});
      });
    });
    const now = openDesk([], await openSqliteStore(file));
    await expect(now.crew.conversation("t").run("Hello?")).rejects.toMatchObject({ code: "conversation-active" });
    const store = await openSqliteStore(file, { clock: { now: () => Date.now() + 60_000 } });
    const { crew } = openDesk(["Six. [DONE]"], store);
    expect(await crew.conversation("t").run("Sure?")).toMatchObject({ path: ["billing"] });
    expect(await crew.conversation("t").state()).toMatchObject({ context: { original_query: "What was it?" } });
  });

  it.each([
    ["had not begun", 0],
    ["was under way", 3],
  ])("looks again where a run that %s a moment ago has ended", async (_, events) => {
    const store = openMemoryStore();
    const { runId } = await openDesk(["[BILLING]", "Five. [DONE]"], store).crew.conversation("t").run("What was it?");
    let isLate = true;
    const late: Store = {
      ...store,
      async read(id, fromSeq) {
        const whole = await store.read(id, fromSeq);
        const seen = isLate && id === runId ? whole.slice(0, events) : whole;
        if (id === runId) isLate = false;
        return seen;
      },
    };
    const { crew, seen } = openDesk(["Six. [DONE]"], late);
    await crew.conversation("t").run("Sure?");
    expect(seen).toEqual([
      ["billing", "user: What was it?", "triage: [BILLING]", "billing: Five. [DONE]", "user: Sure?"],
    ]);
    expect(await crew.conversation("t").state()).toMatchObject({ context: { original_query: "What was it?" } });
  });
});
