import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  defineCrew,
  loadCrew,
  type Model,
  openMemoryStore,
  type ScriptReplies,
  type Store,
  script,
} from "../src/index.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const model: Model = { name: "my/model", call: () => ({ text: "really called", toolCalls: [], finish: "stop" }) };
const definition = {
  name: "desk",
  models: [model],
  agents: [
    { id: "triage", description: "reads", prompt: "Say [FIX] or [ASK]." },
    { id: "fixer", description: "repairs", prompt: "Repair.", isTerminal: true },
  ],
  routing: {
    signals: {
      triage: [
        { signal: "[FIX]", target: "fixer" },
        { signal: "[ASK]", type: "pause" as const },
      ],
    },
  },
};
const open = (store?: Store) => defineCrew(definition, { env: {}, ...(store !== undefined && { store }) });
const asking = script({ triage: ["Which one? [ASK]", "That one. [FIX]"], fixer: ["Repaired."] });

describe("a script in code", () => {
  it("stands in for the models of one run", async () => {
    const crew = open();
    const scripted = await crew.run("help", { script: script({ triage: ["Broken. [FIX]"], fixer: ["Mended."] }) });
    expect(scripted).toMatchObject({ output: "Mended.", path: ["triage", "fixer"] });
    expect(await crew.run("help")).toMatchObject({ output: "really called" });
  });

  it("belongs to its run, however many are under way", async () => {
    const crew = open();
    const say = (text: string) => crew.run("help", { script: script({ triage: [`${text} [FIX]`], fixer: [text] }) });
    const results = await Promise.all([say("one"), say("two"), crew.run("help"), say("three")]);
    expect(results.map(({ output }) => output)).toEqual(["one", "two", "really called", "three"]);
  });

  it("stands in for the models of all runs where the crew is given it", async () => {
    const crew = defineCrew(definition, { script: script({ triage: ["Broken. [FIX]"], fixer: ["Mended."] }) });
    expect([(await crew.run("a")).output, (await crew.run("b")).output]).toEqual(["Mended.", "Mended."]);
  });

  it("says what a model can do: tools, thoughts, usage, faults, and how long it takes", async () => {
    const crew = open();
    const replies: ScriptReplies = {
      triage: [
        { error: { status: 429, message: "slow down", retryAfter: 0 } },
        { text: "Broken. [FIX]", reasoning: "hm", usage: { input: 5, output: 2 }, latencyMs: 1 },
      ],
      fixer: [{ tools: [{ name: "saw" }] }, "Mended."],
    };
    expect(await crew.run("help", { script: script(replies) })).toMatchObject({
      output: "Mended.",
      usage: { input: 5, output: 2, total: 7 },
    });
  });

  it("is read with the keys of files, too", () => {
    const snake = { triage: [{ text: "x", latency_ms: 5, error: { retry_after: 1 } }] };
    expect(script(snake as never)).toEqual(script({ triage: [{ text: "x", latencyMs: 5, error: { retryAfter: 1 } }] }));
  });

  it.each([
    [{ triage: "Broken. [FIX]" }, "'triage' must be a list, got text"],
    [{ triage: [{ txt: "x" }] }, "unknown key 'txt'"],
    [{ triage: [{ tools: ["saw"] }] }, "must be a map, got text"],
    [{ triage: [() => "x"] }, "script.triage[0] is a function"],
    [["Broken."], "it must be an object with the replies of each agent"],
    [new Map([["triage", ["x"]]]), "is a Map"],
    [undefined, "it must be an object"],
  ])("that is malformed says what is wrong and what a script looks like: %j", (replies, problem) => {
    const wrong = () => script(replies as never);
    expect(wrong).toThrow(expect.objectContaining({ code: "bad-script", message: expect.stringContaining(problem) }));
    expect(wrong).toThrow('script({ triage: ["It is broken. [FIX]"]');
  });

  it("in a file that is malformed says what a script looks like", () => {
    const cwd = writeCrew({
      "crew.yaml": 'version: "2.0"\nname: desk\nagents: [a]\n',
      "agents/a.md": "Work.\n",
      "replies.yaml": "a: just text\n",
    });
    const { exitCode, stderr } = runBaton(["run", ".", "go", "--script", "replies.yaml", "--no-journal"], { cwd });
    expect([exitCode, stderr]).toEqual([
      3,
      expect.stringContaining("A script lists the replies of each agent, in order"),
    ]);
    expect(stderr).toContain("'a' must be a list, got text");
  });
});

describe("a run on a script in code that pauses", () => {
  it.each<[string, () => Store | undefined]>([
    ["without a store", () => undefined],
    ["with a store", openMemoryStore],
  ])("goes on with the script in the same handle: %s", async (_, store) => {
    const crew = open(store());
    const { runId, status } = await crew.run("help", { script: asking });
    expect(status).toBe("paused");
    const { output, path } = await crew.resume(runId, { input: "the left one" }).result;
    expect([output, path]).toEqual(["Repaired.", ["triage", "triage", "fixer"]]);
  });

  it("is refused elsewhere until the script is given again, since a script in code is not stored", async () => {
    const store = openMemoryStore();
    const { runId } = await open(store).run("help", { script: asking });
    const [started] = await store.read(runId);
    expect(started?.data).toMatchObject({ modelOptions: { isScriptInCode: true } });
    const refused = open(store).resume(runId, { input: "the left one" }).result;
    await expect(refused).rejects.toMatchObject({
      code: "bad-script",
      message: expect.stringContaining("give it again"),
    });
    const resumed = open(store).resume(runId, { input: "the left one" }, { script: asking });
    expect(await resumed.result).toMatchObject({ output: "Repaired." });
  });

  it("can be given another script, which is what later calls use", async () => {
    const crew = open();
    const { runId } = await crew.run("help", { script: asking });
    const other = script({
      triage: ["Which one? [ASK]", "And which side? [ASK]", "Fine. [FIX]"],
      fixer: ["Otherwise."],
    });
    expect(await crew.resume(runId, { input: "left" }, { script: other }).result).toMatchObject({ status: "paused" });
    expect(await crew.resume(runId, { input: "up" }).result).toMatchObject({ output: "Otherwise." });
  });

  it("is forked and goes on in conversations likewise", async () => {
    const crew = open(openMemoryStore());
    const { runId } = await crew.run("help", { script: asking });
    const again = { script: script({ triage: ["Broken. [FIX]"], fixer: ["In the fork."] }) };
    expect(await crew.fork(runId, { at: 0 }, again).result).toMatchObject({ output: "In the fork." });
    const talk = crew.conversation("t");
    expect(await talk.run("help", { script: asking })).toMatchObject({ status: "paused" });
  });
});

it("a script of files and one in code are the same thing", async () => {
  const folder = writeCrew({
    "crew.yaml": 'version: "2.0"\nname: desk\nagents: [a]\n',
    "agents/a.md": "Work.\n",
    "replies.yaml": "a: [{ text: Hello, usage: { input: 3 } }]\n",
  });
  const crew = await loadCrew(join(folder), {
    script: script({ a: [{ text: "Hello", usage: { input: 3 } }] }),
    env: {},
  });
  const { stdout } = runBaton(["run", ".", "go", "--script", "replies.yaml", "--json", "--no-journal"], {
    cwd: folder,
  });
  const { output, usage } = await crew.run("go");
  expect(JSON.parse(stdout)).toMatchObject({ output, usage });
});
