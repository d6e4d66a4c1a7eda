import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** A violation of each rule that the linter holds, planted to see it caught. */
const plants: readonly (readonly [about: string, rule: string, file: string, text: string])[] = [
  ["a file over 300 lines", "style/noExcessiveLinesPerFile", "long-file.ts", "export const a = 1;\n".repeat(301)],
  ["a function over 60 lines", "complexity/noExcessiveLinesPerFunction", "long-function.ts", longFunction()],
  [
    "an import cycle",
    "suspicious/noImportCycles",
    "cycle.ts",
    `import { b } from "./cycle-back.ts";\nexport const a = b;\n`,
  ],
  [
    "the way back of it",
    "suspicious/noImportCycles",
    "cycle-back.ts",
    `import { a } from "./cycle.ts";\nexport const b = a;\n`,
  ],
  [
    "a cycle of types",
    "suspicious/noImportCycles",
    "type-cycle.ts",
    `import type { B } from "./type-cycle-back.ts";\nexport interface A {\n  readonly b: B;\n}\n`,
  ],
  [
    "the way back of it",
    "suspicious/noImportCycles",
    "type-cycle-back.ts",
    `import type { A } from "./type-cycle.ts";\nexport interface B {\n  readonly a: A;\n}\n`,
  ],
  ["a barrel", "performance/noBarrelFile", "barrel.ts", `export { a } from "./long-file.ts";\n`],
  ["a floating promise", "nursery/noFloatingPromises", "float.ts", `async function f(): Promise<void> {}\nf();\n`],
  ["any", "suspicious/noExplicitAny", "any.ts", "export const a: any = 1;\n"],
  ["a non-null assertion", "style/noNonNullAssertion", "bang.ts", "export const a = (b?: string) => b!;\n"],
  ["an enum", "style/noEnum", "enum.ts", "export enum A {\n  B,\n}\n"],
  ["a default export", "style/noDefaultExport", "default.ts", "export default 1;\n"],
  ["printing", "suspicious/noConsole", "print.ts", `console.log("x");\n`],
  ["a file name in camelCase", "style/useFilenamingConvention", "camelCase.ts", "export const a = 1;\n"],
];

const root = fileURLToPath(new URL("..", import.meta.url));
let folder = "";
let found = "";

beforeAll(() => {
  folder = mkdtempSync(join(root, "test", "planted-"));
  for (const [, , file, text] of plants) writeFileSync(join(folder, file), text);
  const options = ["biome", "lint", "--reporter=github", "--max-diagnostics=none", folder];
  found = spawnSync("npx", options, { cwd: root, encoding: "utf8" }).stdout;
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the linter catches", () => {
  it.each(plants)("%s", (_, rule, file) => {
    const annotations = found.split("\n").filter((line) => line.includes(`/${file},`));
    expect(annotations.join("\n")).toContain(rule);
  });
});

describe("no file", () => {
  // The linter counts neither blank lines nor those within comments and templates.
  it.each(["src", "test", "studio/src", "bench", "corpora", "fuzz", "mutate", "proof", "docs", "examples"])(
    "of %s has more than 300 lines, whatever they hold",
    (top) => {
      const files = readdirSync(join(root, top), { recursive: true, encoding: "utf8" });
      const sources = files.filter((file) => /\.tsx?$/.test(file) && !/(^|\/)(node_modules|planted-\w+)\//.test(file));
      expect(sources).not.toEqual([]);
      const long = sources.filter((file) => readFileSync(join(root, top, file), "utf8").split("\n").length > 301);
      expect(long).toEqual([]);
    },
  );
});

describe("the source", () => {
  it("asks in one place whether a value is a promise", () => {
    const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
    const asking = files.filter(
      (file) => file.endsWith(".ts") && readFileSync(join(root, "src", file), "utf8").includes("instanceof Promise"),
    );
    expect(asking).toEqual([join("vocabulary", "promise.ts")]);
  });
});

function longFunction(): string {
  return `export function f(): void {\n${"  g();\n".repeat(61)}}\nfunction g(): void {}\n`;
}
