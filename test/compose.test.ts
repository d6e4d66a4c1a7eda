import { describe, expect, it } from "vitest";
import { openMemoryStore } from "../src/journal/memory-store.ts";
import { defineCrew } from "../src/library/define-crew.ts";
import type { Model, ModelRequest } from "../src/models/model.ts";
import { buildAccounts } from "../src/views/accounts.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";

const steps = [
  { agent: "writer", task: "Draft it" },
  { agent: "critic", task: "Find mistakes" },
  { agent: "writer", task: "Mend them" },
];
const usage = { input: 10, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 11 };

/** The editor composes once; all others say who they are. */
function call({ agent, crew, calls, tools }: ModelRequest) {
  const isComposing = agent === "editor" && calls === 1;
  return {
    text: isComposing ? "" : `${crew}/${agent} with ${tools.map(({ name }) => name).join()}`,
    toolCalls: isComposing ? [{ name: "crew__compose", args: { mode: "sequence", agents: steps } }] : [],
    finish: isComposing ? ("tool-calls" as const) : ("stop" as const),
    usage,
  };
}

function newsroom(model: Model["call"] = call, composers = ["editor"]) {
  const models = { "my/model": { name: "my/model", call: model } };
  const agents = [
    { id: "editor", description: "edits", prompt: "Edit." },
    { id: "writer", description: "writes", prompt: "Write." },
    { id: "critic", description: "criticizes", prompt: "Criticize." },
  ].map((agent) => ({ ...agent, compose: composers.includes(agent.id) }));
  const definition = { name: "newsroom", agents, settings: { on_no_signal: "stop" as const } };
  const store = openMemoryStore();
  return {
    store,
    crew: defineCrew(definition, { models, env: { BATON_MODEL: "my/model" }, store }),
  };
}

describe("an agent that composes", () => {
  it("is offered the tool, which those it composes are not", async () => {
    const { crew } = newsroom();
    const events: BatonEvent[] = [];
    const result = await crew.run("Tides", {
      onEvent: (event) => void (event.seq !== undefined && events.push(event)),
    });
    expect(result.output).toBe("/editor with crew__compose");
    const answers = events.flatMap((event) => (event.type === "agent.completed" ? [event.data.answer] : []));
    expect(answers.slice(0, 3)).toEqual(["composed/writer with ", "composed/critic with ", "composed/writer with "]);
  });

  it("pays for the crew: its accounts are in the run's, to the token", async () => {
    const { crew } = newsroom();
    const events: BatonEvent[] = [];
    await crew.run("Tides", { onEvent: (event) => void (event.seq !== undefined && events.push(event)) });
    const [newsroomAccount] = buildAccounts(events).children;
    const [editor] = newsroomAccount?.children ?? [];
    expect(newsroomAccount).toMatchObject({ own: { calls: 2 }, total: { calls: 5, usage: { total: 55 } } });
    const composed = editor?.children.flatMap(({ children }) => children).find(({ kind }) => kind === "crew");
    expect(composed).toMatchObject({ name: "composed", total: { calls: 3, usage: { total: 33 } } });
  });

  it("is replayed, and goes on after a crash in the middle of the crew without calling anybody twice", async () => {
    const asked: string[] = [];
    const counting = (request: ModelRequest) => {
      asked.push(`${request.crew}/${request.agent}`);
      if (asked.length === 3) return new Promise<never>(() => {});
      return call(request);
    };
    const { crew, store } = newsroom(counting);
    const died = new AbortController();
    const events: BatonEvent[] = [];
    const running = crew.run("Tides", {
      signal: died.signal,
      onEvent: (event) => {
        if (event.seq !== undefined) events.push(event);
        if (event.type === "model.called" && event.agent === "critic") died.abort();
      },
    });
    const cancelled = await running;
    expect(cancelled.status).toBe("cancelled");
    expect(await crew.replay(cancelled.runId)).not.toHaveProperty("divergence");
    const at = events.findIndex((event) => event.type === "model.called" && event.agent === "critic") - 1;
    const forked = await crew.fork(cancelled.runId, { at }).result;
    expect(forked).toMatchObject({ status: "completed", output: "/editor with crew__compose" });
    expect(asked).toEqual([
      "/editor",
      "composed/writer",
      "composed/critic",
      "composed/critic",
      "composed/writer",
      "/editor",
    ]);
    expect(await crew.replay(forked.runId)).not.toHaveProperty("divergence");
    expect((await store.read(forked.runId)).filter(({ type }) => type === "crew.entered")).toHaveLength(1);
  });

  it("shows its agents the request, and what those before the last one were asked and said", async () => {
    const seen: string[][] = [];
    const { crew } = newsroom((request) => {
      const texts = request.messages().map(({ role, text }) => `${role}: ${text.split("\n")[0]}`);
      if (request.crew === "composed") seen.push(texts);
      return { ...call(request), ...(request.crew === "composed" && { text: `by ${request.agent}` }) };
    });
    await crew.run("Tides");
    expect(seen).toEqual([
      ["user: Tides", "user: Draft it"],
      ["user: Tides", "user: Find mistakes"],
      ["user: Tides", "user: Draft it", "agent: by writer", "user: Mend them"],
    ]);
  });

  it("may have a hundred agents composed in a run, by whomever, and is told so", async () => {
    // Everybody who may compose has ten of each other do something, as often as it is asked.
    const greedy = ({ agent, tools, messages }: ModelRequest) => {
      const mayCompose = tools.some(({ name }) => name === "crew__compose") && messages().at(-1)?.role === "user";
      const ten = Array.from({ length: 10 }, (_, n) => ({
        agent: agent === "editor" ? "writer" : "editor",
        task: `Part ${n}`,
      }));
      const args = { mode: "parallel", agents: ten };
      const finish = mayCompose ? ("tool-calls" as const) : ("stop" as const);
      return { text: "done", toolCalls: mayCompose ? [{ name: "crew__compose", args }] : [], finish, usage };
    };
    const { crew } = newsroom(greedy, ["editor", "writer"]);
    const events: BatonEvent[] = [];
    const result = await crew.run("Tides", { onEvent: (event) => void events.push(event) });
    expect(result.status).toBe("completed");
    const composed = events.flatMap((event) =>
      event.type === "crew.entered" ? (event.data.composed?.steps ?? []) : [],
    );
    expect(composed).toHaveLength(100);
    const refused = events.flatMap((event) => (event.type === "tool.failed" ? [event.data.message] : []));
    expect(new Set(refused)).toEqual(
      new Set(["100 agents were composed in this run, and 100 are the most: do the rest yourself"]),
    );
  });
});
