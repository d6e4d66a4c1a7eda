import { describe, expect, it } from "vitest";
import {
  type AgentFunction,
  type BatonEvent,
  type CrewDefinition,
  defineAgent,
  defineCrew,
  openSqliteStore,
} from "../src/index.ts";
import { newFile } from "./open-desk.ts";

const unique: AgentFunction = (input) => `${[...new Set(input.split(" "))].join(" ")} [NEXT]`;

/** A crew of functions: the first hands over to the second by a signal. */
function crewOf(run: AgentFunction, keys: Partial<CrewDefinition> = {}, agent: object = {}): CrewDefinition {
  return {
    name: "glue",
    agents: [
      defineAgent({ id: "dedupe", description: "removes doubles", run, ...agent }),
      defineAgent({ id: "end", isTerminal: true, run: (input) => `end of ${input}` }),
    ],
    routing: { signals: { dedupe: [{ signal: "[NEXT]", target: "end" }] }, defaults: { dedupe: "end" } },
    settings: { stripSignals: "all" },
    ...keys,
  };
}

describe("an agent that is a function", () => {
  it("answers without a model, and its signals route as those of any agent", async () => {
    const result = await defineCrew(crewOf(unique)).run("a b a");
    expect(result).toMatchObject({
      status: "completed",
      stopReason: "terminal",
      output: "end of a b",
      path: ["dedupe", "end"],
      handoffs: 1,
      handoffChain: [{ from: "dedupe", to: "end", via: "signal" }],
      usage: { total: 0 },
      cost: { usd: 0, unknownCalls: 0 },
    });
  });

  it("is a step of the run: called, completed, and answered as every agent is", async () => {
    const events = await eventsOf(defineCrew(crewOf(unique)), "a a");
    expect(events.filter(({ agent }) => agent === "dedupe").map(({ type, path }) => `${type} ${path}`)).toEqual([
      "agent.started 0",
      "function.called 0/f0",
      "text.delta 0",
      "function.completed 0/f0",
      "agent.completed 0",
      "signal.emitted 0",
      "handoff 0",
    ]);
  });

  it("streams its answer as one part, without the signals that the reader does not see", async () => {
    const events = await eventsOf(defineCrew(crewOf(unique, { settings: {} })), "a a");
    const deltas = events.flatMap((event) => (event.type === "text.delta" ? [event.data.text] : []));
    expect(deltas).toEqual(["a", "end of a [NEXT]"]);
  });

  it("gets what a tool gets: the run's id, a key for its call, a signal and so on", async () => {
    let seen: unknown;
    const run: AgentFunction = (_, { signal, ...context }) => {
      seen = { isSignal: signal instanceof AbortSignal, ...context };
      return "done";
    };
    const { runId } = await defineCrew(crewOf(run)).run("go");
    const call = { callId: "0/f0", idempotencyKey: expect.any(String), attempt: 1, agent: "dedupe", crew: "glue" };
    expect(seen).toMatchObject({ isSignal: true, runId, epoch: 1, ...call });
  });

  it("may return JSON, which is its answer as text", async () => {
    const result = await defineCrew(crewOf(() => ({ sections: ["a"] }))).run("go");
    expect(result.output).toBe('end of {"sections":["a"]}');
  });

  const failing: readonly (readonly [string, AgentFunction, string, string])[] = [
    ["throws", () => Promise.reject(new Error("no disk")), "tool_failed", "failed: no disk"],
    ["returns nothing", () => "", "tool_failed", "returned no text: return what the agent answers"],
    ["returns what is no JSON", () => ({ at: Number.NaN }), "tool_failed", "result.at is NaN, which is not JSON"],
    ["returns more than anybody reads", () => "x".repeat(5e6), "tool_failed", "the result has 4.8 MB"],
  ];

  it.each(failing)("fails its run where it %s", async (_, run, code, message) => {
    const result = await defineCrew(crewOf(run)).run("go");
    expect(result).toMatchObject({ status: "failed", stopReason: "error", error: { code, agent: "dedupe" } });
    expect(result.error?.message).toContain(`the function of agent 'dedupe'`);
    expect(result.error?.message).toContain(message);
  });

  it("fails with a timeout where it takes longer than tool_timeout, and is told by its signal", async () => {
    let isTold = false;
    const run: AgentFunction = (_, { signal }) =>
      new Promise(() => {
        signal.onabort = () => {
          isTold = true;
        };
      });
    const result = await defineCrew(crewOf(run, {}, { toolTimeout: 5 })).run("go");
    expect(result.error).toMatchObject({
      code: "timeout",
      message: "the function of agent 'dedupe' failed: did not finish within 0.005 s",
    });
    expect(isTold).toBe(true);
  });

  it("is held to its schema, and is not asked again, since it would say the same", async () => {
    let calls = 0;
    const run: AgentFunction = () => {
      calls++;
      return { size: "big" };
    };
    const output = { schema: { type: "object", properties: { size: { type: "number" } } } };
    const result = await defineCrew(crewOf(run, {}, { output })).run("go");
    expect(result.error).toMatchObject({ code: "output_invalid", agent: "dedupe" });
    expect(calls).toBe(1);
  });

  it("writes its signals in text, however the agents with a model emit theirs", async () => {
    const settings = { emit: "tool", stripSignals: "all" } as const;
    const result = await defineCrew(crewOf(unique, { settings })).run("a a");
    expect(result).toMatchObject({ path: ["dedupe", "end"], output: "end of a" });
  });

  it("is not asked to repair an answer without a signal: what follows is the next of the list", async () => {
    const { routing } = crewOf(unique);
    const settings = { onNoSignal: "repair" } as const;
    const crew = defineCrew(crewOf(() => "no signal", { settings, routing: { signals: routing?.signals ?? {} } }));
    expect(await crew.run("go")).toMatchObject({ path: ["dedupe", "end"], rounds: 2 });
  });

  it("may declare a handoff, advisors and transfers, and may be called as a sub-agent's member", async () => {
    const crew = defineCrew({
      name: "patterns",
      agents: [
        { id: "lead", advisors: ["size"], handoff: "last", run: (input) => `lead heard: ${input}` },
        { id: "size", run: (input) => `${input.length} letters` },
        { id: "last", collaborations: ["other"], run: () => "HANDOFF DECLARATION:\nTo: other\nReason: more\n" },
        { id: "other", description: "ends", run: (input) => `other: ${input.includes("Handoff reason: more")}` },
      ],
    });
    const result = await crew.run("abc");
    expect(result).toMatchObject({ output: "other: true", path: ["lead", "last", "other"], status: "completed" });
  });

  it("may be a member of a group and of a team, and supervise one", async () => {
    const group = defineCrew({
      name: "group",
      agents: [
        { id: "split", run: () => "go [ALL]" },
        { id: "a", run: (input) => `a: ${input}` },
        { id: "b", run: (input) => `b: ${input}` },
        { id: "join", isTerminal: true, run: (input) => input },
      ],
      routing: {
        signals: { split: [{ signal: "[ALL]", target: "both" }] },
        parallelGroups: { both: { agents: ["a", "b"], waitForAll: true, nextAgent: "join" } },
      },
    });
    expect((await group.run("x")).output).toContain("[a]\na: go [ALL]\n\n[b]\nb: go [ALL]");
    const team = defineCrew({
      name: "team",
      agents: [
        { id: "boss", team: { members: ["a", "b"], supervisor: "boss" }, run: (input) => `boss: ${input}` },
        { id: "a", run: () => "from a" },
        { id: "b", run: () => "from b" },
      ],
    });
    expect((await team.run("x")).output).toMatch(/^boss: .*from a.*from b/s);
  });

  it("is not scanned for what its input says: only what it returns is", async () => {
    const result = await defineCrew(crewOf(() => "plain", { settings: {} })).run("[NEXT]");
    expect(result.handoffChain).toMatchObject([{ via: "fallback" }]);
  });

  it("has its secrets taken out of its answer, as every answer has", async () => {
    const key = ["sk", "proj", "a".repeat(40)].join("-");
    const result = await defineCrew(crewOf(() => `the key is ${key}`)).run("go");
    expect(result.output).not.toContain(key);
  });
});

