import { describe, expect, it } from "vitest";
import { eventLines } from "../src/cli/show/event-lines.ts";
import { plainStyle } from "../src/cli/terminal.ts";
import { openMemoryStore } from "../src/journal/memory-store.ts";
import type { CrewHandle } from "../src/library/crew-handle.ts";
import { defineCrew } from "../src/library/define-crew.ts";
import { loadCrew } from "../src/library/load-crew.ts";
import type { Model, ModelRequest } from "../src/models/model.ts";
import { buildAccounts } from "../src/views/accounts.ts";
import { formatLogLines } from "../src/views/log-lines.ts";
import { buildRunTree } from "../src/views/run-tree.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import type { Message } from "../src/vocabulary/messages.ts";
import { writeCrew } from "./write-crew.ts";

const usage = { input: 10, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 11 };

/** A model that says what it is told to, by crew and agent, and keeps what it was asked. */
function speaking(replies: Readonly<Record<string, readonly string[]>>) {
  const asked: { readonly who: string; readonly system: string; readonly messages: readonly Message[] }[] = [];
  const call = ({ crew, agent, calls, system, messages }: ModelRequest) => {
    const who = crew === "" ? agent : `${crew}/${agent}`;
    asked.push({ who, system, messages: messages() });
    const text = replies[who]?.[calls - 1] ?? "nothing to say";
    return { text, toolCalls: [], finish: "stop" as const, usage };
  };
  const model: Model = { name: "my/model", call };
  return { asked, models: { "my/model": model }, env: { BATON_MODEL: "my/model" } };
}

function files(binding: string, lab = "", settings = ""): Record<string, string> {
  return {
    "crew.yaml": `version: "2.0"
name: master
entry_point: lead
agents: [lead, lead2]
sub_crews: { lab: { config_path: ./lab } }
routing:
  signals:
    lead: [{ signal: "[ON]", target: lead2 }, { signal: "[DONE]", target: "" }]
    lead2: [{ signal: "[MEASURE]", target_crew: lab, return_to: lead${binding} }]
${settings}`,
    "agents/lead.md": "---\ndescription: leads\n---\nLead {{topic}}.",
    "agents/lead2.md": "---\ndescription: leads too\n---\nLead.",
    "lab/crew.yaml": `version: "2.0"\nname: lab\nentry_point: lead\nagents: [lead]\n${lab}`,
    "lab/agents/lead.md": "---\ndescription: measures\n---\nMeasure {{topic}}.",
  };
}

const replies = {
  lead: ["first [ON]", "thanks [DONE]"],
  lead2: ["measure it [MEASURE]"],
  "lab/lead": ["3 cm"],
};

async function eventsOf(crew: CrewHandle): Promise<BatonEvent[]> {
  const events: BatonEvent[] = [];
  await crew.run("How long?", { onEvent: (event) => void (event.seq !== undefined && events.push(event)) });
  return events;
}

function textsSeenBy(who: string, asked: ReturnType<typeof speaking>["asked"]): string[] {
  const seen = asked.find((each) => each.who === who)?.messages ?? [];
  return seen.map((message) => (message.role === "user" ? message.text : `${message.agent}: ${message.text}`));
}

