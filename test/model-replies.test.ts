import { describe, expect, it } from "vitest";
import { type BatonEvent, defineCrew, type EventData, type Model, type ModelReply } from "../src/index.ts";

const usage = { input: 3, output: 50, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 53 };

/** The events of a run in which a model in code gives this reply, after the parts of it that it streams. */
async function eventsOf(reply: Partial<ModelReply>, streamed: readonly string[] = []): Promise<BatonEvent[]> {
  const model: Model = {
    name: "my/model",
    call: ({ onText }) => {
      for (const part of streamed) onText(part);
      return { text: "Done.", toolCalls: [], finish: "stop", ...reply };
    },
  };
  const crew = defineCrew({ name: "desk", models: [model], agents: [{ id: "a", prompt: "Work." }] });
  const run = crew.start("go");
  const events: BatonEvent[] = [];
  for await (const event of run.events) events.push(event);
  return events;
}

async function completed(reply: Partial<ModelReply>): Promise<EventData["model.completed"] | undefined> {
  return (await eventsOf(reply)).find((event) => event.type === "model.completed")?.data;
}

describe("the speed of a reply", () => {
  it("is its tokens by its time, where both are known", async () => {
    expect(await completed({ usage, ms: 1500 })).toMatchObject({ ms: 1500, tokensPerSecond: 33.3 });
  });

  it.each([{ ms: 1500 }, { usage }, { usage, ms: 0 }])("is not known of %j", async (reply) => {
    const data = await completed(reply);
    expect([data?.text, data && "tokensPerSecond" in data]).toEqual(["Done.", false]);
  });
});

describe("a final report", () => {
  it("may be null where the schema takes it, and is asked for again where it is missing", async () => {
    const seen: (readonly string[])[] = [];
    const model: Model = {
      name: "my/model",
      call: ({ calls, messages }) => {
        seen.push(messages().map(({ text }) => text));
        const args = calls === 1 ? undefined : null;
        return { text: "", toolCalls: [{ name: "final_report", args }], finish: "tool-calls" };
      },
    };
    const output = { type: ["object", "null"] };
    const crew = defineCrew({ name: "desk", models: [model], agents: [{ id: "a", prompt: "Work.", output }] });
    expect(await crew.run("go")).toMatchObject({ status: "completed", output: "null", object: null });
    expect(seen).toHaveLength(2);
  });
});

describe("a streamed text that ends in what may be the beginning of a tag", () => {
  it.each([["1 <", "thi"], ["1 <thi"], ["<think>so</think>1 <thi"]])("is shown to its end: %j", async (...streamed) => {
    const events = await eventsOf({ text: streamed.join("") }, streamed);
    const shown = events.flatMap((event) => (event.type === "text.delta" ? [event.data.text] : []));
    expect(shown.join("")).toBe("1 <thi");
    expect(events.at(-1)).toMatchObject({ type: "run.completed", data: { output: "1 <thi" } });
  });
});
