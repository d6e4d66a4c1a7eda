import { describe, expect, it } from "vitest";
import { type BatonEvent, defineCrew, type Model } from "../src/index.ts";
import { formatLogLines } from "../src/views/log-lines.ts";
import { plantSecrets } from "./planted-secrets.ts";

type Request = Parameters<Model["call"]>[0];
type Reply = Awaited<ReturnType<Model["call"]>>;

function say(text: string): Reply {
  return { text, toolCalls: [], finish: "stop" };
}

function transfer(to: string, context: unknown, text = "", reason?: string): Reply {
  return { text, toolCalls: [{ name: `transfer_to_${to}`, args: { context, reason } }], finish: "tool-calls" };
}

type Keys = Parameters<typeof defineCrew>[0]["agents"][number];

/** A desk that may transfer to others, played by a function. */
function deskWith(collaborations: Keys["collaborations"], others: readonly Keys[], call: (request: Request) => Reply) {
  const model: Model = { name: "m/m", call };
  return defineCrew(
    {
      name: "desk",
      models: ["m/m"],
      agents: [{ id: "desk", description: "desk", prompt: "Work.", collaborations: collaborations ?? [] }, ...others],
      settings: { on_no_signal: "stop" },
    },
    { models: { "m/m": model } },
  );
}

/** What the desk's model is told it may call. */
async function toolsOf(collaborations: Keys["collaborations"], others: readonly Keys[]) {
  let tools: Request["tools"] = [];
  const crew = deskWith(collaborations, others, (request) => {
    tools = request.tools;
    return say("hm");
  });
  await crew.run("x");
  return tools;
}

const azure: Keys = { id: "azure", description: "cloud matters", prompt: "Work." };
const billing: Keys = { id: "billing", name: "Ms Bill", description: "money", prompt: "Work." };
const legal: Keys = { id: "legal", description: "law", prompt: "Work." };

function priced(agent: Keys, perMillion: number): Keys {
  const prices = { input_token_price_per_million: perMillion, output_token_price_per_million: perMillion };
  return { ...agent, cost_limits: prices };
}

describe("the tools for transfers", () => {
  it("say whom they lead to, and what for", async () => {
    const [first, second] = await toolsOf(["azure", { agent: "billing", specialty: "refunds" }], [azure, billing]);
    expect(first).toMatchObject({ name: "transfer_to_azure", description: expect.stringContaining("cloud matters") });
    expect(second?.description).toMatch(/Ms Bill.*\(refunds\)/);
    expect(first?.parameters).toMatchObject({
      properties: { context: { type: "object" }, reason: { type: "string" } },
      required: ["context"],
    });
  });

  it("come in the order of priority, then in that of the file", async () => {
    const tools = await toolsOf(["azure", { agent: "billing", priority: 5 }, "legal"], [azure, billing, legal]);
    expect(tools.map(({ name }) => name)).toEqual(["transfer_to_billing", "transfer_to_azure", "transfer_to_legal"]);
  });

  it("of equal priority come the cheaper first where that is wanted, and one of unknown price last", async () => {
    const others = [azure, priced(billing, 9), priced(legal, 2)];
    const names = async (cost: "prefer_cheaper" | undefined) =>
      (await toolsOf(["azure", "billing", { agent: "legal", ...(cost && { cost }) }], others)).map(({ name }) => name);
    expect(await names(undefined)).toEqual(["transfer_to_azure", "transfer_to_billing", "transfer_to_legal"]);
    expect(await names("prefer_cheaper")).toEqual(["transfer_to_legal", "transfer_to_billing", "transfer_to_azure"]);
  });

  it("say of the cheapest that it is preferred, and of no other", async () => {
    const others = [priced(azure, 9), priced(billing, 2)];
    const tools = await toolsOf([{ agent: "azure", cost: "prefer_cheaper" }, "billing"], others);
    expect(tools.map(({ description }) => description.includes("costs less"))).toEqual([true, false]);
  });

  it("are not offered while their condition does not hold", async () => {
    const collaborations = ["azure", { agent: "billing", when: { contains: "invoice" } }];
    expect((await toolsOf(collaborations, [azure, billing])).map(({ name }) => name)).toEqual(["transfer_to_azure"]);
  });

  it("are not offered where the crew has handoffs disabled", async () => {
    let tools: Request["tools"] | undefined;
    const model: Model = {
      name: "m/m",
      call: (request) => {
        tools = request.tools;
        return say("hm");
      },
    };
    const desk: Keys = { id: "desk", description: "desk", prompt: "Work.", collaborations: ["azure"] };
    const settings = { handoffs_enabled: false };
    const models = { "m/m": model };
    await defineCrew({ name: "desk", models: ["m/m"], agents: [desk, azure], settings }, { models }).run("x");
    expect(tools).toEqual([]);
  });
});

/** Transfers this context once, and gives what the target was told with all events of the run. */
async function pass(context: unknown, text = "", reason?: string) {
  const events: BatonEvent[] = [];
  const told: string[] = [];
  const crew = deskWith(["azure"], [azure], (request) => {
    if (request.agent === "desk") return request.calls === 1 ? transfer("azure", context, text, reason) : say("mine");
    told.push(...request.messages().map((message) => message.text));
    return say("done");
  });
  const result = await crew.run("task", { onEvent: (event) => void events.push(event) });
  return { result, events, told, lines: events.flatMap((event) => formatLogLines(event, crew.definition)) };
}

