import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const source = fileURLToPath(new URL("../src", import.meta.url));
/** What is there when the program runs: `import type` is erased, and `import("x")` waits for its call. */
const IMPORT = /^(?:import|export)\b(?! type\b)(?:[^;"']*?\bfrom)?\s*["']([^"'\n]+)["']/gm;

/** Needed by only some users, so that the others do not wait for them. */
const needed = [
  "import/import-sources.ts",
  "journal/postgres-store.ts",
  "journal/sqlite-store.ts",
  "models/open-embedder.ts",
  "models/open-model.ts",
  "models/price-table.ts",
  "prepare/prepare-tool-sets.ts",
  "remote/open-remote.ts",
  "scenario/play-scenarios.ts",
  "telemetry/run-spans.ts",
  "tools/server-process.ts",
];

describe("importing the library", () => {
  it("loads nothing that only some users need", () => {
    const loaded = listLoaded("index.ts");
    expect(needed.filter((file) => !existsSync(join(source, file)))).toEqual([]);
    expect(needed.filter((file) => loaded.files.has(file))).toEqual([]);
    expect([...loaded.files].filter((file) => /^(?:cli|server|client|testing)\//.test(file))).toEqual([]);
    expect([...loaded.packages].sort()).toEqual(["@cfworker/json-schema", "yaml"]);
  });
});

describe("the command", () => {
  it("loads none of its subcommands before it knows which is meant", () => {
    const { files, packages } = listLoaded("cli/main.ts");
    expect([...files].filter((file) => !/^(?:cli|vocabulary|import\/crew-plan)\b/.test(file))).toEqual([]);
    expect([...files].filter((file) => /-command\.ts$/.test(file) && !/\/add-/.test(file))).toEqual([]);
    expect([...packages]).toEqual(["commander"]);
  });

  it("checks a crew without anything that runs one", () => {
    const { files, packages } = listLoaded("cli/check-command.ts");
    expect([...files].filter((file) => /^(?:run|session|orchestration|runtime|journal|library)\//.test(file))).toEqual(
      [],
    );
    expect([...packages]).toEqual(["yaml"]);
  });
});

/** The files and packages that are loaded with a file. */
function listLoaded(entry: string): { readonly files: ReadonlySet<string>; readonly packages: ReadonlySet<string> } {
  const files = new Set([entry]);
  const packages = new Set<string>();
  // A set also yields what is added to it meanwhile.
  for (const file of files) {
    for (const [, specifier = ""] of readFileSync(join(source, file), "utf8").matchAll(IMPORT)) {
      if (specifier.startsWith(".")) files.add(relative(source, join(source, dirname(file), specifier)));
      else if (!isBuiltin(specifier)) packages.add(specifier);
    }
  }
  return { files, packages };
}
