import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type BatonEvent,
  defineAgent,
  defineCrew,
  type Model,
  type ModelReply,
  type ModelRequest,
  openMemoryStore,
  type StandardSchema,
  script,
} from "../src/index.ts";

const invoice = z.object({ total: z.number().positive(), due: z.string().transform((text) => new Date(text)) });
const good = '{ "total": 12, "due": "2026-05-04" }';

async function eventsOf(events: AsyncIterable<BatonEvent>): Promise<BatonEvent[]> {
  const all: BatonEvent[] = [];
  for await (const event of events) if (event.seq !== undefined) all.push(event);
  return all;
}

describe("the output of an agent in code", () => {
  it("is a Standard Schema, whose value the result has as its object beside the text", async () => {
    const crew = defineCrew({ name: "books", agents: [{ id: "reader", prompt: "Read.", output: invoice }] });
    expect(crew.definition.agents.get("reader")?.output).toMatchObject({
      format: "json",
      schema: { type: "object", properties: { total: { type: "number" } }, required: ["total", "due"] },
    });
    const result = await crew.run("an invoice", { script: script({ reader: [good] }) });
    expect(result).toMatchObject({ status: "completed", output: good });
    expect(result.object).toEqual({ total: 12, due: new Date("2026-05-04") });
  });

  it("is a JSON Schema, or a contract as files have it", async () => {
    const schema = { type: "object", required: ["total"], properties: { total: { type: "number" } } };
    for (const output of [schema, { format: "json" as const, schema }, { schema }]) {
      const crew = defineCrew({ name: "books", agents: [{ id: "reader", prompt: "Read.", output }] });
      expect(crew.definition.agents.get("reader")?.output).toEqual({ format: "json", schema });
      const { object } = await crew.run("go", { script: script({ reader: ['{ "total": 3 }'] }) });
      expect(object).toEqual({ total: 3 });
    }
  });

  it("is text where nothing else is said, and then there is no object", async () => {
    const crew = defineCrew({ name: "books", agents: [{ id: "reader", prompt: "Read." }] });
    const result = await crew.run("go", { script: script({ reader: [good] }) });
    expect([result.output, result.object]).toEqual([good, undefined]);
  });

  it("may be checked by a library that writes no JSON Schema", async () => {
    const even: StandardSchema<number> = {
      "~standard": {
        validate: (value) => (Number(value) % 2 === 0 ? { value: Number(value) } : { issues: [{ message: "odd" }] }),
      },
    };
    const crew = defineCrew({ name: "even", agents: [{ id: "counter", prompt: "Count.", output: even }] });
    expect(crew.definition.agents.get("counter")?.output).toEqual({ format: "json", schema: undefined });
    const { object } = await crew.run("go", { script: script({ counter: ["3", "4"] }) });
    expect(object).toBe(4);
  });

  it("belongs to the agent that ends the run, in a sub-crew to that of the sub-crew", async () => {
    const sub = {
      name: "lab",
      agents: [{ id: "meter", prompt: "Measure.", output: z.object({ cm: z.number().refine((cm) => cm < 5) }) }],
    };
    const main = defineCrew({ name: "desk", agents: [{ id: "lead", prompt: "Delegate.", output: invoice }] });
    const crew = main.withSubCrew("lab", sub);
    const replies = script({
      lead: [{ tools: [{ name: "crew__delegate", args: { crew: "lab", input: "go" } }] }, good],
      meter: ['{ "cm": 9 }', '{ "cm": 4 }'],
    });
    const run = crew.start("go", { script: replies });
    const events = await eventsOf(run.events);
    expect((await run.result).object).toEqual({ total: 12, due: new Date("2026-05-04") });
    expect(events.filter(({ type }) => type === "answer.rejected")).toMatchObject([{ agent: "meter", crew: "lab" }]);
  });
});

describe("an answer that a schema in code refuses", () => {
  const crew = (store = openMemoryStore()) =>
    defineCrew({ name: "books", agents: [{ id: "reader", prompt: "Read.", output: invoice }] }, { store });

  it("is repaired once, on record", async () => {
    const books = crew();
    const run = books.start("go", { script: script({ reader: ['{ "total": 0, "due": "2026" }', good] }) });
    const events = await eventsOf(run.events);
    expect(await run.result).toMatchObject({ status: "completed", output: good });
    // That a total is above 0 is in the JSON Schema too, so nothing needs to be recorded.
    expect(events.map(({ type }) => type)).not.toContain("answer.rejected");
    expect(await books.replay(run.id)).toEqual({ events: events.length });
  });

  it("is replayed by whoever has the crew without its code", async () => {
    const store = openMemoryStore();
    const even = z.object({ total: z.number().refine((total) => total % 2 === 0, "must be even") });
    const agent = { id: "reader", prompt: "Read.", output: even };
    const books = defineCrew({ name: "books", agents: [agent] }, { store });
    const run = books.start("go", { script: script({ reader: ['{ "total": 1 }', '{ "total": 2 }'] }) });
    const events = await eventsOf(run.events);
    expect((await run.result).object).toEqual({ total: 2 });
    expect(events.find(({ type }) => type === "answer.rejected")).toMatchObject({
      agent: "reader",
      path: "0/t0",
      data: { problem: "total: must be even" },
    });
    const { output, ...plain } = agent;
    const schema = books.definition.agents.get("reader")?.output.schema as { readonly [key: string]: unknown };
    const other = defineCrew({ name: "books", agents: [{ ...plain, output: { schema } }] }, { store });
    expect(await other.replay(run.id)).toEqual({ events: events.length });
    expect(output).toBe(even);
  });

  it("fails the agent where it does not fit again", async () => {
    const never = z.object({ total: z.number().refine(() => false, "is never right") });
    const books = defineCrew({ name: "books", agents: [{ id: "reader", prompt: "Read.", output: never }] });
    const failed = await books.run("go", { script: script({ reader: ['{ "total": 1 }', '{ "total": 2 }'] }) });
    expect(failed).toMatchObject({
      status: "failed",
      error: { code: "output_invalid", message: expect.stringContaining("total: is never right") },
    });
    expect(failed.object).toBeUndefined();
  });

  it("cannot be refused by a check that takes time, which is said", async () => {
    const slow = z.object({ total: z.number().refine(async () => true) });
    const books = defineCrew({ name: "books", agents: [{ id: "reader", prompt: "Read.", output: slow }] });
    const failed = await books.run("go", { script: script({ reader: ['{ "total": 1 }', '{ "total": 2 }'] }) });
    expect(failed.error?.message).toContain("checks asynchronously; use checks that answer at once");
  });
});

