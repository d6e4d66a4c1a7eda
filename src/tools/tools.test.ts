import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { writeCrew } from "../../test/write-crew.ts";
import { defineTool } from "./define-tool.ts";
import { importTool } from "./import-tool.ts";

const context = { signal: new AbortController().signal };

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

describe("a tool in a module", () => {
  const folder = writeCrew({
    "tools.mjs": "export function double({ n }) { return n * 2 }\nexport const nothing = 3;\n",
    "broken.mjs": "throw new Error('no disk')\n",
  });
  const load = (file: string, exportName: string) => importTool("mine", { file: join(folder, file), exportName });

  it("may be a plain function", async () => {
    const tool = await load("tools.mjs", "double");
    expect(tool.name).toBe("mine");
    expect(await tool.execute({ n: 4 }, context)).toBe(8);
  });

  it.each([
    ["tools.mjs", "missing", "exports no tool 'missing'; it exports double, nothing"],
    ["tools.mjs", "nothing", "exports no tool 'nothing'"],
    ["broken.mjs", "x", "cannot be imported: no disk"],
  ])("that is not there is told: %s#%s", async (file, exportName, says) => {
    await expect(load(file, exportName)).rejects.toMatchObject({
      code: "tool-import-failed",
      message: expect.stringContaining(says),
    });
  });
});