describe("what a sub-crew sees of its caller's history", () => {
  it.each([
    [", history: none", ["measure it [MEASURE]"]],
    [", history: full", ["How long?", "master/lead: first [ON]", "measure it [MEASURE]"]],
    ["", ["How long?", "master/lead: first [ON]", "measure it [MEASURE]"]],
    [
      ', history: full, input_template: "go"',
      ["How long?", "master/lead: first [ON]", "lead2: measure it [MEASURE]", "go"],
    ],
    [', input_template: "{{.OriginalInput}}"', ["master/lead: first [ON]", "lead2: measure it [MEASURE]", "How long?"]],
  ])("%s", async (binding, texts) => {
    const { asked, models, env } = speaking(replies);
    const crew = await loadCrew(writeCrew(files(binding)), { models, env });
    expect(await crew.run("How long?")).toMatchObject({ status: "completed", path: ["lead", "lead2", "lab", "lead"] });
    expect(textsSeenBy("lab/lead", asked)).toEqual(texts);
  });

  it("is the newest of it where there is much", async () => {
    const { asked, models, env } = speaking({
      ...replies,
      lead: [`${"old words ".repeat(5000)}newest [ON]`, "thanks [DONE]"],
    });
    const crew = await loadCrew(writeCrew(files("")), { models, env });
    await crew.run("How long?");
    const [request, words = ""] = textsSeenBy("lab/lead", asked);
    expect(request).toBe("How long?");
    expect(words).toMatch(/^master\/lead: \.\.\..*newest \[ON\]$/);
    expect(words.length).toBeLessThan(7000);
  });

  it("is what the summarizer says", async () => {
    const { asked, models, env } = speaking({ ...replies, scribe: ["in short: a length"] });
    const given = files("", "", "settings: { summarizer: scribe }");
    const crewFile = (given["crew.yaml"] ?? "").replace("agents: [lead, lead2]", "agents: [lead, lead2, scribe]");
    const all = { ...given, "crew.yaml": crewFile, "agents/scribe.md": "---\ndescription: sums up\n---\nSum up." };
    await (await loadCrew(writeCrew(all), { models, env })).run("How long?");
    expect(textsSeenBy("lab/lead", asked)).toEqual(["scribe: in short: a length", "measure it [MEASURE]"]);
  });
});

describe("a sub-crew", () => {
  it("may give ten megabytes", async () => {
    const { models, env } = speaking({ ...replies, "lab/lead": ["x".repeat(10_000_000)] });
    const crew = await loadCrew(writeCrew(files("")), { models, env });
    expect(await crew.run("How long?")).toMatchObject({ status: "completed", output: "thanks" });
  });

  it("has its own prompts, in which variables are filled in, and its own agents of the same ids", async () => {
    const { asked, models, env } = speaking(replies);
    const crew = await loadCrew(writeCrew(files("")), { models, env, variables: { topic: "tides" } });
    await crew.run("How long?");
    expect(asked.map(({ who, system }) => [who, system])).toEqual([
      ["lead", "Lead tides."],
      ["lead2", "Lead."],
      ["lab/lead", "Measure tides."],
      ["lead", "Lead tides."],
    ]);
  });

  it("is resumed where it paused, by any handle with the store, and replayed", async () => {
    const { models, env } = speaking({ ...replies, "lab/lead": ["which? [WAIT]", "3 cm"] });
    const folder = writeCrew(files("", 'routing: { signals: { lead: [{ signal: "[WAIT]", type: pause }] } }'));
    const store = openMemoryStore();
    const paused = await (await loadCrew(folder, { models, env, store })).run("How long?");
    expect(paused).toMatchObject({ status: "paused", paused: { agent: "lab/lead" } });
    const other = await loadCrew(folder, { models, env, store });
    const done = await other.resume(paused.runId, { input: "this" }).result;
    expect(done).toMatchObject({ status: "completed", path: ["lead", "lead2", "lab", "lead"], handoffs: 3 });
    expect(await other.replay(paused.runId)).not.toHaveProperty("divergence");
    const forked = await other.fork(paused.runId, { at: 0, prompts: { "lab/lead": "Guess." } }).result;
    expect(forked.status).toBe("paused");
  });

  it("is cancelled with the run", async () => {
    const abort = new AbortController();
    const hanging: Model = { name: "my/model", call: ({ crew }) => (crew === "lab" ? new Promise(() => {}) : say()) };
    const say = () => ({ text: "measure it [ON] [MEASURE]", toolCalls: [], finish: "stop" as const });
    const crew = await loadCrew(writeCrew(files("")), {
      models: { "my/model": hanging },
      env: { BATON_MODEL: "my/model" },
    });
    const all: BatonEvent[] = [];
    const result = await crew.run("How long?", {
      signal: abort.signal,
      onEvent: (event) => {
        all.push(event);
        if (event.type === "model.called" && event.crew === "lab") abort.abort();
      },
    });
    const events = all.map(({ type }) => type);
    const said = all.flatMap((event) => formatLogLines(event, crew.definition));
    expect(result.status).toBe("cancelled");
    expect(events.slice(-5)).toEqual(["run.cancelling", "model.failed", "agent.failed", "crew.left", "run.cancelled"]);
    expect(said.slice(-1)).toEqual(["[CREW] lab left: cancelled"]);
    const shown = eventLines(all, plainStyle, 200).map((line) => line.trimEnd());
    expect(shown.slice(-5).map((line) => line.replace(/.* {2}/, ""))).toEqual([
      "cancelled",
      "my/model cancelled",
      "cancelled",
      "lab cancelled",
      "cancelled",
    ]);
  });

  it("is cancelled from the innermost crew out, however deep", async () => {
    const abort = new AbortController();
    const inner = 'version: "2.0"\nname: inner\nentry_point: lead\nagents: [lead]\n';
    const calls =
      'sub_crews: { inner: { config_path: ./inner } }\nrouting: { signals: { lead: [{ signal: "[GO]", target_crew: inner }] } }';
    const lead = "---\ndescription: leads\n---\nSay [GO].";
    const all = { ...files("", calls), "lab/inner/crew.yaml": inner, "lab/inner/agents/lead.md": lead };
    const say = { text: "on it [ON] [MEASURE] [GO]", toolCalls: [], finish: "stop" as const };
    const hanging: Model = {
      name: "my/model",
      call: ({ crew }) => (crew === "lab/inner" ? new Promise(() => {}) : say),
    };
    const crew = await loadCrew(writeCrew(all), {
      models: { "my/model": hanging },
      env: { BATON_MODEL: "my/model" },
    });
    const left: string[] = [];
    const result = await crew.run("How long?", {
      signal: abort.signal,
      onEvent: (event) => {
        if (event.type === "crew.left") left.push(`${event.data.crew} ${event.data.status}`);
        if (event.type === "model.called" && event.crew === "lab/inner") abort.abort();
      },
    });
    expect(result.status).toBe("cancelled");
    expect(left).toEqual(["inner cancelled", "lab cancelled"]);
  });

  it("has its own totals, which are in its caller's", async () => {
    const { models, env } = speaking(replies);
    const crew = await loadCrew(writeCrew(files("")), { models, env });
    const events = await eventsOf(crew);
    const [master] = buildAccounts(events).children;
    const lab = master?.children.find(({ kind }) => kind === "crew");
    expect(master).toMatchObject({ kind: "crew", name: "master", total: { calls: 4 }, own: { calls: 3 } });
    expect(lab).toMatchObject({ kind: "crew", name: "lab", total: { calls: 1, usage: { total: 11 } } });
    const [tree] = buildRunTree(events).children;
    expect(tree?.children.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "session lead",
      "session lead2",
      "crew lab",
      "session lead",
    ]);
  });
});

