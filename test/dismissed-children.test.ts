import { describe, expect, it } from "vitest";
import { loadCrew, type Model } from "../src/index.ts";
import { writeCrew } from "./write-crew.ts";

const files = {
  "crew.yaml": 'version: "2.0"\nname: c\nagents: [boss, helper]\nmodels: [m/m]\nsettings: { on_no_signal: stop }\n',
  "agents/boss.md": "---\nagents: [helper]\n---\nAsk.\n",
  "agents/helper.md": "---\ndescription: helps\nchat: true\n---\nHelp.\n",
};

type Call = { readonly name: string; readonly args: unknown };

/** Gives what the boss was offered on each turn: the children it may ask, by turn. */
async function offers(turns: readonly (readonly Call[])[]): Promise<{ offered: unknown[]; results: string[] }> {
  const offered: unknown[] = [];
  const results: string[] = [];
  const model: Model = {
    name: "m/m",
    call: ({ agent, tools, messages }) => {
      if (agent === "helper") return { text: "helped", toolCalls: [], finish: "stop" };
      const parameters = tools.find(({ name }) => name === "agent__ask_clarification")?.parameters;
      offered.push((parameters as { properties: { child: { enum: unknown } } } | undefined)?.properties.child.enum);
      results.push(
        messages()
          .slice(-2)
          .map(({ text }) => text)
          .join("\n"),
      );
      const toolCalls = turns[offered.length - 1] ?? [];
      return {
        text: toolCalls.length === 0 ? "done" : "",
        toolCalls,
        finish: toolCalls.length === 0 ? "stop" : "tool-calls",
      };
    },
  };
  const crew = await loadCrew(writeCrew(files), { models: { "m/m": model }, env: {} });
  expect(await crew.run("go")).toMatchObject({ status: "completed" });
  return { offered, results };
}

const call = { name: "agent__helper", args: { prompt: "look" } };
const dismiss = (child: string) => ({ name: "agent__dismiss", args: { child } });
const ask = (child: string) => ({ name: "agent__ask_clarification", args: { child, question: "sure?" } });

describe("a child that was dismissed", () => {
  it("is not offered any more, and neither is the tool where it was the last", async () => {
    const { offered } = await offers([[call, call], [dismiss("helper-1")], [dismiss("helper-2")]]);
    expect(offered).toEqual([undefined, ["helper-1", "helper-2"], ["helper-2"], undefined]);
  });

  it("is not said to be askable below an answer that was under way", async () => {
    const { offered, results } = await offers([
      [call],
      [dismiss("helper-1"), ask("helper-1")],
      [call],
      [ask("helper-2"), dismiss("helper-2")],
    ]);
    expect(offered).toEqual([undefined, ["helper-1"], undefined, ["helper-2"], undefined]);
    expect(results.at(-1)).toContain("This was `helper-2`. It was let go.");
  });
});