describe("a function and a crash", () => {
  /** Runs a crew whose function never ends in a process that leaves, and gives another that takes the run over. */
  async function interrupted(effect: "read" | "idempotent" | "once") {
    const file = newFile();
    const first = await openSqliteStore(file);
    const begun = Promise.withResolvers<void>();
    const stuck: AgentFunction = () => {
      begun.resolve();
      return new Promise<string>(() => {});
    };
    const crew = defineCrew(crewOf(stuck, {}, { effect }), { store: first });
    const run = crew.start("a a");
    await begun.promise;
    await crew.close({ graceMs: 1 });
    await run.result.catch(() => {});
    await first.close();
    let calls = 0;
    const counted: AgentFunction = (input, context) => {
      calls++;
      return unique(input, context);
    };
    const store = await openSqliteStore(file);
    const next = defineCrew(crewOf(counted, {}, { effect }), { store });
    return { next, id: run.id, calls: () => calls };
  }

  it.each(["read", "idempotent"] as const)("is called again where that does no harm (%s)", async (effect) => {
    const { next, id, calls } = await interrupted(effect);
    expect(await next.recover(id).result).toMatchObject({ status: "completed", output: "end of a" });
    expect(calls()).toBe(1);
  });

  it("asks a human whether it happened where calling it again may do harm", async () => {
    const { next, id, calls } = await interrupted("once");
    const paused = await next.recover(id).result;
    expect(paused).toMatchObject({
      status: "paused",
      paused: { reason: "ambiguous", agent: "dedupe", options: ["happened", "not_happened"] },
    });
    expect(paused.paused?.prompt).toBe(
      "The function of agent 'dedupe' was called when the run was interrupted. Did it happen?",
    );
    await expect(next.resume(id, { decision: "not_happened" }).result).rejects.toMatchObject({
      code: "too-soon",
      message: expect.stringContaining("the function of agent 'dedupe'"),
    });
    const result = await next.resume(id, { decision: "happened", result: "it was [NEXT]" }).result;
    expect(result).toMatchObject({ status: "completed", output: "end of it was" });
    expect(calls()).toBe(0);
    expect(await next.replay(id)).toEqual({ events: expect.any(Number) });
  });
});

async function eventsOf(crew: ReturnType<typeof defineCrew>, input: string) {
  const events: BatonEvent[] = [];
  for await (const event of crew.stream(input)) events.push(event);
  return events;
}

describe("functions and groups for each item, as types", () => {
  it("refuse what a run would refuse", () => {
    defineAgent({ id: "a", run: async (input, { signal }) => `${input} ${signal.aborted}` });
    // @ts-expect-error a function answers with text or JSON
    defineAgent({ id: "a", run: () => 5 });
    // @ts-expect-error there is no such effect
    defineAgent({ id: "a", run: () => "", effect: "safe" });
    const groups: NonNullable<CrewDefinition["routing"]>["parallelGroups"] = {
      each: { forEach: "writer", items: "$.sections", maxItems: 5, concurrency: 2, inputTemplate: "{{.Item}}" },
      // @ts-expect-error a limit is a number
      other: { for_each: "writer", max_items: "5" },
    };
    expect(groups).toBeDefined();
  });
});