describe("withSubCrew", () => {
  const lab = { name: "lab", description: "measures", agents: [{ id: "meter", description: "m", prompt: "Measure." }] };

  it("adds a crew that the entry agent may delegate to", async () => {
    const call = ({ agent, calls, tools }: ModelRequest) => {
      const text = agent === "meter" ? "3 cm" : `done with ${tools.map(({ name }) => name).join()}`;
      const isFirst = agent === "lead" && calls === 1;
      const toolCalls = isFirst ? [{ name: "crew__delegate", args: { crew: "lab", input: "measure" } }] : [];
      return { text, toolCalls, finish: isFirst ? ("tool-calls" as const) : ("stop" as const) };
    };
    const models = { "my/model": { name: "my/model", call } };
    const env = { BATON_MODEL: "my/model" };
    const agents = [{ id: "lead", description: "leads", prompt: "Lead." }];
    const crew = defineCrew({ name: "master", agents }, { models, env }).withSubCrew("lab", lab);
    const events = await eventsOf(crew);
    expect(events.find(({ type }) => type === "crew.left")?.data).toMatchObject({ crew: "lab", output: "3 cm" });
    expect(events.at(-1)?.data).toMatchObject({ output: "done with crew__delegate" });
  });

  it("puts another in the place of one that the crew has", async () => {
    const { models, env } = speaking({ ...replies, "lab/meter": ["about 3 cm"] });
    const crew = (await loadCrew(writeCrew(files("")), { models, env })).withSubCrew("lab", lab);
    const events = await eventsOf(crew);
    expect(events.find(({ type }) => type === "crew.left")?.data).toMatchObject({ output: "about 3 cm" });
  });

  it("refuses a crew with errors", () => {
    const crew = defineCrew({ name: "master", agents: [{ id: "lead", prompt: "Lead." }] });
    expect(() => crew.withSubCrew("lab", { name: "lab", agents: [] })).toThrow("needs at least one agent");
  });
});
