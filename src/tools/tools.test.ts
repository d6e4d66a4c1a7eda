import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { writeCrew } from "../../test/write-crew.ts";
import { defineTool } from "./define-tool.ts";
import { importTool } from "./import-tool.ts";
import type { ToolContext } from "./tool.ts";

const context: ToolContext = {
  signal: new AbortController().signal,
  runId: "run_1",
  callId: "0/t0/c0",
  idempotencyKey: "run_1.0",
  agent: "a",
  crew: "desk",
  conversation: undefined,
  user: undefined,
  attempt: 1,
  epoch: 1,
  variables: {},
  context: {},
};

describe("a tool", () => {
  it("shows the model the JSON Schema of its arguments, and takes only what fits", async () => {
    const add = defineTool({
      name: "add",
      description: "adds",
      input: z.object({ a: z.number() }),
      execute: ({ a }) => a + 1,
    });
    expect(add.parameters).toMatchObject({ type: "object", properties: { a: { type: "number" } }, required: ["a"] });
    expect(await add.read({ a: 1 })).toEqual({ value: { a: 1 } });
    expect(await add.read({ a: "x" })).toEqual({ problem: expect.stringContaining("a: ") });
  });

  it("is by default one that must not be done twice, runs beside others, and needs nobody's approval", () => {
    const tool = defineTool({ name: "t", description: "d", execute: () => 1 });
    expect(tool).toMatchObject({
      effect: "once",
      isSequential: false,
      needsApproval: false,
      parameters: { type: "object" },
    });
  });

  it.each(["", " "])("cannot be called '%s'", (name) => {
    expect(() => defineTool({ name, description: "d", execute: () => 1 })).toThrow("a tool must have a name");
  });
});

describe("the result of a tool", () => {
  const report = { name: "report", description: "reports" };

  it("fits the schema of its output, if there is one", async () => {
    const output = z.object({ total: z.number() });
    const good = defineTool({ ...report, output, execute: async () => ({ total: 3 }) });
    expect(await good.execute({}, context)).toEqual({ total: 3 });
    const bad = defineTool({ ...report, output, execute: () => JSON.parse('{ "total": "3" }') });
    await expect(bad.execute({}, context)).rejects.toThrow(
      /^it was done, but its result does not fit its output: total: /,
    );
  });

  it("may be held to a JSON Schema", async () => {
    const output = { type: "object", required: ["total"] };
    const bad = defineTool({ ...report, output, execute: () => ({}) });
    await expect(bad.execute({}, context)).rejects.toThrow(
      "its result does not fit its output: does not fit the schema",
    );
  });
});

describe("a tool that is written in JavaScript", () => {
  it.each([
    [{ needs_aproval: true }, "has a key 'needs_aproval', which means nothing: there are name, description"],
    [{ needsApproval: "yes" }, "has a 'needsApproval' that is not a boolean"],
    [{ effect: "write" }, "has the effect 'write': it is read, idempotent or once"],
    [{ timeout: "30s" }, "has a 'timeout' that is not a number"],
    [{ timeout: 5, timeoutMs: 6 }, "has both 'timeoutMs' and 'timeout', which are the same: write one"],
    [{ execute: undefined }, "has no 'execute'"],
  ])("is refused with a slip: %j", (slip, says) => {
    const definition = { name: "pay", description: "pays", execute: () => 1, ...slip } as never;
    expect(() => defineTool(definition)).toThrow(`tool 'pay' ${says}`);
  });

  it("may spell its keys as files do", () => {
    const tool = defineTool({ name: "t", description: "d", execute: () => 1, needs_approval: true, timeout: 5 });
    expect(tool).toMatchObject({ needsApproval: true, timeoutMs: 5 });
  });
});

describe("a tool in a module", () => {
  const folder = writeCrew({
    "tools.mjs": [
      "export function double({ n }) { return n * 2 }",
      "export const pay = { description: 'pays', needs_approval: true, execute: () => 'paid' };",
      "export const nothing = 3;",
      "export const empty = { description: 'pays' };",
    ].join("\n"),
    "broken.mjs": "throw new Error('no disk')\n",
  });
  const load = (file: string, exportName: string) => importTool("mine", { file: join(folder, file), exportName });

  it("may be a plain function", async () => {
    const tool = await load("tools.mjs", "double");
    expect(tool.name).toBe("mine");
    expect(await tool.execute({ n: 4 }, context)).toBe(8);
  });

  it("may be what defineTool takes", async () => {
    const tool = await load("tools.mjs", "pay");
    expect(tool).toMatchObject({ name: "mine", description: "pays", needsApproval: true, effect: "once" });
    expect(await tool.execute({}, context)).toBe("paid");
  });

  it.each([
    [
      "tools.mjs",
      "missing",
      "tools.mjs is missing: export a function, defineTool({ … }) or { description, execute }. The module exports double, ",
    ],
    ["tools.mjs", "nothing", "the export 'nothing' of"],
    ["tools.mjs", "nothing", "tools.mjs is number: export a function"],
    ["tools.mjs", "empty", "tools.mjs is an object of Object without 'execute': export"],
    ["broken.mjs", "x", "cannot be imported: no disk"],
  ])("that is not there is told: %s#%s", async (file, exportName, says) => {
    await expect(load(file, exportName)).rejects.toMatchObject({
      code: "tool-import-failed",
      message: expect.stringContaining(says),
    });
  });
});