describe("what a provider is asked for", () => {
  /** Sees requests, and answers with what it is told. */
  function modelOf(...replies: readonly Partial<ModelReply>[]) {
    const requests: ModelRequest[] = [];
    const model: Model = {
      name: "my/model",
      call(request) {
        requests.push(request);
        return { text: "", toolCalls: [], finish: "stop", ...replies[requests.length - 1] };
      },
    };
    return { model, requests };
  }
  const routing = {
    signals: {
      reader: [
        { signal: "[DONE]", target: "" },
        { signal: "[MORE]", target: "reader" },
      ],
    },
  };
  const reader = (model: Model) => defineAgent({ id: "reader", prompt: "Read.", models: [model], output: invoice });

  it("is its own structured output, where the agent writes no signals", async () => {
    const { model, requests } = modelOf({ text: good });
    const crew = defineCrew({ name: "books", agents: [reader(model)] });
    expect((await crew.run("go")).object).toMatchObject({ total: 12 });
    expect(requests[0]).toMatchObject({ json: { schema: { type: "object", required: ["total", "due"] } } });
    expect(requests[0]?.toolChoice).toBeUndefined();
  });

  it("is a tool that must be called, where the agent writes signals: it takes the answer and the signal", async () => {
    const args = { answer: { total: 12, due: "2026-05-04" }, signal: "[DONE]" };
    const { model, requests } = modelOf({ toolCalls: [{ name: "final_report", args }], finish: "tool-calls" });
    const crew = defineCrew({ name: "books", agents: [reader(model)], routing });
    const result = await crew.run("go");
    expect(requests[0]?.json).toBeUndefined();
    expect(requests[0]).toMatchObject({ toolChoice: "required" });
    expect(requests[0]?.tools).toMatchObject([
      {
        name: "final_report",
        parameters: {
          properties: { answer: { required: ["total", "due"] }, signal: { enum: ["[DONE]", "[MORE]"] } },
          required: ["answer"],
        },
      },
    ]);
    expect(result).toMatchObject({ stopReason: "signal", output: '{"total":12,"due":"2026-05-04"}' });
    expect(result.object).toEqual({ total: 12, due: new Date("2026-05-04") });
  });

  it("routes by that signal, and goes without one", async () => {
    const call = (args: object) => ({ toolCalls: [{ name: "final_report", args }], finish: "tool-calls" as const });
    const answer = { total: 12, due: "2026-05-04" };
    const { model } = modelOf(call({ answer, signal: "MORE" }), call({ answer }));
    const crew = defineCrew({ name: "books", agents: [reader(model)], routing });
    expect(await crew.run("go")).toMatchObject({ path: ["reader", "reader"], stopReason: "answer" });
    const again = modelOf(call({ answer, signal: "[MORE]" }), call({ answer, signal: "[DONE]" }));
    const other = defineCrew({ name: "books", agents: [reader(again.model)], routing });
    expect(await other.run("go")).toMatchObject({ path: ["reader", "reader"], stopReason: "signal" });
  });

  it("is text with JSON and signals, where a provider refuses that a tool must be called", async () => {
    const { requests } = modelOf();
    const model: Model = {
      name: "my/model",
      call(request) {
        requests.push(request);
        if (request.toolChoice === "required")
          throw Object.assign(new Error("tool_choice is unknown"), { status: 400 });
        return { text: `${good}\n[DONE]`, toolCalls: [], finish: "stop" };
      },
    };
    const crew = defineCrew({ name: "books", agents: [reader(model)], routing });
    const result = await crew.run("go");
    expect(requests.map(({ toolChoice }) => toolChoice)).toEqual(["required", undefined]);
    expect(result).toMatchObject({ stopReason: "signal", output: good });
    expect(result.object).toMatchObject({ total: 12 });
  });

  it("understands a report whose schema has an answer of its own", async () => {
    const output = z.object({ answer: z.string() });
    const report = (args: object) =>
      modelOf({ toolCalls: [{ name: "final_report", args }], finish: "tool-calls" }).model;
    for (const args of [{ answer: "yes" }, { answer: { answer: "yes" } }]) {
      const agent = defineAgent({ id: "reader", prompt: "Read.", models: [report(args)], output });
      const { object } = await defineCrew({ name: "books", agents: [agent], routing }).run("go");
      expect(object).toEqual({ answer: "yes" });
    }
  });
});
