import { describe, expect, it } from "vitest";
import { ModelError, openMemoryStore, openSqliteStore, type Store } from "../src/index.ts";
import { newFile, openDesk } from "./open-desk.ts";

const places: readonly [string, () => Promise<Store | undefined>][] = [
  ["without a store", async () => undefined],
  ["in memory", async () => openMemoryStore()],
  ["in SQLite", async () => openSqliteStore(newFile())],
];

describe.each(places)("a conversation %s", (_, open) => {
  it("goes on where it was, with what was said", async () => {
    const { crew, seen } = openDesk(["Money. [BILLING]", "Five. [DONE]", "Still five. [DONE]"], await open());
    const talk = crew.conversation("t-1");
    expect(await talk.state()).toBeUndefined();
    expect(await talk.run("What was it?")).toMatchObject({ finalAgent: "billing", handoffs: 1 });
    expect(await talk.run("Sure?")).toMatchObject({ finalAgent: "billing", handoffs: 0, path: ["billing"] });
    expect(seen[2]).toEqual([
      ...["billing", "user: What was it?", "triage: Money. [BILLING]", "billing: Five. [DONE]", "user: Sure?"],
    ]);
  });

  it("is reached by session(id) as well", async () => {
    const { crew } = openDesk(["Money. [BILLING]", "Five. [DONE]"], await open());
    await crew.conversation("t").run("What was it?");
    expect(await crew.session("t").state()).toEqual(await crew.conversation("t").state());
  });

  it("is exported as how it stands", async () => {
    const { crew } = openDesk(["Money. [BILLING]", "Five. [DONE]", "No. [TECH]", "Mended. [DONE]"], await open());
    const talk = crew.conversation("t.1");
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
      context: { original_query: "What was it?", previous_work: "Mended." },
      handoffs_enabled: true,
      version: "1.4",
      domain: "machines",
      last_classification_confidence: null,
    });
  });

  it("is refused while its run waits for an answer, and goes on when that was given", async () => {
    const { crew, seen } = openDesk(["[BILLING]", "Which? [ASK]", "That one. [DONE]", "Bye. [DONE]"], await open());
    const talk = crew.conversation("t");
    const { runId, status } = await talk.run("What was it?");
    expect(status).toBe("paused");
    await expect(talk.run("Hello?")).rejects.toMatchObject({
      code: "conversation-paused",
      message: expect.stringContaining(`baton resume ${runId}`),
    });
    expect(await talk.state()).toMatchObject({ current_agent: "billing", context: { previous_work: "Which?" } });
    await crew.resume(runId, { input: "The left." }).result;
    await talk.run("Thanks.");
    expect(seen.at(-1)?.slice(3)).toEqual([
      ...["billing: Which? [ASK]", "user: The left.", "billing: That one. [DONE]", "user: Thanks."],
    ]);
  });

  it("lets one of two runs begin that come at once, and says which", async () => {
    const { crew } = openDesk(["[BILLING]", "Five. [DONE]"], await open());
    const [one, two] = await Promise.allSettled([crew.conversation("t").run("One"), crew.conversation("t").run("Two")]);
    const [done] = [one, two].filter(({ status }) => status === "fulfilled");
    const [refused] = [one, two].filter(({ status }) => status === "rejected");
    const runId = done?.status === "fulfilled" ? done.value.runId : "";
    expect(refused).toMatchObject({ reason: { code: "conversation-active", message: expect.stringContaining(runId) } });
  });

  it("stays with the agent that failed, and knows what was said before", async () => {
    const broken = new ModelError("no key", { code: "bad-key", isRetryable: false });
    const { crew, seen } = openDesk(["Money. [BILLING]", broken, "Five. [DONE]"], await open());
    const talk = crew.conversation("t");
    expect(await talk.run("What was it?")).toMatchObject({ status: "failed" });
    expect(await talk.state()).toMatchObject({ current_agent: "billing" });
    await talk.run("Again, please.");
    expect(seen.at(-1)).toEqual(["billing", "user: What was it?", "triage: Money. [BILLING]", "user: Again, please."]);
  });

  it("stays with who had it when a run is cancelled", async () => {
    const { crew, seen } = openDesk(["[BILLING]", "Five. [DONE]", undefined, "Five. [DONE]"], await open());
    const talk = crew.conversation("t");
    await talk.run("What was it?");
    const stop = new AbortController();
    const running = talk.run("Sure?", { signal: stop.signal });
    await expect.poll(() => seen.length).toBe(3);
    stop.abort();
    expect(await running).toMatchObject({ status: "cancelled" });
    expect(await talk.run("Sure now?")).toMatchObject({ path: ["billing"] });
  });

  it("streams its runs", async () => {
    const { crew } = openDesk(["[BILLING]", "Five. [DONE]"], await open());
    const types: string[] = [];
    for await (const { type } of crew.conversation("t").stream("What was it?")) types.push(type);
    expect(types.at(-1)).toBe("run.completed");
    expect(await crew.conversation("t").state()).toMatchObject({ current_agent: "billing" });
  });

  it("has an id of letters, digits, '-', '_' and '.'", async () => {
    const { crew } = openDesk([], await open());
    for (const id of ["", "a b", "../x", "ü", "a/b", "x".repeat(129), "a\n"])
      expect(() => crew.conversation(id)).toThrow(expect.objectContaining({ code: "bad-session" }));
    expect(crew.conversation("A-1_b.c").id).toBe("A-1_b.c");
  });
});
