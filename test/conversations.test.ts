import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type BatonEvent,
  type CrewDefinition,
  defineCrew,
  type Model,
  ModelError,
  openMemoryStore,
  openSqliteStore,
  type Store,
} from "../src/index.ts";

const desk: CrewDefinition = {
  name: "desk",
  models: ["m/m"],
  agents: [
    { id: "triage", description: "reads", prompt: "Read.", specialties: ["everything"] },
    { id: "billing", description: "bills", prompt: "Bill.", specialties: ["money", "refunds"] },
    { id: "tech", description: "mends", prompt: "Mend.", domain: "machines", specialties: ["cables"] },
  ],
  routing: {
    signals: {
      triage: [{ signal: "[BILLING]", target: "billing" }],
      billing: [
        { signal: "[TECH]", target: "tech" },
        { signal: "[ASK]", type: "pause" },
        { signal: "[DONE]", target: "" },
      ],
      tech: [{ signal: "[DONE]", target: "" }],
    },
  },
};

type Reply = string | Error | undefined;

/** A crew that gives these replies, in order, and what its agents got to see. One that is not there never comes. */
function openDesk(replies: readonly Reply[], store?: Store, definition = desk) {
  const seen: string[][] = [];
  const call: Model["call"] = async ({ agent, messages }) => {
    const reply = replies[seen.length];
    const words = messages().map((message) => `${"agent" in message ? message.agent : "user"}: ${message.text}`);
    seen.push([agent, ...words]);
    if (reply === undefined) return new Promise(() => {});
    if (reply instanceof Error) throw reply;
    return { text: reply, toolCalls: [], finish: "stop" };
  };
  const models = { variables: {}, custom: new Map([["m/m", { name: "m/m", call }]]) };
  return { crew: defineCrew(definition, { models, ...(store && { store }) }), seen };
}

const newFile = () => join(mkdtempSync(join(tmpdir(), "baton-talks-")), ".baton", "journal.sqlite");
const places: readonly [string, () => Promise<Store | undefined>][] = [
  ["without a store", async () => undefined],
  ["in memory", async () => openMemoryStore()],
  ["in SQLite", async () => openSqliteStore(newFile())],
];