describe("a context", () => {
  it("of ten megabytes is handed over whole", async () => {
    const { result, told } = await pass({ log: "line ".repeat(2_000_000) });
    expect(result).toMatchObject({ status: "completed", output: "done" });
    expect(told[0]?.length).toBeGreaterThan(10_000_000);
  });

  it("that is nested without end gets an error and another turn", async () => {
    const { result, events } = await pass(JSON.parse(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`));
    expect(result).toMatchObject({ status: "completed", output: "mine", handoffs: 0 });
    expect(events.find(({ type }) => type === "tool.failed")).toMatchObject({
      data: { message: "the arguments are not valid JSON: nested more than 100 deep" },
    });
  });

  it("that is declared so gets the same", async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const replies = [`HANDOFF DECLARATION:\nTo: azure\nContext: ${deep}`, "mine"];
    const crew = deskWith(["azure"], [azure], ({ calls }) => say(replies[calls - 1] ?? ""));
    expect(await crew.run("x")).toMatchObject({ status: "completed", output: "mine", handoffs: 0 });
  });

  it("cannot pollute a prototype", async () => {
    const { told } = await pass(JSON.parse('{"__proto__":{"polluted":true},"b":1,"a":2}'));
    expect(Reflect.get({}, "polluted")).toBeUndefined();
    expect(told[0]).toBe('task\n\nContext:\n\n{\n  "__proto__": {\n    "polluted": true\n  },\n  "a": 2,\n  "b": 1\n}');
  });

  it.each(plantSecrets(11).slice(0, 12))("gives no secret away: $kind", async ({ text, secret }) => {
    const { told, events, lines } = await pass({ note: text, list: [{ deep: text }] }, text, text);
    const all = [...told, ...lines, ...events.map((event) => JSON.stringify(event))];
    expect(told).toHaveLength(1);
    expect(all.filter((each) => each.includes(secret.slice(0, 24)))).toEqual([]);
  });
});

describe("what is logged of a transfer", () => {
  it("says who, and why in the agent's words, which are no signal", async () => {
    const { lines } = await pass({}, "", "signal [END]");
    expect(lines).toEqual(["[ROUTING] desk -> azure (transfer: signal [END])"]);
  });

  it("warns where the work comes back", async () => {
    const lines: string[] = [];
    const back: Keys = { ...azure, collaborations: ["desk"] };
    const crew = deskWith(["azure"], [back], ({ agent, calls }) => {
      if (agent === "azure") return transfer("desk", {});
      return calls === 1 ? transfer("azure", {}) : say("done");
    });
    const result = await crew.run("x", {
      onEvent: (event) => void lines.push(...formatLogLines(event, crew.definition)),
    });
    expect(lines).toContain("[ROUTING-WARNING] circular: desk had the work before");
    expect(result.handoffChain).toMatchObject([
      { from: "desk", to: "azure" },
      { from: "azure", to: "desk", circular: true },
    ]);
    expect(result.handoffChain[0]).not.toHaveProperty("circular");
  });
});

describe("agents that only ever transfer", () => {
  it("come to an end inside a call", async () => {
    let context = 0;
    const pair = ["azure", "billing"];
    const others: Keys[] = [
      { ...azure, collaborations: ["billing"] },
      { ...billing, collaborations: ["azure"] },
    ];
    const model: Model = {
      name: "m/m",
      call: ({ agent, calls, tools }) => {
        if (agent === "desk" && calls === 1)
          return { text: "", toolCalls: [{ name: "agent__azure", args: { prompt: "p" } }], finish: "tool-calls" };
        const to = pair.find((each) => tools.some(({ name }) => name === `transfer_to_${each}`));
        return to === undefined ? say("done") : transfer(to, { n: context++ });
      },
    };
    const desk: Keys = { id: "desk", description: "desk", prompt: "Work.", agents: ["azure"] };
    const models = { "m/m": model };
    const crew = defineCrew(
      { name: "desk", models: ["m/m"], agents: [desk, ...others], settings: { on_no_signal: "stop" } },
      { models },
    );
    const result = await crew.run("x");
    expect(result).toMatchObject({ status: "completed", handoffs: 0 });
    expect(context).toBeLessThan(50);
  });

  it("come to an end where calls lead back into themselves", async () => {
    const problems: string[] = [];
    let context = 0;
    const model: Model = {
      name: "m/m",
      call: ({ agent, tools, messages }) => {
        const isRefused = messages().some(({ text }) => text.includes("calls deep"));
        if (agent === "azure" && !isRefused && tools.length > 0) return transfer("desk", { n: context++ });
        if (agent === "azure" || messages().some(({ role }) => role === "tool")) return say("done");
        return { text: "", toolCalls: [{ name: "agent__azure", args: { prompt: "p" } }], finish: "tool-calls" };
      },
    };
    const desk: Keys = { id: "desk", description: "desk", prompt: "Work.", agents: ["azure"] };
    const models = { "m/m": model };
    const agents = [desk, { ...azure, collaborations: ["desk"] }];
    const crew = defineCrew({ name: "desk", models: ["m/m"], agents, settings: { on_no_signal: "stop" } }, { models });
    const onEvent = (event: BatonEvent) => void (event.type === "tool.failed" && problems.push(event.data.message));
    expect(await crew.run("x", { onEvent })).toMatchObject({ status: "completed", output: "done", handoffs: 0 });
    expect(problems).toEqual([expect.stringContaining("calls deep")]);
  });
});
