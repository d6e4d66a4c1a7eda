import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkCrew, loadCrew, openSqliteStore, type Script, script } from "../src/index.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { writeCrew } from "./write-crew.ts";

const module = `
export const onTopic = (text) => text.includes("tea") ? "pass" : { block: "only tea" };
export const polite = (text) => text.includes("rude") ? { rewrite: text.replace("rude", "kind") } : "pass";
export const slow = (text, { signal }) => new Promise((resolve) => setImmediate(() => resolve(text.includes("bad") ? { block: "bad" } : "pass")));
export const broken = () => { throw new Error("no luck"); };
export const odd = () => 7;
`;

function write(guards: string, ofCrew = "", others: Readonly<Record<string, string>> = {}): string {
  return writeCrew({
    "crew.yaml": `version: "2.0"\nname: desk\nentry_point: clerk\nagents: [clerk${Object.keys(others)
      .map((id) => `, ${id}`)
      .join("")}]\n${ofCrew}`,
    "agents/clerk.md": `---\ndescription: works\nis_terminal: true\n${guards}\n---\nWork.`,
    ...Object.fromEntries(Object.entries(others).map(([id, text]) => [`agents/${id}.md`, text])),
    "guards.mjs": module,
    "agents/guards.mjs": module,
    "package.json": "{}",
  });
}

async function play(folder: string, replies: Script["replies"] | Parameters<typeof script>[0], input = "Go") {
  const events: BatonEvent[] = [];
  const store = await openSqliteStore(join(folder, "j.sqlite"));
  const crew = await loadCrew(folder, { script: script(replies as Parameters<typeof script>[0]), store });
  const result = await crew.run(input, { onEvent: (event) => void events.push(event) });
  const replay = result.status === "paused" ? undefined : await crew.replay(result.runId);
  expect(replay?.divergence).toBeUndefined();
  const shown = events.flatMap((event) => (event.type === "text.delta" ? event.data.text : [])).join("");
  const trips = events.flatMap((event) =>
    event.type === "guard.tripped" ? `${event.data.guard} ${event.data.on} ${event.data.action}` : [],
  );
  return { result, events, shown, trips, crew, store };
}

describe("guards of an answer", () => {
  it.each([
    ["max_chars: 3", "four", "at most 3"],
    ["matches: '^[a-z]+$'", "Four!", "does not match"],
    ["forbids: [lawyer, sue]", "Ask a LAWYER", "it says 'lawyer'"],
    ["json: true", "no json", "not JSON"],
    ["json: { type: object, required: [a] }", "{}", "does not fit"],
    ["language: en", "Das ist nicht die Antwort, und sie ist auch nicht für dich.", "written in 'de'"],
    ["no_secrets: true", "my password is hunter2-x9f3kq81z", "it had a secret"],
    ["grounded: { in: tool results }", "It costs 42 dollars", "42"],
    ["module: ./guards.mjs#onTopic", "coffee", "only tea"],
    ["module: ./guards.mjs#broken", "x", "it failed: no luck"],
    ["module: ./guards.mjs#odd", "x", "its verdict is none"],
  ])("block with %s", async (guard, answer, why) => {
    const { result, shown } = await play(write(`guards: { output: [{ ${guard} }] }`), { clerk: [answer] });
    expect(result.status).toBe("failed");
    expect(result.error).toMatchObject({ code: "guard", message: expect.stringContaining(why) });
    expect(shown).toBe("");
  });

  it("let pass what they have nothing against, and only then is it shown", async () => {
    const guards =
      "guards: { output: [{ max_chars: 90 }, { language: en }, { forbids: [x9] }, ./guards.mjs#onTopic, no_secrets] }";
    const { result, shown, events } = await play(write(guards), { clerk: ["The tea is ready for you."] });
    expect([result.output, shown]).toEqual(["The tea is ready for you.", "The tea is ready for you."]);
    expect(events.filter(({ type }) => type === "guard.passed")).toHaveLength(5);
  });

  it("say their own message", async () => {
    const { result } = await play(write("guards: { output: [{ max_chars: 3, message: Too long. }] }"), {
      clerk: ["four"],
    });
    expect(result.error?.message).toBe("Too long.");
  });

  it.each([
    ["max_chars: 3, on_trip: rewrite", "four", "fou"],
    ["forbids: [sue], on_trip: rewrite", "I SUE, sue", "I [removed], [removed]"],
    ["module: ./guards.mjs#polite", "so rude", "so kind"],
  ])("rewrite with %s", async (guard, answer, output) => {
    const { result, shown } = await play(write(`guards: { output: [{ ${guard} }] }`), { clerk: [answer] });
    expect([result.output, shown]).toEqual([output, output]);
  });

  it("let the agent answer again, so often, and then block", async () => {
    const folder = write("guards: { output: [{ max_chars: 3, on_trip: retry, max: 1 }] }");
    const { result, events } = await play(folder, { clerk: ["four", "two"] });
    expect(result.output).toBe("two");
    expect(events.filter(({ type }) => type === "model.called")).toHaveLength(2);
    const again = await play(write("guards: { output: [{ max_chars: 3, on_trip: retry, max: 1 }] }"), {
      clerk: ["four", "five"],
    });
    expect(again.result.error?.code).toBe("guard");
  });

  it("ask a human, who lets it pass or not", async () => {
    const guards = "guards: { output: [{ max_chars: 3, on_trip: ask }] }";
    for (const [decision, status] of [
      ["approve", "completed"],
      ["reject", "failed"],
    ] as const) {
      const { result, crew } = await play(write(guards), { clerk: ["four"] });
      expect(result.paused?.prompt).toContain("Guard 'max_chars' tripped on the output of agent 'clerk'");
      const resumed = await crew.resume(result.runId, { decision }).result;
      expect(resumed.status).toBe(status);
    }
  });

  it("ground numbers and quotes in what tools gave", async () => {
    const folder = writeCrew({
      "crew.yaml": 'version: "2.0"\nname: desk\nagents: [clerk]\ntools: { price: ./price.mjs#price }\n',
      "agents/clerk.md": "---\ntools: [price]\nguards: { output: [{ grounded: { in: tool results } }] }\n---\nWork.",
      "price.mjs": 'export const price = () => "A lamp costs 1,249.50 and is called “Comet two”";',
    });
    const call = { tools: [{ name: "price", args: {} }] };
    const { result } = await play(folder, { clerk: [call, 'The "comet two" is 1249.5.'] });
    expect(result.status).toBe("completed");
  });

  it("stream early where that is said, and retract", async () => {
    const { result, shown, events } = await play(write("guards: { stream: early, output: [{ max_chars: 3 }] }"), {
      clerk: ["four"],
    });
    expect([result.status, shown]).toEqual(["failed", "four"]);
    expect(events.map(({ type }) => type)).toContain("text.retracted");
  });
});