describe.each(places)("a conversation %s", (_, open) => {
  it("goes on where it was, with what was said", async () => {
    const { crew, seen } = openDesk(["Money. [BILLING]", "Five. [DONE]", "Still five. [DONE]"], await open());
    const talk = crew.session("t-1");
    expect(await talk.state()).toBeUndefined();
    expect(await talk.run("What was it?")).toMatchObject({ finalAgent: "billing", handoffs: 1 });
    expect(await talk.run("Sure?")).toMatchObject({ finalAgent: "billing", handoffs: 0, path: ["billing"] });
    expect(seen[2]).toEqual([
      ...["billing", "user: What was it?", "triage: Money. [BILLING]", "billing: Five. [DONE]", "user: Sure?"],
    ]);
  });

  it("is exported as how it stands", async () => {
    const { crew } = openDesk(["Money. [BILLING]", "Five. [DONE]", "No. [TECH]", "Mended. [DONE]"], await open());
    const talk = crew.session("t.1");
    await talk.run("What was it?");
    expect(await talk.state()).toMatchObject({ current_agent: "billing", domain: "money" });
    const { handoffChain } = await talk.run("Sure?");
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(await talk.state()).toEqual({
      current_agent: "tech",
      session_start: at,
      handoff_chain: [
        { from: "triage", to: "billing", reason: "signal [BILLING]", timestamp: at },
        { from: "billing", to: "tech", reason: "signal [TECH]", timestamp: handoffChain[0]?.timestamp },
      ],
      context: { original_query: "What was it?", previous_work: "Mended. [DONE]" },
      handoffs_enabled: true,
      version: "1.4",
      domain: "machines",
      last_classification_confidence: null,
    });
  });

  it("is refused while its run waits for an answer, and goes on when that was given", async () => {
    const { crew, seen } = openDesk(["[BILLING]", "Which? [ASK]", "That one. [DONE]", "Bye. [DONE]"], await open());
    const talk = crew.session("t");
    const { runId, status } = await talk.run("What was it?");
    expect(status).toBe("paused");
    await expect(talk.run("Hello?")).rejects.toMatchObject({
      code: "session-paused",
      message: expect.stringContaining(`baton resume ${runId}`),
    });
    expect(await talk.state()).toMatchObject({ current_agent: "billing", context: { previous_work: "Which? [ASK]" } });
    await crew.resume(runId, { input: "The left." });
    await talk.run("Thanks.");
    expect(seen.at(-1)?.slice(3)).toEqual([
      ...["billing: Which? [ASK]", "user: The left.", "billing: That one. [DONE]", "user: Thanks."],
    ]);
  });

  it("lets one of two runs begin that come at once, and says which", async () => {
    const { crew } = openDesk(["[BILLING]", "Five. [DONE]"], await open());
    const [one, two] = await Promise.allSettled([crew.session("t").run("One"), crew.session("t").run("Two")]);
    const [done] = [one, two].filter(({ status }) => status === "fulfilled");
    const [refused] = [one, two].filter(({ status }) => status === "rejected");
    const runId = done?.status === "fulfilled" ? done.value.runId : "";
    expect(refused).toMatchObject({ reason: { code: "session-active", message: expect.stringContaining(runId) } });
  });

  it("stays with the agent that failed, and knows what was said before", async () => {
    const broken = new ModelError("no key", { code: "bad-key", isRetryable: false });
    const { crew, seen } = openDesk(["Money. [BILLING]", broken, "Five. [DONE]"], await open());
    const talk = crew.session("t");
    expect(await talk.run("What was it?")).toMatchObject({ status: "failed" });
    expect(await talk.state()).toMatchObject({ current_agent: "billing" });
    await talk.run("Again, please.");
    expect(seen.at(-1)).toEqual(["billing", "user: What was it?", "triage: Money. [BILLING]", "user: Again, please."]);
  });

  it("stays with who had it when a run is cancelled", async () => {
    const { crew } = openDesk(["[BILLING]", "Five. [DONE]", undefined, "Five. [DONE]"], await open());
    const talk = crew.session("t");
    await talk.run("What was it?");
    const stop = new AbortController();
    const onEvent = ({ type }: BatonEvent) => void (type === "model.called" && stop.abort());
    expect(await talk.run("Sure?", { signal: stop.signal, onEvent })).toMatchObject({ status: "cancelled" });
    expect(await talk.run("Sure now?")).toMatchObject({ path: ["billing"] });
  });

  it("streams its runs", async () => {
    const { crew } = openDesk(["[BILLING]", "Five. [DONE]"], await open());
    const types: string[] = [];
    for await (const { type } of crew.session("t").stream("What was it?")) types.push(type);
    expect(types.at(-1)).toBe("run.completed");
    expect(await crew.session("t").state()).toMatchObject({ current_agent: "billing" });
  });

  it("has an id of letters, digits, '-', '_' and '.'", async () => {
    const { crew } = openDesk([], await open());
    for (const id of ["", "a b", "../x", "ü", "a/b", "x".repeat(129), "a\n"])
      expect(() => crew.session(id)).toThrow(expect.objectContaining({ code: "bad-session" }));
    expect(crew.session("A-1_b.c").id).toBe("A-1_b.c");
  });
});

