import { afterEach, describe, expect, it } from "vitest";
import { defineAgent, defineCrew, defineTool } from "../src/index.ts";
import { WireNames } from "../src/models/wire-names.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { answer, type HostileServer, openHostileServer, type Play } from "./hostile-server.ts";
import { type Dialect, dialects } from "./wire-dialects.ts";

let server: HostileServer | undefined;
afterEach(async () => server?.close());

const long = `files__${"very_".repeat(20)}`;
/** The name that another would go by, if this tool were not there. */
const taken = new WireNames([]).sent("tra_cứu");
/** Pairs that are one where marks are dropped, or what is too long is cut. */
const names = ["tra_cứu", "tra_cưu", `${long}read`, `${long}write`, "7zip", "plain", taken];
const transfer = "transfer_to_kế_toán";
const table = dialects.flatMap((dialect) =>
  [true, false].map((isStreamed) => ({ dialect, isStreamed, format: dialect.provider })),
);

describe("tools whose names a provider would refuse", () => {
  it.each(table)("go by others on the wire: $format, streamed: $isStreamed", async ({ dialect, isStreamed }) => {
    const { events, result, requests } = await play(dialect, isStreamed);
    const completed = events.flatMap((event) => (event.type === "tool.completed" ? [event.data] : []));
    expect(completed.filter(({ tool }) => names.includes(tool))).toEqual(
      names.map((name) => ({ tool: name, result: `${name} was called` })),
    );
    const replies = events.flatMap((event) => (event.type === "model.completed" ? [event.data.toolCalls] : []));
    expect(replies.map((calls) => calls.map(({ name }) => name))).toEqual([names, ["no.such tool"], [transfer], []]);
    expect(result).toMatchObject({ status: "completed", path: ["speaker", "kế_toán"], handoffs: 1 });
    const sent = requests.map((request) => valuesOf("name", request));
    for (const name of sent.flat()) expect(name).toMatch(/^[A-Za-z_][\w-]{0,63}$/);
    const [first] = requests.map((request) => descriptionsOf(request));
    expect(new Set(first?.values()).size).toBe(names.length + 1);
    expect(first?.get("does plain")).toBe("plain");
    // Whatever is offered and said besides, a tool keeps the name by which it goes.
    expect(descriptionsOf(requests[2])).toEqual(first);
  });
});

async function play(dialect: Dialect, isStreamed: boolean) {
  const call = (name: string, index: number, args = "{}") => ({ id: `c${index}`, name, args });
  const sentNames = () => [...descriptionsOf(server?.requests[0])];
  const nameOf = (own: string) => sentNames().find(([description]) => description === `does ${own}`)?.[1] ?? "";
  const plays: Play[] = [
    (wire) => answer({ calls: names.map((name, index) => call(nameOf(name), index)) })(wire),
    answer({ calls: [call("no.such tool", 0)] }),
    (wire) => {
      const [, name = ""] = sentNames().find(([description]) => description.startsWith("Transfers")) ?? [];
      answer({ calls: [call(name, 0, '{"context":{}}')] })(wire);
    },
    answer({ text: "Booked. [DONE]" }),
  ];
  server = await openHostileServer(dialect, plays);
  const events: BatonEvent[] = [];
  const result = await crewFor(dialect, server.url, isStreamed).run("Go", {
    onEvent: (event) => void events.push(event),
  });
  return { events, result, requests: server.requests };
}

function crewFor({ provider, variable }: Dialect, url: string, isStreamed: boolean) {
  const tools = names.map((name) =>
    defineTool({ name, description: `does ${name}`, sequential: true, execute: () => `${name} was called` }),
  );
  return defineCrew(
    {
      name: "wire",
      entry_point: "speaker",
      models: [`${provider}/m`],
      agents: [
        defineAgent({ id: "speaker", prompt: "Work.", tools: names, collaborations: ["kế_toán"] }),
        defineAgent({ id: "kế_toán", description: "keeps the books", prompt: "Say [DONE]." }),
      ],
      tools,
      routing: { signals: { kế_toán: [{ signal: "[DONE]", target: "" }] } },
    },
    {
      env: {
        [`${variable}_BASE_URL`]: provider === "local" ? `${url}/v1` : url,
        [`${variable}_API_KEY`]: "k",
        BATON_STREAM: isStreamed ? "on" : "off",
      },
    },
  );
}

/** The names of tools by their descriptions, wherever a format has them. */
function descriptionsOf(request: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const each of objectsIn(request)) {
    const { name, description } = each;
    if (typeof name === "string" && typeof description === "string") found.set(description, name);
  }
  return found;
}

function valuesOf(key: string, request: unknown): string[] {
  return objectsIn(request).flatMap(({ [key]: value }) => (typeof value === "string" ? value : []));
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Array.isArray(value) ? [] : [value as Record<string, unknown>];
  return [...own, ...Object.values(value).flatMap(objectsIn)];
}