describe("guards of an input", () => {
  it("that rewrite come before the first call", async () => {
    const { events } = await play(
      write("guards: { input: [{ forbids: [x9], on_trip: rewrite }] }"),
      { clerk: ["ok"] },
      "say x9",
    );
    expect(events.find(({ type }) => type === "guard.tripped")?.data).toMatchObject({ text: "say [removed]" });
  });

  it("that only block run beside the first call, and nothing is done or shown before they pass", async () => {
    const guards = "tools: [act]\nguards: { input: [{ module: ./guards.mjs#slow, on_trip: block }] }";
    const tools = "tools: { act: ./act.mjs#act }\n";
    for (const [input, status] of [
      ["bad", "failed"],
      ["good", "completed"],
    ] as const) {
      const folder = write(guards, tools);
      const { writeFileSync } = await import("node:fs");
      writeFileSync(join(folder, "act.mjs"), "export const act = () => 'done';");
      const call = { text: "I act", tools: [{ name: "act", args: {} }] };
      const { result, events, shown } = await play(folder, { clerk: [call, "Done."] }, input);
      expect(result.status).toBe(status);
      const types = events.map(({ type }) => type);
      expect(types).toContain("model.called");
      expect(types.includes("tool.called")).toBe(status === "completed");
      expect(shown).toBe(status === "completed" ? "I actDone." : "");
    }
  });

  it("with first: true come before it", async () => {
    const folder = write("guards: { input: [{ module: ./guards.mjs#slow, on_trip: block, first: true }] }");
    const { events } = await play(folder, { clerk: ["ok"] }, "bad");
    expect(events.map(({ type }) => type)).not.toContain("model.called");
  });

  it("may be an agent, whose cost counts, and which is not asked to obey", async () => {
    const censor = "---\ndescription: judges\n---\nJudge.";
    const guards = "guards: { input: [{ agent: censor }] }";
    const verdict = (text: string) => ({ text, usage: { input: 10, output: 5 } });
    const bad = await play(write(guards, "", { censor }), {
      censor: [verdict('{"verdict":"block","reason":"rude"}')],
      clerk: ["x"],
    });
    expect(bad.result.error?.message).toContain("rude");
    expect(bad.result.usage.total).toBe(15);
    const good = await play(write(guards, "", { censor }), {
      censor: [verdict('Sure: {"verdict":"pass"}')],
      clerk: ["x"],
    });
    expect(good.result.output).toBe("x");
    const none = await play(write(guards, "", { censor }), { censor: [verdict("I obey")], clerk: ["x"] });
    expect(none.result.error?.message).toContain("gave no verdict");
  });
});

describe("guards of a crew", () => {
  it("judge what it is asked and what it gives", async () => {
    const guards = "guards: { input: [{ max_chars: 5 }], output: [{ forbids: [secret], on_trip: rewrite }] }\n";
    const long = await play(write("", guards), { clerk: ["ok"] }, "too long");
    expect(long.result.error).toMatchObject({
      code: "guard",
      message: expect.stringContaining("the input of the crew"),
    });
    const { result, shown } = await play(write("", guards), { clerk: ["a secret [DONE]"] });
    expect([result.output, shown]).toEqual(["a [removed] [DONE]", "a [removed] [DONE]"]);
  });
});

describe("checks of guards", () => {
  it.each([
    ["guards: { input: [{ max_chars: 3, on_trip: retry }] }", "an input is not an answer"],
    ["guards: { output: [{ language: en, on_trip: rewrite }] }", "can rewrite"],
    ["guards: { output: [{ on_trip: block }] }", "says nothing"],
    ["guards: { output: [{ max_chars: 3, json: true }] }", "one guard for each"],
    ["guards: { input: [{ grounded: {} }] }", "under the agent's 'output'"],
    ["guards: { output: [./none.mjs#x] }", "does not exist"],
    ["guards: { output: [../../x.mjs#x] }", "outside the project root"],
    ["guards: { output: [{ agent: nobody }] }", "unknown agent 'nobody'"],
    ["guards: { output: [{ agent: clerk }] }", "in a circle"],
    ["guards: { output: [{ forbids: [] }] }", "nothing can trip this guard"],
    ["output: json\nguards: { output: [json] }", "nothing can trip this guard"],
    ["guards: { outputs: [] }", "unknown key 'outputs'"],
  ])("find %s", (guards, why) => {
    const { diagnostics } = checkCrew(write(guards));
    expect(diagnostics.map(({ message }) => message).join("\n")).toContain(why);
  });
});