describe("a conversation that is kept", () => {
  it("is of one crew", async () => {
    const store = openMemoryStore();
    await openDesk(["[BILLING]", "Five. [DONE]"], store).crew.session("t").run("What was it?");
    const { crew } = openDesk([], store, { ...desk, name: "shop" });
    await expect(crew.session("t").run("Hello")).rejects.toMatchObject({
      code: "other-crew",
      message: "conversation 't' is with crew 'desk', not with 'shop'",
    });
  });

  it("begins again at the entry point where the agent that had it is gone, and says so", async () => {
    const store = openMemoryStore();
    await openDesk(["[BILLING]", "Five. [DONE]"], store).crew.session("t").run("What was it?");
    const routing = { signals: { triage: [{ signal: "[TECH]", target: "tech" }] } };
    const agents = (desk.agents ?? []).filter(({ id }) => id !== "billing");
    const { crew, seen } = openDesk(["[TECH]", "Mended."], store, { ...desk, agents, routing });
    const { runId } = await crew.session("t").run("And now?");
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
    const talk = crew.session("t");
    expect(await talk.run("What was it?")).toMatchObject({ path: ["triage", "billing"], stopReason: "answer" });
    expect(await talk.run("Sure?")).toMatchObject({ path: ["billing"], stopReason: "answer" });
    expect(seen.at(-1)).toEqual(["billing", "user: What was it?", "triage: Read.", "billing: Five.", "user: Sure?"]);
  });

  it("can be gone over again, run by run", async () => {
    const { crew } = openDesk(["[BILLING]", "Five. [DONE]", "Six. [TECH]", "Mended. [DONE]"], openMemoryStore());
    const talk = crew.session("t");
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
    const talk = crew.session("t");
    await talk.run("What was it?");
    const { runId } = await talk.run("Sure?");
    expect(await crew.fork(runId, { at: 0, input: "Really?" })).toMatchObject({ output: "Seven. [DONE]" });
    expect(seen.at(-1)?.slice(1)).toContain("billing: Five. [DONE]");
    await talk.run("And now?");
    expect(seen.at(-1)?.slice(-3)).toEqual(["user: Sure?", "billing: Six. [DONE]", "user: And now?"]);
  });

  it("forgets a run that could not begin, and one of which nobody heard", async () => {
    const { crew, seen } = openDesk(["[BILLING]", "Five. [DONE]"], openMemoryStore(), {
      ...desk,
      settings: { max_input_size_kb: 1 },
    });
    const talk = crew.session("t");
    // A caller without types.
    await expect(talk.run(5 as unknown as string)).rejects.toMatchObject({ code: "bad-input" });
    expect(await talk.state()).toBeUndefined();
    expect(await talk.run("x".repeat(2000))).toMatchObject({ status: "failed" });
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
    const talk = crew.session("t");
    for (let n = 1; n <= 40; n++) await talk.run(`Question ${n}`);
    const [, first, note, ...others] = seen.at(-1) ?? [];
    expect(first).toBe("user: Question 1");
    expect(note).toBe(`user: [${78 - 1 - (others.length - 1)} earlier messages trimmed to fit context window]`);
    expect(others.at(-1)).toBe("user: Question 40");
    expect(others.length).toBeLessThan(20);
  });

  it("goes on in another process after a crash, when the run that broke off was gone on with", async () => {
    const file = newFile();
    const before = openDesk(["[BILLING]", undefined], await openSqliteStore(file));
    const runId = await new Promise<string>((resolve) => {
      const onEvent = (event: BatonEvent) => void (event.type === "handoff" && resolve(event.runId));
      void before.crew.session("t").run("What was it?", { onEvent });
    });
    const store = await openSqliteStore(file, { clock: { now: () => Date.now() + 60_000 } });
    const { crew } = openDesk(["Five. [DONE]", "Six. [DONE]"], store);
    await expect(crew.session("t").run("Sure?")).rejects.toMatchObject({
      code: "session-broken-off",
      message: expect.stringContaining(`baton resume ${runId}`),
    });
    await crew.recover(runId);
    expect(await crew.session("t").run("Sure?")).toMatchObject({ path: ["billing"], output: "Six. [DONE]" });
  });

  it("is not held up by a run whose process died before it began", async () => {
    const file = newFile();
    const dying = await openSqliteStore(file);
    // It has taken its place, and dies before its first event.
    const dead = { ...dying, append: () => new Promise<void>(() => {}) };
    await openDesk(["[BILLING]", "Five. [DONE]"], dying).crew.session("t").run("What was it?");
    const begun = new Promise<void>((resolve) => {
      void openDesk([], { ...dead, put: (...args) => dead.put(...args).finally(resolve) })
        .crew.session("t")
        .run("Lost");
    });
    await begun;
    const now = openDesk([], await openSqliteStore(file));
    await expect(now.crew.session("t").run("Hello?")).rejects.toMatchObject({ code: "session-active" });
    const store = await openSqliteStore(file, { clock: { now: () => Date.now() + 60_000 } });
    const { crew } = openDesk(["Six. [DONE]"], store);
    expect(await crew.session("t").run("Sure?")).toMatchObject({ path: ["billing"] });
    expect(await crew.session("t").state()).toMatchObject({ context: { original_query: "What was it?" } });
  });
});
