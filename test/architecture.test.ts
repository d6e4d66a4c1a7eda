import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "src");

/** What each folder of src/ may import, besides itself. ARCHITECTURE.md explains the table. */
const leaves = ["vocabulary"];
const reading = [...leaves, "signals", "template", "regex", "flow", "definition"];
const running = [
  ...leaves,
  "http",
  "regex",
  "redaction",
  "signals",
  "flow",
  "classify",
  "context",
  "models",
  "tools",
  "run",
  "attachments",
  "session",
  "orchestration",
  "views",
  "diagnosis",
  "learning",
  "journal",
  "telemetry",
];
/** Where a crew meets the world. */
const rooms = ["servers", "remote", "prepare", "run-storage", "runtime"];
const mayImport: Readonly<Record<string, readonly string[]>> = {
  vocabulary: [],
  http: leaves,
  signals: leaves,
  template: leaves,
  regex: leaves,
  redaction: leaves,
  flow: [...leaves, "signals"],
  definition: [...leaves, "signals", "template", "regex", "flow"],
  classify: leaves,
  init: ["vocabulary", "models"],
  doctor: [...reading, "models", "run", "tools", "http", "redaction", "journal", "servers", "prepare"],
  import: [...reading, "classify", "redaction"],
  context: leaves,
  models: [...leaves, "http"],
  tools: [...leaves, "http", "regex"],
  run: [...leaves, "redaction"],
  attachments: [...leaves, "tools", "run"],
  session: [...leaves, "redaction", "context", "models", "tools", "run", "attachments"],
  orchestration: [
    ...leaves,
    "signals",
    "template",
    "regex",
    "flow",
    "classify",
    "context",
    "models",
    "tools",
    "run",
    "session",
  ],
  views: [...leaves, "flow"],
  diagnosis: [...leaves, "signals", "views"],
  telemetry: [...leaves, "views"],
  learning: [...leaves, "classify", "journal", "views"],
  journal: [...leaves, "run"],
  testing: [...leaves, "journal"],
  dispatch: [...leaves, "journal"],
  servers: [...reading, ...running],
  remote: [...reading, ...running, "servers"],
  prepare: [...reading, ...running, "servers", "remote"],
  "run-storage": [...reading, ...running],
  runtime: [...reading, ...running, "servers", "prepare", "run-storage"],
  library: [...reading, ...running, ...rooms, "dispatch"],
  scenario: [...reading, ...running, ...rooms, "library"],
  client: [...reading, ...running, ...rooms, "library"],
  server: [...reading, ...running, ...rooms, "library", "scenario", "dispatch"],
  cli: [...reading, ...running, ...rooms, "library", "scenario", "import", "init", "doctor", "server", "dispatch"],
  index: [...reading, ...running, ...rooms, "library", "scenario", "import"],
};

/** Third-party packages and Node's own modules, each with the folders that may use it. */
const homes: Readonly<Record<string, readonly string[]>> = {
  "@a2a-js/sdk": ["remote", "server"],
  "@a2a-js/sdk/client": ["remote"],
  "@a2a-js/sdk/errors": ["server"],
  "@a2a-js/sdk/server": ["server"],
  "@ag-ui/core": ["server"],
  "@ag-ui/core/schemas": ["server"],
  "@ag-ui/encoder": ["server"],
  yaml: ["definition"],
  commander: ["cli"],
  pg: ["journal", "dispatch"],
  "@dbos-inc/dbos-sdk": ["dispatch"],
  "@ai-sdk/anthropic": ["models"],
  "@ai-sdk/google": ["models"],
  "@ai-sdk/openai": ["models"],
  "@ai-sdk/openai-compatible": ["models"],
  "@ai-sdk/provider": ["models"],
  "@cfworker/json-schema": ["tools"],
  "@modelcontextprotocol/client": ["tools"],
  "@modelcontextprotocol/client/stdio": ["tools"],
  "@modelcontextprotocol/server": ["server"],
  "@modelcontextprotocol/server/stdio": ["server"],
  "@hono/node-server": ["server"],
  "@hono/node-server/utils/response": ["server"],
  "@opentelemetry/api": ["telemetry"],
  "@pydantic/genai-prices": ["models"],
  croner: ["server"],
  hono: ["server"],
  "prom-client": ["server"],
  zod: ["server"],
  "node:assert/strict": ["testing"],
  "node:child_process": ["tools", "cli"],
  "node:crypto": ["attachments", "server", "journal", "servers", "prepare", "run-storage", "runtime", "library"],
  "@apidevtools/swagger-parser": ["tools"],
  "node:dns/promises": ["tools"],
  "node:fs": [
    "doctor",
    "init",
    "attachments",
    "server",
    "tools",
    "definition",
    "import",
    "journal",
    "servers",
    "prepare",
    "run-storage",
    "runtime",
    "library",
    "scenario",
    "cli",
  ],
  "node:os": ["server", "import", "servers", "prepare", "run-storage", "runtime", "library", "scenario"],
  "node:fs/promises": ["attachments", "tools"],
  "node:http": ["tools", "server"],
  "node:https": ["tools"],
  "node:net": ["tools"],
  "node:path": [
    "doctor",
    "init",
    "attachments",
    "tools",
    "server",
    "definition",
    "import",
    "journal",
    "servers",
    "prepare",
    "run-storage",
    "runtime",
    "library",
    "scenario",
    "cli",
  ],
  "node:readline/promises": ["cli"],
  "node:sqlite": ["journal"],
  "node:stream": ["server", "cli"],
  "node:timers/promises": ["server"],
  "node:url": ["tools", "journal", "init", "cli"],
  "node:util": ["cli", "servers", "prepare", "run-storage", "runtime", "library"],
  "node:zlib": ["journal", "server"],
};

