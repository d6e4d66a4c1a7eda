import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadCrew, openMemoryStore } from "../src/index.ts";
import { refuseOutside } from "../src/prepare/check-paths.ts";
import { loadWrittenCrew } from "./load-written-crew.ts";
import { writeCrew } from "./write-crew.ts";

describe("a function in a module", () => {
  const files = {
    "crew.yaml": 'version: "2.0"\nname: glue\nagents: [dedupe, end]\nrouting:\n  defaults: { dedupe: end }\n',
    "agents/dedupe.md": "---\nrun: ./steps.mjs#unique\neffect: read\n---\n",
    "agents/end.md": "---\nrun: ../steps.mjs\nis_terminal: true\n---\n",
    "agents/steps.mjs": "export const unique = (input) => [...new Set(input.split(' '))].join(' ');\n",
    "steps.mjs": 'export const end = async (input) => "end of " + input;\n',
  };

  it("is named relative to its agent's file, and called as the agent where it names no export", async () => {
    const path = writeCrew(files);
    expect((await (await loadCrew(path, { root: path })).run("a b a")).output).toBe("end of a b");
  });

  it("is found in the crew's folder where nothing is beside the agent's file", async () => {
    const path = writeCrew({ ...files, "agents/end.md": "---\nrun: ./steps.mjs#end\n---\n", "agents/steps.mjs": "" });
    const { "agents/steps.mjs": _, ...others } = files;
    const inCrew = writeCrew({ ...others, "agents/dedupe.md": "---\nrun: ./steps.mjs#end\n---\n" });
    expect((await (await loadCrew(inCrew, { root: inCrew })).run("x")).output).toBe("end of end of x");
    await expect((await loadCrew(path, { root: path })).run("x")).rejects.toMatchObject({
      code: "function-import-failed",
      message: expect.stringContaining("the export 'unique' of"),
    });
  });

  it("is imported when a run needs it, and by nothing else", async () => {
    const poisoned = {
      ...files,
      "agents/steps.mjs": "globalThis.wasImported = true; export const unique = () => 'x';",
    };
    const path = writeCrew(poisoned);
    const store = openMemoryStore();
    const crew = await loadCrew(path, { root: path, store });
    expect(Reflect.get(globalThis, "wasImported")).toBeUndefined();
    const { runId } = await crew.run("go");
    expect(Reflect.get(globalThis, "wasImported")).toBe(true);
    Reflect.deleteProperty(globalThis, "wasImported");
    const broken = writeCrew({ ...poisoned, "agents/steps.mjs": "throw new Error('imported')" });
    const elsewhere = await loadCrew(broken, { root: broken, store });
    expect(await elsewhere.replay(runId)).toEqual({ events: expect.any(Number) });
    await expect(elsewhere.run("go")).rejects.toMatchObject({ message: expect.stringContaining("imported") });
  });

  it.each([
    ["a module that is not there", "run: ./gone.ts#x", "not-found", "'./gone.ts#x' does not exist"],
    ["a module outside the project", "run: ../../../x.ts", "outside-root", "is outside the project root"],
    ["no module", 'run: "#x"', "not-found", "names no file: write ./module.ts#export"],
    ["a router", "run: ./steps.mjs#unique\nrouter: [end]", "bad-pattern", "nobody chooses among its destinations"],
    ["sub-agents", "run: ./steps.mjs#unique\nagents: [end]", "bad-pattern", "nobody calls its sub-agents"],
    ["chat", "run: ./steps.mjs#unique\nchat: true", "bad-pattern", "nobody can ask it about its answer"],
  ])("refuses %s at load", (_, keys, code, message) => {
    const { diagnostics } = loadWrittenCrew({ ...files, "agents/dedupe.md": `---\n${keys}\n---\n` });
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ severity: "error", code, message: expect.stringContaining(message) }),
    );
  });

  it("tells in one line which of its keys only a model would take", () => {
    const keys = "run: ./steps.mjs#unique\nmodels: [openai/gpt-5]\ntemperature: 0.2\ntools: [x]";
    const { diagnostics, crew } = loadWrittenCrew({
      ...files,
      "crew.yaml": `${files["crew.yaml"]}tools: { x: ./steps.mjs#end }\n`,
      "agents/dedupe.md": `---\n${keys}\n---\nRemove the doubles.\n`,
    });
    expect(diagnostics).toMatchObject([
      {
        severity: "warning",
        code: "no-effect",
        message:
          "these keys have no effect: 'models', 'temperature', 'tools', 'prompt' (the agent is a function and has no model)",
      },
    ]);
    expect(crew.agents.get("dedupe")).toMatchObject({ models: [], tools: [], prompt: "" });
  });

  it("is nothing that a prompt must mention signals for, and 'effect' is nothing without it", () => {
    const routing = "routing:\n  signals: { dedupe: [{ signal: '[END]', target: '' }] }\n  defaults: { dedupe: end }\n";
    const crew = `version: "2.0"\nname: glue\nmodels: [m/m]\nagents: [dedupe, end]\n${routing}`;
    const { diagnostics } = loadWrittenCrew({
      ...files,
      "crew.yaml": crew,
      "agents/end.md": "---\neffect: once\n---\nEnd.\n",
    });
    expect(diagnostics).toMatchObject([
      { code: "no-effect", message: "'effect' has no effect without 'run': only a function has one" },
    ]);
  });

  it("that has another effect, or is gone, is a crew that has changed since a run began", async () => {
    const waiting = {
      ...files,
      "crew.yaml": `${files["crew.yaml"]}  agent_behaviors: { dedupe: { wait_for_signal: true } }\n`,
    };
    const store = openMemoryStore();
    const path = writeCrew(waiting);
    const { runId, status } = await (await loadCrew(path, { root: path, store })).run("a a");
    expect(status).toBe("paused");
    writeFileSync(join(path, "agents/dedupe.md"), "---\nrun: ./steps.mjs#unique\n---\n");
    const changed = await loadCrew(path, { root: path, store });
    await expect(changed.resume(runId, { input: "b" }).result).rejects.toMatchObject({
      code: "crew-changed",
      message: expect.stringContaining("agents.dedupe.function.effect has changed"),
    });
    writeFileSync(join(path, "agents/dedupe.md"), "---\nrun: ./gone.mjs#unique\neffect: read\n---\n");
    writeFileSync(join(path, "agents/gone.mjs"), "export const other = 1;\n");
    const gone = await loadCrew(path, { root: path, store });
    await expect(gone.resume(runId, { input: "b" }, { acceptChanges: true }).result).rejects.toMatchObject({
      code: "crew-changed",
      message: expect.stringContaining("The module exports other"),
    });
  });

  it("outside the project is not imported, whatever a stored copy of the crew says", async () => {
    const { crew } = loadWrittenCrew(files);
    const agent = crew.agents.get("dedupe");
    if (agent === undefined) throw new Error("there is no such agent");
    const module = { file: "/etc/steps.mjs", exportName: "x" };
    const agents = new Map(crew.agents).set("dedupe", { ...agent, function: { module, effect: "read" } });
    expect(() => refuseOutside({ ...crew, agents }, process.cwd())).toThrow(
      "the function of agent 'dedupe' is /etc/steps.mjs, which is outside the project root",
    );
  });
});
