import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { loadDefinition } from "../src/definition/load-definition.ts";

interface Case {
  readonly about: string;
  readonly files: Readonly<Record<string, string>>;
  readonly run?: string;
  readonly strict?: boolean;
  readonly tools?: readonly string[];
  readonly only?: boolean;
  /** Environment variables; none otherwise. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly expect: readonly Expected[];
}

interface Expected {
  readonly code: string;
  readonly file?: string;
  readonly line?: number;
  readonly severity?: string;
  readonly says?: string;
}

const folder = new URL("./corpus/broken/", import.meta.url);
const cases = readdirSync(folder).map((file): [string, Case] => [
  file,
  parse(readFileSync(new URL(file, folder), "utf8")),
]);
const scratch = mkdtempSync(join(tmpdir(), "baton-broken-"));
afterAll(() => rmSync(scratch, { recursive: true }));

describe("the corpus of broken crews", () => {
  it("has at least 80 of them", () => expect(cases.length).toBeGreaterThanOrEqual(80));

  it.each(cases)("%s: every planted problem is found where it is", (file, broken) => {
    const root = join(scratch, file);
    for (const [name, text] of Object.entries(broken.files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    const { strict, tools, run = ".", environment = {} } = broken;
    const { diagnostics } = loadDefinition(run, {
      root,
      environment,
      workingDirectory: root,
      ...(strict !== undefined && { strict }),
      ...(tools !== undefined && { tools }),
    });
    const found = diagnostics.map(({ code, file, line, severity, message }) => ({
      code,
      file,
      line,
      severity,
      message,
    }));
    for (const { says = "", ...wanted } of broken.expect) {
      expect(found).toContainEqual(expect.objectContaining({ ...wanted, message: expect.stringContaining(says) }));
    }
    if (broken.only) expect(found.map(({ code }) => code).sort()).toEqual(broken.expect.map(({ code }) => code).sort());
  });
});
