import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type BatonEvent, ConfigurationError, defineTool, loadCrew, type Model } from "../src/index.ts";
import { type Given, reply } from "./reply.ts";
import { writeCrew } from "./write-crew.ts";

const desk = {
  "crew.yaml": `version: "2.0"
name: desk
models: [fake/one]
agents: [triage, fixer]
routing:
  signals:
    triage: [{ signal: "[FIX]", target: fixer }, { signal: "[ASK]", type: external, pause: true }]
  agent_behaviors: { triage: { wait_for_signal: true } }
`,
  "agents/triage.md": "---\ndescription: reads\n---\nSay [FIX] or [ASK] to {{who}}.\n",
  "agents/fixer.md": "---\ndescription: repairs\nis_terminal: true\ntools: [add]\n---\nRepair.\n",
};

/** A model that answers what it is told to, call after call. */
function modelOf(...replies: readonly Given[]): Model & { readonly prompts: string[] } {
  let calls = 0;
  const prompts: string[] = [];
  return {
    name: "fake/one",
    prompts,
    call: async ({ system }) => {
      prompts.push(system);
      return reply(replies[calls++] ?? "");
    },
  };
}

async function load(model: Model) {
  const add = defineTool({
    name: "add",
    description: "adds two numbers",
    input: z.object({ a: z.number(), b: z.number() }),
    execute: ({ a, b }) => a + b,
  });
  const path = writeCrew(desk);
  return loadCrew(path, {
    root: path,
    tools: [add],
    models: { "fake/one": model },
    variables: { who: "Ann" },
  });
}

describe("a crew in code", () => {
  it("runs to a result", async () => {
    const model = modelOf("broken [FIX]", "mended");
    const crew = await load(model);
    expect(await crew.run("help")).toMatchObject({
      status: "completed",
      stopReason: "terminal",
      output: "mended",
      path: ["triage", "fixer"],
      handoffChain: [{ from: "triage", to: "fixer", via: "signal", reason: "signal [FIX]" }],
    });
    expect(model.prompts[0]).toBe("Say [FIX] or [ASK] to Ann.");
  });

  it("streams the events that its result is made of, narrowed by type", async () => {
    const crew = await load(modelOf("broken [FIX]", "mended"));
    const events: BatonEvent[] = [];
    for await (const event of crew.stream("help")) events.push(event);
    const handoffs = events.flatMap((event) => (event.type === "handoff" ? [event.data.to] : []));
    expect(handoffs).toEqual(["fixer"]);
    expect(events.at(-1)).toMatchObject({ type: "run.completed", data: { output: "mended" } });
  });

  it("pauses, and goes on when it is resumed, once", async () => {
    const crew = await load(modelOf("which one?", "that one [FIX]", "mended"));
    const paused = await crew.run("help");
    expect(paused).toMatchObject({
      status: "paused",
      paused: { agent: "triage", reason: "wait_for_signal", prompt: "which one?" },
    });
    const [first, second] = await Promise.allSettled([
      crew.resume(paused.runId, { input: "the left" }).result,
      crew.resume(paused.runId, { input: "the right" }).result,
    ]);
    expect(first).toMatchObject({ status: "fulfilled", value: { status: "completed", output: "mended" } });
    expect(second).toMatchObject({ status: "rejected", reason: { code: "run-active" } });
    await expect(crew.resume(paused.runId, { input: "again" }).result).rejects.toMatchObject({ code: "not-paused" });
    await expect(crew.resume("run_nothing", {}).result).rejects.toMatchObject({ code: "unknown-run" });
  });

  it("calls tools with arguments that fit their schema, and tells the model of those that do not", async () => {
    const model = modelOf(
      "go [FIX]",
      { tool: "add", args: { a: 1, b: "x" } },
      { tool: "add", args: { a: 1, b: 2 } },
      "it is 3",
    );
    const crew = await load(model);
    const events: BatonEvent[] = [];
    await crew.run("help", { onEvent: (event) => void events.push(event) });
    const told = events.flatMap((event) =>
      event.type === "tool.failed" || event.type === "tool.completed" ? [event.data] : [],
    );
    expect(told).toEqual([
      { tool: "add", message: expect.stringContaining("b: ") },
      { tool: "add", result: "3" },
    ]);
  });

  it("gives an external signal to its handler, whose answer is the agent's next input", async () => {
    const crew = await load(modelOf("may I? [ASK]", "fine [FIX]", "mended"));
    const asked: unknown[] = [];
    const result = await crew.run("help", {
      onExternal: (signal) => {
        asked.push(signal);
        return { answer: "you may" };
      },
    });
    expect(asked).toMatchObject([{ signal: "[ASK]", agent: "triage", content: "may I? [ASK]" }]);
    expect(result).toMatchObject({ status: "completed", path: ["triage", "triage", "fixer"] });
  });

  it.each([["text"], [{ ok: true }], [["answer"]], [null], [{ answer: undefined }]])(
    "waits on where a handler returns %j, which is no answer",
    async (returned) => {
      const crew = await load(modelOf("may I? [ASK]", "fine [FIX]", "mended"));
      const onExternal = (() => returned) as unknown as () => undefined;
      expect(await crew.run("help", { onExternal })).toMatchObject({
        status: "paused",
        paused: { reason: "external" },
      });
    },
  );

  it("is cancelled by its signal, which the model sees too", async () => {
    const abort = new AbortController();
    let seen: AbortSignal | undefined;
    const crew = await load({
      name: "fake/one",
      call: ({ signal }) => {
        seen = signal;
        abort.abort();
        return new Promise(() => {});
      },
    });
    expect(await crew.run("help", { signal: abort.signal })).toMatchObject({
      status: "cancelled",
      stopReason: "cancelled",
    });
    expect(seen?.aborted).toBe(true);
  });

  it("cancels the members of a group that lost the race, and their models see it", async () => {
    const aborted: string[] = [];
    const model: Model = {
      name: "fake/one",
      call: ({ agent, signal }) => {
        if (agent !== "slow") return { text: agent === "host" ? "go [RACE]" : "won", toolCalls: [], finish: "stop" };
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            aborted.push(agent);
            reject(signal.reason);
          });
        });
      },
    };
    const path = writeCrew({
      "crew.yaml": `version: "2.0"
name: race
models: [fake/one]
agents: [host, slow, fast, judge]
routing:
  signals: { host: [{ signal: "[RACE]", target: all }] }
  parallel_groups: { all: { agents: [slow, fast], next_agent: judge } }
`,
      ...Object.fromEntries(
        ["host", "slow", "fast", "judge"].map((id) => [`agents/${id}.md`, "---\ndescription: d\n---\nSay [RACE].\n"]),
      ),
    });
    const crew = await loadCrew(path, { root: path, models: { "fake/one": model } });
    expect(await crew.run("go")).toMatchObject({ status: "completed", path: ["host", "all", "judge"] });
    expect(aborted).toEqual(["slow"]);
  });

  it("that is invalid is refused with all its problems", async () => {
    const path = writeCrew({ ...desk, "agents/fixer.md": "---\ntools: [nosuch]\nmax_turns: x\n---\n" });
    const refused = await loadCrew(path, { root: path }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConfigurationError);
    expect((refused as ConfigurationError).diagnostics.map(({ code }) => code)).toEqual(["unknown-tool", "wrong-type"]);
  });
});
