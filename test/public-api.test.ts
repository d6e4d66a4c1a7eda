import { describe, expect, it } from "vitest";

describe("the library's entry", () => {
  it("offers these names; one that goes or changes its meaning is a breaking change", async () => {
    expect(Object.keys(await import("../src/index.ts")).sort()).toEqual([
      "BatonError",
      "ConfigurationError",
      "ModelError",
      "buildGraph",
      "buildRunGraph",
      "checkCrew",
      "createSignalRegistry",
      "createSignalScanner",
      "defaultSignals",
      "defineAgent",
      "defineCrew",
      "defineTool",
      "diagnose",
      "diagnosticCodes",
      "drawAscii",
      "drawDot",
      "drawMermaid",
      "drawSvg",
      "errorCodes",
      "expiredRuns",
      "failureModes",
      "indexSignals",
      "jsonSchemas",
      "listAccounts",
      "listSignalUses",
      "loadCrew",
      "matchSignal",
      "openMemoryStore",
      "openSqliteStore",
      "reportSignals",
      "scanSignals",
      "script",
      "signalScopes",
      "validateConfiguration",
      "validateEmission",
      "warningCodes",
    ]);
  });
});
