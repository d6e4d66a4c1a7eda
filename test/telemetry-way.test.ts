import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { defineCrew, defineTool, loadCrew, type Model, ModelError } from "../src/index.ts";
import type { ReceivedSpan } from "./otlp-receiver.ts";
import { registerTracer } from "./traced-runs.ts";
import { writeCrew } from "./write-crew.ts";

/** A model that gives each agent its replies in order: text, or calls of tools. */
function modelOf(replies: Readonly<Record<string, readonly (string | Record<string, unknown>)[]>>): Model {
  const calls = new Map<string, number>();
  return {
    name: "fake/m",
    call({ agent }) {
      const call = calls.get(agent) ?? 0;
      calls.set(agent, call + 1);
      const reply = replies[agent]?.[call] ?? "enough";
      if (typeof reply === "string") return { text: reply, toolCalls: [], finish: "stop" };
      const [[name = "", args] = []] = Object.entries(reply);
      if (name === "error") throw new ModelError(String(args), { status: 400 });
      return { text: "", toolCalls: [{ name, args }], finish: "tool-calls" };
    },
  };
}

type Definition = Omit<Parameters<typeof defineCrew>[0], "name" | "models">;

/** Runs a crew under a registered tracer; what was sent of it. */
async function trace(definition: Definition, replies: Parameters<typeof modelOf>[0], captureContent = false) {
  await using tracer = await registerTracer();
  const models = { "fake/m": modelOf(replies) };
  const crew = defineCrew({ name: "desk", models: ["fake/m"], ...definition }, { models, captureContent });
  const result = await crew.run("go");
  return { crew, result, spans: await tracer.sent() };
}

/** Each agent and crew with those it links to, in alphabetical order. */
function wayOf(spans: readonly ReceivedSpan[]): string[] {
  const names = new Map(spans.map(({ spanId, name }) => [spanId, nameOf(name)]));
  return spans
    .filter(({ name }) => name.startsWith("invoke_"))
    .map(({ name, links }) => `${nameOf(name)} <- ${links.map(({ spanId }) => names.get(spanId)).join(", ") || "-"}`)
    .toSorted();
}

function nameOf(name: string): string {
  return name.replace(/^invoke_(agent|workflow) /, "");
}

function eventsOf(spans: readonly ReceivedSpan[], of: string) {
  return spans.filter(({ name }) => nameOf(name) === of).flatMap(({ events }) => events);
}

const agent = (id: string, more: object = {}) => ({ id, description: id, prompt: "Work.", maxRetries: 0, ...more });

it("links an agent to whoever handed over to it, by whatever mechanism", async () => {
  const { spans } = await trace(
    {
      agents: [
        agent("desk", { router: { destinations: ["clerk"] } }),
        agent("clerk", { collaborations: ["expert"] }),
        agent("expert", { handoff: "writer" }),
        agent("writer"),
      ],
    },
    {
      desk: [{ "handoff-to": { agent: "clerk" } }],
      clerk: [{ transfer_to_expert: { context: {}, reason: "my words" } }],
      expert: ["looked up"],
      writer: ["written"],
    },
  );
  expect(wayOf(spans)).toEqual(["clerk <- desk", "desk <- -", "desk <- -", "expert <- clerk", "writer <- expert"]);
  expect(spans.flatMap(({ links }) => links.map(({ attributes }) => attributes))).toEqual(
    Array(3).fill({ "baton.link": "handoff" }),
  );
  const [handoff, ...others] = eventsOf(spans, "clerk");
  expect(others).toEqual([]);
  expect(handoff).toEqual({
    name: "baton.handoff",
    attributes: {
      "gen_ai.agent.name": "clerk",
      "baton.handoff.from": "clerk",
      "baton.handoff.to": "expert",
      "baton.handoff.via": "transfer",
      "baton.handoff.n": 2,
      "baton.handoff.circular": false,
    },
  });
});

