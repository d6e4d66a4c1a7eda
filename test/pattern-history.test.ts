import { describe, expect, it } from "vitest";
import { openMemoryStore } from "../src/journal/memory-store.ts";
import { loadCrew } from "../src/library/load-crew.ts";
import type { Model, ModelReply } from "../src/models/model.ts";
import { agentFiles } from "./load-written-crew.ts";
import { writeCrew } from "./write-crew.ts";

/** A model that gives each agent's replies in order, and keeps what each agent got to see when it was first asked. */
function listening(replies: Readonly<Record<string, readonly (string | ModelReply)[]>>) {
  const seen = new Map<string, string[]>();
  const calls: string[] = [];
  const model: Model = {
    name: "my/model",
    call({ agent, calls: turn, messages }) {
      calls.push(agent);
      const texts = messages().map((each) => (each.role === "user" ? each.text : `${each.agent}: ${each.text}`));
      if (!seen.has(agent)) seen.set(agent, texts);
      const reply = replies[agent]?.[turn - 1] ?? `${agent} has spoken`;
      return typeof reply === "string" ? { text: reply, toolCalls: [], finish: "stop" } : reply;
    },
  };
  const models = { "my/model": model };
  return { seen, calls, models };
}

function calling(...toolCalls: ModelReply["toolCalls"]): ModelReply {
  return { text: "", toolCalls, finish: "tool-calls" };
}

const transferTo = (agent: string) => ({ name: `transfer_to_${agent}`, args: { context: { what: "help" } } });
const chosen: Readonly<Record<string, ModelReply>> = {
  router: calling({ name: "handoff-to", args: { agent: "helper", message: "help" } }),
  transfer: calling(transferTo("helper")),
  "transfers at once": calling(transferTo("helper"), transferTo("first")),
};
const transferred = 'How long?\n\nPrior work by first:\n\ngo on [ON]\n\nContext:\n\n{\n  "what": "help"\n}';

/** Each pattern leads from `lead`, which was reached by a signal from `first`, to `helper`, on an input of its own. */
const patterns = {
  handoff: { lead: "handoff: helper", input: "lead has spoken", own: [] },
  "handoff with a request": {
    lead: "handoff: { to: helper, include: [original_request] }",
    input: "## ORIGINAL USER REQUEST\n\nHow long?",
    own: ["lead: lead has spoken"],
  },
  router: {
    lead: "router: { destinations: [helper] }",
    input:
      "## ORIGINAL USER REQUEST\n\nHow long?\n\n## MESSAGE FROM AGENT `lead` WHO ROUTED THIS REQUEST TO YOU\n\nhelp",
    own: [],
  },
  transfer: { lead: "collaborations: [helper]", input: transferred, own: [] },
  "transfers at once": {
    lead: "collaborations: [helper, first]\nparallel_handoffs: true",
    input: transferred,
    own: [],
  },
  advisors: { lead: "advisors: [helper]", input: "go on [ON]", own: [] },
  team: { lead: "team: { members: [helper], supervisor: lead }", input: "go on [ON]", own: [] },
} as const;

function files(lead: string, settings: string): Record<string, string> {
  return {
    "crew.yaml": `version: "2.0"
name: history
entry_point: first
agents: [first, lead, helper, scribe]
routing: { signals: { first: [{ signal: "[ON]", target: lead }] } }
settings: { on_no_signal: stop, ${settings} }`,
    ...agentFiles({
      first: "description: begins",
      lead: `description: leads\n${lead}`,
      helper: "description: helps",
      scribe: "description: sums up",
    }),
  };
}

async function runOf(name: keyof typeof patterns, settings: string) {
  const { lead } = patterns[name];
  const spoken = listening({
    first: ["go on [ON]"],
    lead: chosen[name] === undefined ? [] : [chosen[name]],
    scribe: ["in short"],
  });
  const crew = await loadCrew(writeCrew(files(lead, settings)), {
    models: spoken.models,
    env: { BATON_MODEL: "my/model" },
    store: openMemoryStore(),
  });
  const { status, runId } = await crew.run("How long?");
  expect(status).toBe("completed");
  expect(await crew.replay(runId)).not.toHaveProperty("divergence");
  return spoken;
}

