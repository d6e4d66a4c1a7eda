import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { defineCrew, defineTool, loadCrew, openMemoryStore, openSqliteStore, script } from "../src/index.ts";
import { crewOf, reply } from "./pair-crew.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

describe("options that are none", () => {
  const open = (environment: object) => crewOf(() => reply("x"), environment);
  it.each([
    [
      "a store that is a promise",
      () => open({ store: Promise.resolve(openMemoryStore()) }),
      "write store: await openSqliteStore(file)",
    ],
    ["a store that is a path", () => open({ store: "runs.db" }), "must be a store; got string"],
    [
      "models in a Map",
      () => open({ models: new Map([["m/m", {}]]) }),
      'must be an object such as { "acme/large": model }; got an object of Map',
    ],
    ["a model that cannot be called", () => open({ models: { "m/m": {} } }), "give an AI SDK model such as openai"],
    [
      "a model without a provider",
      () => open({ models: { m: {} } }),
      'write the name that agents list, "provider/model"',
    ],
    ["a script that is none", () => open({ script: { a: ["hi"] } }), "must be a script: write script({ triage:"],
    [
      "tools in a Map",
      () => defineCrew({ name: "x", agents: [{ id: "a" }], tools: new Map() as never }),
      "must be a list of tools or an object such as { lookup }",
    ],
    ["a mistyped option", () => open({ captureContents: true }), "has no option 'captureContents'"],
    [
      "no options",
      () => defineCrew({ name: "x", agents: [{ id: "a" }] }, null as never),
      "must be an object; got null",
    ],
    ["no tool", () => defineCrew({ name: "x", agents: [{ id: "a" }], tools: ["look"] as never }), "has no tool at 0"],
  ])("are refused where the crew is made: %s", (_, make, why) => {
    expect(make).toThrow(expect.objectContaining({ code: "bad-option", message: expect.stringContaining(why) }));
  });

  it.each([
    ["a controller", { signal: new AbortController() }, "pass its .signal"],
    ["no signal", { stop: 5 }, "'stop' of a run must be an AbortSignal; got number"],
    ["no function", { onEvent: "log" }, "'onEvent' of a run must be a function; got string"],
    ["a mistyped option", { onEvents: () => {} }, "a run has no option 'onEvents'"],
    ["nothing", null, "must be an object; got null"],
  ])("are refused before a run begins: %s", async (_, options, why) => {
    const crew = open({});
    const refused = { code: "bad-option", message: expect.stringContaining(why) };
    await expect(crew.run("go", options as never)).rejects.toMatchObject(refused);
    await expect(
      crew
        .stream("go", options as never)
        [Symbol.asyncIterator]()
        .next(),
    ).rejects.toMatchObject(refused);
    await expect(crew.resume("run_x", { input: "x" }, options as never).result).rejects.toMatchObject(refused);
    await expect(crew.conversation("s").run("go", options as never)).rejects.toMatchObject(refused);
    await expect(crew.fork("run_x", { at: 0 }, options as never).result).rejects.toMatchObject(refused);
  });

  it("are refused of a path and of ids", async () => {
    await expect(loadCrew(undefined as never)).rejects.toMatchObject({ code: "bad-option" });
    await expect(loadCrew(".", null as never)).rejects.toMatchObject({ code: "bad-option" });
    await expect(openSqliteStore(5 as never)).rejects.toMatchObject({ code: "bad-option" });
    const crew = open({});
    for (const id of [undefined, null, 5]) {
      await expect(crew.recover(id as never).result).rejects.toMatchObject({ code: "unknown-run" });
      expect(() => crew.conversation(id as never)).toThrow(expect.objectContaining({ code: "bad-session" }));
    }
  });
});

describe("the store of a loaded crew", () => {
  it("may be given while it opens, and is where the command line looks where no file is named", async () => {
    const path = writeCrew({
      "package.json": "{}",
      "crew.yaml": 'version: "2.0"\nname: desk\nagents: [a]\n',
      "agents/a.md": "Work.\n",
    });
    vi.stubEnv("BATON_HOME", join(path, "home"));
    onTestFinished(() => void vi.unstubAllEnvs());
    const crew = await loadCrew(path, { store: openSqliteStore(), script: script({ a: ["Done."] }), env: {} });
    const { runId } = await crew.run("go");
    const { stdout } = runBaton(["show", "last", "--json"], { cwd: path, home: join(path, "home") });
    expect(JSON.parse(stdout)).toMatchObject({ runId, output: "Done." });
  });

  it("that cannot be opened is said", async () => {
    const store = openSqliteStore("");
    await expect(loadCrew("no-crew", { store })).rejects.toMatchObject({ code: "bad-option" });
  });
});

describe("a crew in code that is none", () => {
  it.each([
    ["nothing", undefined, "it must be an object such as { name, agents"],
    ["no agents", { name: "x" }, "'agents' must be a list of agents"],
    ["an agent that is none", { name: "x", agents: [null] }, "agents[0] must be an object with an 'id'"],
    [
      "a prompt that is a function",
      { name: "x", agents: [{ id: "a", prompt: () => "x" }] },
      "agents[0].prompt is a function",
    ],
    ["a number too large", { name: "x", agents: [{ id: "a", maxTurns: 5n }] }, "agents[0].maxTurns is a BigInt"],
  ])("is refused in words: %s", (_, definition, why) => {
    expect(() => defineCrew(definition as never)).toThrow(
      expect.objectContaining({ code: "bad-definition", message: expect.stringContaining(why) }),
    );
  });
});

describe("a fork that is none", () => {
  it.each([
    [undefined, "say where the run is to be forked"],
    [{ at: "first" }, "'at' must be the number of an event"],
    [{ at: 0, prompt: "x" }, "there is no 'prompt' in a fork; there are at, reply, input, prompts, models"],
    [{ at: 0, models: ["gpt"] }, "'models' must be a list of models: names such as \"openai/gpt-5\", or model objects"],
  ])("is refused in words: %j", async (fork, why) => {
    const crew = crewOf(() => reply("x"));
    await expect(crew.fork("run_x", fork as never).result).rejects.toMatchObject({
      code: "bad-fork",
      message: expect.stringContaining(why),
    });
  });
});

describe("an option that is undefined", () => {
  it("is as good as absent, for the compiler and for the run", async () => {
    const absent: { readonly [Key in "signal" | "user" | "context" | "onEvent" | "store" | "root"]?: never } = {};
    const { signal, user, context, onEvent, store, root } = absent;
    const look = defineTool({ name: "look", description: "looks", timeoutMs: undefined, execute: () => "seen" });
    const crew = defineCrew(
      { name: "desk", agents: [{ id: "a", prompt: "Look.", tools: ["look"], maxTurns: undefined }], tools: [look] },
      { store, root, context, clock: undefined, env: undefined, script: script({ a: ["fine", "fine"] }) },
    );
    expect(await crew.run("go", { signal, user, context, onEvent, script: undefined })).toMatchObject({
      output: "fine",
    });
    const path = writeCrew({ "crew.yaml": 'version: "2.0"\nname: desk\nagents: [a]\n', "agents/a.md": "Work." });
    const options = { store, context, tools: undefined, strict: undefined, signals: undefined, entryPoint: undefined };
    const loaded = await loadCrew(path, { ...options, script: script({ a: ["fine"] }) });
    expect(await loaded.run("go")).toMatchObject({ output: "fine" });
  });
});