/** `import … from "x"`, `export … from "x"`, `import "x"` at the start of a line, and `import("x")` anywhere. */
const IMPORT = /^(?:import|export)\b(?:[^;"']*?\bfrom)?\s*["']([^"'\n]+)["']|\bimport\(\s*["']([^"'\n]+)["']/gm;

describe("the folders of src/", () => {
  it("import only what the table allows", () => {
    expect(sourceFiles().flatMap((file) => violationsOf(file, readFileSync(file, "utf8")))).toEqual([]);
  });

  it.each([
    ["a folder above", "signals/planted.ts", `import { x } from "../definition/fields.ts";`],
    ["a folder beside", "template/planted.ts", `import { x } from "../flow/find-cycles.ts";`],
    ["a package out of its home", "flow/planted.ts", `import { parse } from "yaml";`],
    ["a package nobody knows", "cli/planted.ts", `import x from "left-pad";`],
    ["a type of a folder above", "flow/planted.ts", `import type { X } from "../cli/terminal.ts";`],
    ["a folder above when it is needed", "signals/planted.ts", `const x = await import("../cli/main.ts");`],
    ["a folder above to pass it on", "signals/planted.ts", `export { x } from "../cli/main.ts";`],
    ["a test outside tests", "signals/planted.ts", `import { x } from "../../test/write-crew.ts";`],
  ])("are caught importing %s", (_, file, text) => {
    expect(violationsOf(join(source, file), text)).toHaveLength(1);
  });

  it("are those of the table, each with something in it", () => {
    const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual(
      Object.keys(mayImport)
        .filter((name) => name !== "index")
        .sort(),
    );
  });

  it("have no two files of one name, tests and subfolders included", () => {
    const names = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const byName = Map.groupBy(names, (file) => basename(file));
    expect([...byName.values()].filter((files) => files.length > 1)).toEqual([]);
    expect(byName.size).toBeGreaterThan(300);
  });

  it("have no file of less than 15 lines that only one other file of its folder needs", () => {
    const imports = sourceFiles().flatMap((file) =>
      importsOf(readFileSync(file, "utf8")).map((specifier) => ({
        file,
        to: normalize(join(dirname(file), specifier)),
      })),
    );
    const callers = Map.groupBy(imports, ({ to }) => to);
    const isSmall = (file: string) => readFileSync(file, "utf8").trimEnd().split("\n").length < 15;
    const isFoldable = (file: string) => {
      const [caller, ...others] = new Set(callers.get(file)?.map((each) => each.file));
      return caller !== undefined && others.length === 0 && areaOf(caller) === areaOf(file);
    };
    const small = sourceFiles().filter((file) => isSmall(file) && isFoldable(file));
    const named = small.map((file) => relative(source, file));
    // Moves and commands have a file each, so that all are found in one place.
    expect(named.filter((file) => !/^orchestration\/moves\/|^cli\/[a-z-]+-command\.ts$/.test(file))).toEqual([]);
  });
});

describe("ARCHITECTURE.md", () => {
  it("names no file that is not there", () => {
    const named = readFileSync(join(root, "ARCHITECTURE.md"), "utf8").matchAll(/`([a-z]+\/[a-z/-]+\.ts)`/g);
    const files = [...named].map(([, file = ""]) => file);
    expect(files.filter((file) => ![root, source].some((folder) => existsSync(join(folder, file))))).toEqual([]);
    expect(files.length).toBeGreaterThan(40);
  });
});

function sourceFiles(): string[] {
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => join(source, file));
}

function violationsOf(file: string, text: string): string[] {
  const from = areaOf(file);
  return importsOf(text)
    .filter((specifier) => !isAllowed(specifier, file, from))
    .map((each) => `${relative(root, file)}: ${each}`);
}

function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].flatMap((match) => match[1] ?? match[2] ?? []);
}

function isAllowed(specifier: string, file: string, from: string): boolean {
  if (!specifier.startsWith(".")) return homes[specifier]?.includes(from) ?? false;
  const to = normalize(join(dirname(file), specifier));
  if (!to.startsWith(source)) return false;
  const area = areaOf(to);
  return area === from || (mayImport[from]?.includes(area) ?? false);
}

/** The folder of a file, or the name of a file of src/ itself. */
function areaOf(file: string): string {
  const [first = ""] = relative(source, file).split("/");
  return first.replace(/\.ts$/, "");
}
