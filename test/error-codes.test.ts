import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { BatonError } from "../src/index.ts";
import { diagnosticCodes } from "../src/vocabulary/diagnostic.ts";
import { type BatonErrorCode, errorCodes } from "../src/vocabulary/error-codes.ts";
import { failureCodes } from "../src/vocabulary/failure-codes.ts";
import { runBaton } from "./run-baton.ts";

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.endsWith("-codes.ts"))
  .map((file) => readFileSync(`src/${file}`, "utf8"));

describe("error codes", () => {
  it("are a union, so that a mistyped comparison does not compile", () => {
    expectTypeOf<BatonError["code"]>().toEqualTypeOf<BatonErrorCode>();
    const isBusy = (error: BatonError) => error.code === "store-busy";
    // @ts-expect-error there is no such code
    const isMistyped = (error: BatonError) => error.code === "store-bussy";
    expect([isBusy, isMistyped]).toHaveLength(2);
  });

  it.each([...Object.keys(errorCodes), ...Object.keys(failureCodes)].filter((code) => code !== "status"))(
    "are used by the source: %s",
    (code) => expect(sources.some((source) => source.includes(`"${code}"`))).toBe(true),
  );

  it("of failures in the source are all explained", () => {
    const used = sources.flatMap((source) =>
      [...source.matchAll(/\bcode: "([a-z_]{2,})"/g)].map(([, code = ""]) => code),
    );
    const known = [...Object.keys(failureCodes), ...Object.keys(diagnosticCodes)];
    // Findings of a diagnosis, which docs/diagnosis.md explains.
    const others = ["derailed", "unreadable", "withheld", "interrupted"];
    expect(used.filter((code) => !known.includes(code) && !others.includes(code))).toEqual([]);
  });

  it("each have a sentence that says what to do, or what happens next", () => {
    for (const [code, text] of Object.entries(errorCodes)) expect(text, code).toMatch(/^[A-Z`].{20,}\.$/);
  });
});

describe("baton explain", () => {
  it("says what a code means and what to do about it", () => {
    expect(runBaton(["explain", "run-active"])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^run-active {2}BatonError\n {2}Another process/),
    });
  });

  it("takes a code as diagnostics and HTTP failures show it", () => {
    expect(runBaton(["explain", "[dead-end]"]).stdout).toMatch(/^dead-end {2}warning in a crew's files\n/);
    expect(runBaton(["explain", "status_429"]).stdout).toMatch(/^status {2}failure inside a run\n/);
  });

  it("gives every meaning of a code that occurs in several places", () => {
    const found = JSON.parse(runBaton(["explain", "unknown-agent", "--json"]).stdout);
    expect(found.map(({ kind }: { kind: string }) => kind)).toEqual(["error", "diagnostic"]);
  });

  it("suggests the nearest code for one that does not exist", () => {
    expect(runBaton(["explain", "run-actve"])).toMatchObject({
      exitCode: 2,
      stderr: "error: there is no code 'run-actve'; did you mean 'run-active'?\n",
    });
  });

  it("lists all codes without an argument", () => {
    const { stdout } = runBaton(["explain"]);
    for (const code of [...Object.keys(errorCodes), ...Object.keys(failureCodes)]) expect(stdout).toContain(code);
  });
});