describe.each(Object.keys(patterns) as (keyof typeof patterns)[])(
  "what an agent sees that is reached by %s",
  (name) => {
    const { input, own } = patterns[name];
    const choice = chosen[name];
    const isPassed = name.startsWith("handoff") || choice !== undefined;

    it("is its input, as long as nothing is said about history", async () => {
      expect((await runOf(name, "max_rounds: 9")).seen.get("helper")).toEqual([input]);
      expect((await runOf(name, "history: none, summarizer: scribe")).seen.get("helper")).toEqual([input]);
    });

    it("is all that was said before, in full", async () => {
      const { seen } = await runOf(name, "history: full");
      const calls =
        choice === undefined ? [] : ["lead: ", ...choice.toolCalls.map(() => expect.stringMatching(/^lead: /))];
      const before = isPassed ? ["How long?", "first: go on [ON]", ...calls] : ["How long?"];
      expect(seen.get("helper")).toEqual([...before, ...own, input]);
    });

    it("is the request and each agent's newest words, as a summary", async () => {
      const { seen } = await runOf(name, "history: summary");
      const request = input.includes("How long?") ? [] : ["How long?"];
      expect(seen.get("helper")).toEqual([...request, ...(isPassed ? ["first: go on [ON]"] : []), ...own, input]);
    });

    it("is what the summarizer makes of it, who is asked once for each input", async () => {
      const { seen, calls } = await runOf(name, "history: summary, summarizer: scribe");
      expect(seen.get("helper")).toEqual(["scribe: in short", input]);
      expect(calls.filter((agent) => agent === "scribe")).toHaveLength(name === "transfers at once" ? 2 : 1);
      expect(seen.get("scribe")?.at(-1)).toContain(input);
    });
  },
);

describe("a summary", () => {
  const crewOf = async (
    agents: Readonly<Record<string, string>>,
    settings: string,
    spoken: ReturnType<typeof listening>,
  ) =>
    loadCrew(
      writeCrew({
        "crew.yaml": `version: "2.0"\nname: history\nentry_point: lead\nagents: [${Object.keys(agents)}]\nsettings: { on_no_signal: stop, ${settings} }`,
        ...agentFiles(agents),
      }),
      { models: spoken.models, env: { BATON_MODEL: "my/model" } },
    );

  it("is made of what the stages of a call said, inside of it", async () => {
    const spoken = listening({});
    const agents = {
      lead: "description: leads\nadvisors: [draft]",
      draft: "description: drafts\nhandoff: polish",
      polish: "description: polishes\nhandoff: print",
      print: "description: prints",
    };
    await (await crewOf(agents, "history: summary", spoken)).run("Write");
    expect(spoken.seen.get("print")).toEqual(["Write", "draft: draft has spoken", "polish has spoken"]);
  });

  it("is not made again of a summary: a team that has a face hears the one that its supervisor got", async () => {
    const spoken = listening({ scribe: ["in short"] });
    const agents = {
      lead: "description: leads\nteam: { members: [m], supervisor: s }",
      m: "description: works",
      s: "description: decides",
      scribe: "description: sums up",
    };
    await (await crewOf(agents, "history: summary, summarizer: scribe", spoken)).run("Write");
    expect(spoken.seen.get("m")).toEqual(["scribe: in short", "lead has spoken"]);
    expect(spoken.calls).toEqual(["lead", "scribe", "m", "s"]);
  });

  it("is not asked of the summarizer for those whom it calls itself", async () => {
    const spoken = listening({ scribe: ["in short"] });
    const agents = {
      lead: "description: leads\nhandoff: b",
      b: "description: goes on",
      scribe: "description: sums up\nadvisors: [reader]",
      reader: "description: reads",
    };
    await (await crewOf(agents, "history: summary, summarizer: scribe", spoken)).run("Write");
    expect(spoken.calls).toEqual(["lead", "reader", "scribe", "b"]);
  });

  it("continues with what an agent said and heard itself when it is asked again", async () => {
    const spoken = listening({ lead: ["start"], b: ["which? [WAIT]", "done"] });
    const crew = await loadCrew(
      writeCrew({
        "crew.yaml": `version: "2.0"\nname: history\nentry_point: lead\nagents: [lead, b]
routing: { signals: { b: [{ signal: "[WAIT]", type: pause }] } }\nsettings: { history: summary }`,
        ...agentFiles({ lead: "description: leads\nhandoff: b", b: "description: goes on" }),
      }),
      { models: spoken.models, env: { BATON_MODEL: "my/model" } },
    );
    const { runId } = await crew.run("Write");
    spoken.seen.clear();
    expect(await crew.resume(runId, { input: "this" }).result).toMatchObject({ status: "completed", output: "done" });
    expect(spoken.seen.get("b")).toEqual(["Write", "start", "b: which? [WAIT]", "this"]);
  });
});

describe("the words with which a human approves a move", () => {
  it("are read by the next agent before what it is asked", async () => {
    const spoken = listening({ a: ["ready [ON]"] });
    const crew = await loadCrew(
      writeCrew({
        "crew.yaml": `version: "2.0"\nname: gate\nentry_point: a\nagents: [a, b]
routing:
  signals: { a: [{ signal: "[ON]", target: b }] }
  agent_behaviors: { a: { auto_route: false } }`,
        ...agentFiles({ a: "description: begins", b: "description: ends" }),
      }),
      { models: spoken.models, env: { BATON_MODEL: "my/model" } },
    );
    const { runId } = await crew.run("go");
    await crew.resume(runId, { decision: "approve", input: "but gently" }).result;
    expect(spoken.seen.get("b")).toEqual(["go", "but gently", "ready [ON]"]);
  });
});
