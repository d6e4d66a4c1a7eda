import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defineCrew, defineTool, type Model, openMemoryStore, type ToolDefinition } from "../src/index.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

/** A module that says so when it is imported. */
function moduleOf(needsApproval: boolean, exportName = "pay", parameters = '{ type: "object" }'): string {
  return `import { appendFileSync } from "node:fs";
appendFileSync(new URL("imports.log", import.meta.url), "imported\\n");
export const ${exportName} = {
  needsApproval: ${needsApproval}, parameters: ${parameters},
  execute: () => { appendFileSync(new URL("paid.log", import.meta.url), "paid\\n"); return "paid"; },
};
`;
}

function desk() {
  const cwd = writeCrew({
    "package.json": "{}",
    "crew.yaml": `version: "2.0"\nname: desk\nagents: [a]\ntools: { pay: ./pay.mjs }\n`,
    "agents/a.md": "---\ndescription: d\ntools: [pay]\n---\nWork.",
    "pay.mjs": moduleOf(true),
    "replies.yaml": 'a: [{ tools: [{ name: pay, args: { to: Bob } }] }, "It is paid."]',
  });
  const baton = (...args: string[]) => runBaton(args, { cwd, home: join(cwd, "home") });
  const linesOf = (log: string) => (existsSync(join(cwd, log)) ? readFileSync(join(cwd, log), "utf8") : "");
  const script = ["--script", "replies.yaml"];
  expect(baton("run", ".", "Go", ...script).exitCode).toBe(4);
  return {
    baton,
    imports: () => linesOf("imports.log"),
    paid: () => linesOf("paid.log"),
    approve: (...options: string[]) => baton("resume", "last", "approve", ...script, ...options),
    change: (text: string) => writeFileSync(join(cwd, "pay.mjs"), text),
    remove: () => rmSync(join(cwd, "pay.mjs")),
  };
}

describe("a replay", () => {
  it("imports no module of a tool, even one that is gone", () => {
    const { baton, imports, approve, remove } = desk();
    expect(baton("replay", "last")).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("all the same") });
    expect(approve().exitCode).toBe(0);
    const before = imports();
    expect(baton("replay", "last", "--current").exitCode).toBe(0);
    remove();
    expect(baton("replay", "last")).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("all the same") });
    expect(imports()).toBe(before);
  });
});

describe("a paused run", () => {
  it.each([
    ["needs no approval any more", moduleOf(false)],
    ["takes other arguments", moduleOf(true, "pay", '{ type: "object", required: ["iban"] }')],
    ["has the timeout 5 s, which was none", moduleOf(true, "pay", '{ type: "object" }, timeoutMs: 5000')],
    ["the export 'pay' of", moduleOf(true, "transfer")],
    ["cannot be imported", "export const pay = ;"],
  ])("whose tool %s is not resumed, and stays as it was", (what, changed) => {
    const { baton, paid, approve, change } = desk();
    change(changed);
    const refused = approve();
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toMatch(/^error: the crew has changed since the run began:\n {2}tool 'pay'/);
    expect(refused.stderr).toContain(what);
    expect(refused.stderr).not.toMatch(/^\s+at /m);
    expect(baton("show", "last").stdout).toContain("paused");
    expect(paid()).toBe("");
    change(moduleOf(true));
    expect(approve()).toMatchObject({ exitCode: 0, stdout: "It is paid.\n" });
    expect(paid()).toBe("paid\n");
  });

  it("whose tool changed continues with it where that is accepted, unless its past would be another", () => {
    const { baton, approve, change } = desk();
    change(moduleOf(false));
    const refused = approve("--accept-changes");
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain(
      "error: the crew has changed since the run began:\n  the journal has run.paused at",
    );
    expect(baton("show", "last").stdout).toContain("paused");
    change(moduleOf(true, "pay", '{ type: "object", required: ["to"] }'));
    expect(approve("--accept-changes")).toMatchObject({ exitCode: 0, stdout: "It is paid.\n" });
  });

  it("can be cancelled without its tools", () => {
    const { baton, imports, remove } = desk();
    const before = imports();
    remove();
    expect(baton("cancel", "last").stderr).not.toContain("error");
    expect(baton("show", "last").stdout).toContain("cancelled");
    expect(imports()).toBe(before);
  });

  it("of a crew in code knows its tools, too", async () => {
    const store = openMemoryStore();
    let calls = 0;
    const model: Model = {
      name: "m/m",
      call: () =>
        calls++ === 0
          ? { text: "", toolCalls: [{ name: "pay", args: {} }], finish: "tool-calls" }
          : { text: "It is paid.", toolCalls: [], finish: "stop" },
    };
    const open = (tool: Partial<ToolDefinition<unknown>>) =>
      defineCrew(
        {
          name: "desk",
          models: ["m/m"],
          agents: [{ id: "a", description: "d", prompt: "Work.", tools: ["pay"] }],
          tools: [defineTool({ name: "pay", description: "d", execute: () => "paid", ...tool })],
        },
        { store, models: { "m/m": model } },
      );
    const { runId } = await open({ needsApproval: true }).run("Go");
    const before = await store.read(runId as never);
    await expect(open({}).resume(runId, { decision: "approve" }).result).rejects.toMatchObject({
      code: "crew-changed",
      message: expect.stringContaining("tool 'pay' needs no approval any more"),
    });
    expect(await store.read(runId as never)).toEqual(before);
    const result = await open({ needsApproval: true }).resume(runId, { decision: "approve" }).result;
    expect(result).toMatchObject({ status: "completed", output: "It is paid." });
    expect(await open({ needsApproval: true }).replay(runId)).not.toHaveProperty("divergence");
  });
});
