import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { libraryPage } from "../docs/library-page.ts";
import { listPublicApi } from "../docs/public-api.ts";
import { errorCodes } from "../src/vocabulary/error-codes.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const names = listPublicApi(root);
const exported = new Set(names.map(({ name }) => name));

/** Types that the compiler computes for `defineCrew` and `loadCrew`, or from the keys of a file. Nobody names the parts that they are computed from. */
const computed: ReadonlySet<string> = new Set([
  "CheckedAgent",
  "CheckedCrew",
  "ContextOfCrew",
  "FittingContext",
  "NeededByFunctions",
  "NeededContext",
  "ObjectOfCrew",
  "Project",
]);
/** Types of the language and of its standard library. */
const builtIn: ReadonlySet<string> = new Set(
  "AbortSignal ArrayBuffer AsyncIterable Awaited Blob Error Exclude Extract Iterable NoInfer NonNullable Omit Partial Pick Promise PromiseLike Readonly ReadonlyMap ReadonlySet Record Uint8Array const".split(
    " ",
  ),
);

describe("the library's entry", () => {
  it("offers these names; one that goes or changes its meaning is a breaking change", async () => {
    expect(Object.keys(await import("../src/index.ts")).sort()).toEqual([
      "BatonError",
      "ConfigurationError",
      "ModelError",
      "buildAccounts",
      "buildGraph",
      "buildRunGraph",
      "checkCrew",
      "checkStore",
      "copyStore",
      "coverageOf",
      "createDefaultSignals",
      "createSignalRegistry",
      "createSignalScanner",
      "defineAgent",
      "defineCrew",
      "defineTool",
      "deleteConversation",
      "deleteRun",
      "deleteUser",
      "diagnose",
      "diagnosticCodes",
      "drawAscii",
      "drawDot",
      "drawMermaid",
      "drawSvg",
      "errorCodes",
      "failureModes",
      "importCrew",
      "indexSignals",
      "jsonSchemas",
      "listDeletions",
      "listExpired",
      "listInbox",
      "listPrunable",
      "listSignalUses",
      "loadCrew",
      "matchSignal",
      "openMemoryStore",
      "openPostgresStore",
      "openSqliteStore",
      "overlayPlan",
      "planOf",
      "planToJson",
      "pruneRuns",
      "reportSignals",
      "runScenarios",
      "scanSignals",
      "script",
      "signalScopes",
      "validateConfiguration",
      "validateEmission",
      "warningCodes",
    ]);
  });

  it("has the signatures that the reference shows, where a change of one can be seen", () => {
    expect(readFileSync(join(root, "docs/reference/library.md"), "utf8")).toBe(libraryPage(names));
  });

  it.each(names.filter(({ name }) => !computed.has(name)))("exports every type that $name needs", ({ refersTo }) => {
    expect(refersTo.filter((type) => !exported.has(type) && !builtIn.has(type))).toEqual([]);
  });

  it.each(names)("says what $name is", ({ about }) => {
    expect(about).toMatch(/[.`]$/);
  });
});

/**
 * What may reject, and what it says of itself: exported functions, and methods of exported interfaces. Not those of tools, which are
 * anybody's code; what they throw is told to the model.
 */
const rejecting = names.flatMap(({ name, kind, about, signature }): { what: string; says: string }[] => {
  const isAsync = (text: string) => /\): *(?:Promise|RunHandle|RunStream|Conversation)</.test(text);
  if (kind === "function")
    return isAsync(signature.slice(signature.lastIndexOf("\n)"))) ? [{ what: name, says: about }] : [];
  if (name === "Tool") return [];
  const methods = signature.matchAll(
    / {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(\w+)(?:<[^(]*>)?(\([\s\S]*?\): [^;]+);\n/g,
  );
  return [...methods]
    .filter(([, , , rest = ""]) => isAsync(rest))
    .map(([, says = "", method]) => ({ what: `${name}.${method}`, says: `${about} ${says}` }));
});

describe("functions that may reject", () => {
  it("are found", () => {
    const found = rejecting.map(({ what }) => what);
    expect(found).toEqual(
      expect.arrayContaining(["loadCrew", "CrewHandle.start", "ContinuedRuns.resume", "Store.append"]),
    );
    expect(found.length).toBeGreaterThan(30);
  });

  it.each(rejecting)("say with which codes: $what", ({ says }) => {
    const codes = [...says.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(([, code = ""]) => code);
    expect(codes.filter((code) => !Object.hasOwn(errorCodes, code))).toEqual([]);
    expect(codes.length > 0 || /`\w+ErrorCode`|[Nn]ever rejects/.test(says)).toBe(true);
  });
});

describe("codes of errors", () => {
  it("that the library throws are named where it says what rejects", () => {
    const said = names.map(({ about, signature }) => `${about} ${signature}`).join("\n");
    const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((file) =>
      /^(?!cli|dispatch|scenario|testing|server).*(?<!\.test|-codes)\.ts$/.test(file),
    );
    const thrown = sources.flatMap((file) =>
      [...readFileSync(join(root, "src", file), "utf8").matchAll(/BatonError\(\s*"([a-z-]+)"/g)].map(
        ([, code = ""]) => code,
      ),
    );
    expect(thrown.length).toBeGreaterThan(60);
    expect([...new Set(thrown)].filter((code) => !said.includes(`\`${code}\``) && !said.includes(`"${code}"`))).toEqual(
      [],
    );
  });
});
