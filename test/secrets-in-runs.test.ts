import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type BatonEvent, defineCrew, defineTool, type Model, openSqliteStore } from "../src/index.ts";
import { formatLogLines } from "../src/views/log-lines.ts";
import { type PlantedSecret, plantSecrets, variables } from "./planted-secrets.ts";

/** One secret of every kind, in a text in which it is recognised. */
const planted = [...new Map(plantSecrets(7).map((each) => [each.kind, each])).values()];

/** Lets a secret into a run by every door, and gives everything that the run shows, keeps or hands on. */
async function leak({ text }: PlantedSecret) {
  const folder = mkdtempSync(join(tmpdir(), "baton-secrets-"));
  const store = await openSqliteStore(join(folder, "journal.sqlite"));
  const seen: string[] = [];
  const deltas: string[] = [];
  const lines: string[] = [];
  const cut = Math.floor(text.length / 2);
  const replies = [
    () => ({ text: "", toolCalls: [{ name: "look", args: { note: text } }], finish: "tool-calls" as const }),
    () => {
      throw Object.assign(new Error(`refused: ${text}`), { status: 400 });
    },
    () => ({ text: `I have it: ${text}`, reasoning: text, toolCalls: [], finish: "stop" as const }),
    () => ({ text: "[END]", toolCalls: [], finish: "stop" as const }),
  ];
  let calls = 0;
  const model: Model = {
    name: "m/m",
    call: async (request) => {
      seen.push(JSON.stringify(request.messages().slice(-3)));
      const reply = (replies[calls++] ?? replies[3])?.();
      if (reply?.text !== "") {
        request.onText(`I have it: ${text.slice(0, cut)}`);
        request.onText(text.slice(cut));
      }
      return reply ?? { text: "", toolCalls: [], finish: "stop" };
    },
  };
  const look = defineTool({ name: "look", description: "looks", execute: () => `found ${text}` });
  const agent = { id: "a", description: "a", prompt: "Work. [END]", tools: ["look"], models: ["m/m", "m/m2"] };
  const crew = defineCrew(
    {
      name: "leaky",
      agents: [agent],
      tools: [look],
      routing: { signals: { a: [{ signal: "[END]", target: "" }] }, agent_behaviors: { a: { wait_for_signal: true } } },
    },
    {
      store,
      models: { [model.name]: model, "m/m2": { ...model, name: "m/m2" } },
      env: variables,
    },
  );
  const onEvent = (event: BatonEvent) => {
    seen.push(JSON.stringify(event));
    lines.push(...formatLogLines(event, crew.definition));
    if (event.type === "text.delta" || event.type === "reasoning.delta") deltas.push(event.data.text);
  };
  const paused = await crew.run(`my input: ${text}`, { onEvent });
  const result = await crew.resume(paused.runId, { input: `again: ${text}` }, { onEvent }).result;
  await store.close();
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
  return {
    status: result.status,
    all: [...seen, ...lines, deltas.join(""), JSON.stringify([paused, result]), ...files],
  };
}

describe("a secret that enters a run", () => {
  it.each(planted)("is nowhere to be seen: $kind", async (each) => {
    const { status, all } = await leak(each);
    expect(status).toBe("completed");
    const plain = each.secret.slice(0, 24);
    expect(all.filter((text) => text.includes(plain))).toEqual([]);
  });

  it("is left in where the crew says so", async () => {
    const call: Model["call"] = () => ({ text: `token ghp_${"a1B2".repeat(9)}`, toolCalls: [], finish: "stop" });
    const open = (redact: boolean) =>
      defineCrew(
        {
          name: "open",
          models: ["m/m"],
          agents: [{ id: "a", description: "a", prompt: "Work." }],
          settings: { redact },
        },
        { models: { "m/m": { name: "m/m", call } }, env: {} },
      );
    expect((await open(false).run("go")).output).toContain("ghp_");
    expect((await open(true).run("go")).output).toBe("token [REDACTED:GitHub token]");
  });
});