it("links a group's members to the emitter, and the next agent to the members that are in the join", async () => {
  const { spans } = await trace(
    {
      agents: [agent("lead"), agent("anna"), agent("ben"), agent("closer", { isTerminal: true })],
      routing: {
        signals: { lead: [{ signal: "[ALL]", target: "helpers" }] },
        parallelGroups: { helpers: { agents: ["anna", "ben"], waitForAll: true, nextAgent: "closer" } },
      },
    },
    { lead: ["all of you [ALL]"], ben: [{ error: "broken" }] },
  );
  expect(wayOf(spans)).toEqual(["anna <- lead", "ben <- lead", "closer <- anna, ben", "desk <- -", "lead <- -"]);
  expect(eventsOf(spans, "lead").map(({ name }) => name)).toEqual(["baton.signal.emitted", "baton.handoff"]);
  expect(eventsOf(spans, "lead")[0]?.attributes).toEqual({
    "gen_ai.agent.name": "lead",
    "baton.signal.name": "[ALL]",
    "baton.signal.level": "exact",
  });
  expect(eventsOf(spans, "desk")).toMatchObject([
    {
      name: "baton.parallel.started",
      attributes: { "baton.group.name": "helpers", "baton.group.members": ["anna", "ben"] },
    },
    {
      name: "baton.parallel.joined",
      attributes: { "baton.group.name": "helpers", "baton.group.completed": ["anna"], "baton.group.failed": ["ben"] },
    },
    { name: "baton.handoff", attributes: { "baton.handoff.from": "helpers", "baton.handoff.to": "closer" } },
  ]);
});

it("does not link to members whose work was cancelled", async () => {
  const { spans } = await trace(
    {
      agents: [
        agent("lead"),
        agent("quick"),
        agent("slow", { tools: ["wait"] }),
        agent("closer", { isTerminal: true }),
      ],
      tools: [
        defineTool({
          name: "wait",
          description: "waits",
          execute: (_, { signal }) =>
            new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
        }),
      ],
      routing: {
        signals: { lead: [{ signal: "[ALL]", target: "pair" }] },
        parallelGroups: { pair: { agents: ["slow", "quick"], nextAgent: "closer" } },
      },
    },
    { lead: ["[ALL]"], slow: [{ wait: {} }] },
  );
  expect(wayOf(spans)).toContain("closer <- quick");
  expect(eventsOf(spans, "desk")[1]?.attributes).toMatchObject({ "baton.group.cancelled": ["slow"] });
});

it("links a called crew to its caller, and the agent that it returns to to the crew", async () => {
  await using tracer = await registerTracer();
  const replies = { lead: ["measure [MEASURE]", "fine [DONE]"], meter: ["3 cm"], checker: ["checked"] };
  const path = writeCrew({
    "crew.yaml": `version: "2.0"
name: desk
models: [fake/m]
agents: [lead]
routing:
  signals: { lead: [{ signal: "[MEASURE]", target_crew: lab }, { signal: "[DONE]", target: "" }] }
sub_crews: { lab: { config_path: lab } }
`,
    "agents/lead.md": "---\ndescription: leads\n---\nLead. [MEASURE] [DONE]",
    "lab/crew.yaml": 'version: "2.0"\nname: lab\nmodels: [fake/m]\nagents: [meter, checker]\n',
    "lab/agents/meter.md": "---\ndescription: measures\n---\nMeasure.",
    "lab/agents/checker.md": "---\ndescription: checks\n---\nCheck.",
  });
  const crew = await loadCrew(path, { models: { "fake/m": modelOf(replies) } });
  await crew.run("go");
  expect(wayOf(await tracer.sent())).toEqual([
    "checker <- meter",
    "desk <- -",
    "lab <- lead",
    "lead <- -",
    "lead <- lab",
    "meter <- -",
  ]);
});

it("links the stages of a chain within a call", async () => {
  const { spans } = await trace(
    {
      agents: [agent("boss", { agents: ["scout"] }), agent("scout", { handoff: "editor" }), agent("editor")],
      entryPoint: "boss",
    },
    { boss: [{ agent__scout: { prompt: "look", reason: "need it" } }, "done"], scout: ["found"], editor: ["edited"] },
  );
  expect(wayOf(spans)).toEqual(["boss <- -", "desk <- -", "editor <- scout", "scout <- -"]);
});

it("tells the words of a model only where content is asked for", async () => {
  const crew = { agents: [agent("desk", { collaborations: ["expert"] }), agent("expert")] };
  const replies = { desk: [{ transfer_to_expert: { context: {}, reason: "the patient is ill" } }] };
  expect(JSON.stringify((await trace(crew, replies)).spans)).not.toContain("patient");
  const { spans } = await trace(crew, replies, true);
  expect(eventsOf(spans, "desk")[0]?.attributes).toMatchObject({ "baton.handoff.reason": "the patient is ill" });
});

it("names the version of what made the spans, and the schema of their names", async () => {
  const { spans } = await trace({ agents: [agent("a")] }, {});
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  );
  expect(new Set(spans.map(({ scope }) => JSON.stringify(scope)))).toEqual(
    new Set([
      JSON.stringify({
        name: "baton-agents",
        version: manifest.version,
        schemaUrl: "https://opentelemetry.io/schemas/1.45.0",
      }),
    ]),
  );
});
