import { SaxesParser } from "saxes";
import { Parser } from "tap-parser";
import { describe, expect, it } from "vitest";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const name = 'says <b>"A" & B</b> # one \\ two';
const folder = writeCrew({
  "package.json": "{}",
  "crew/crew.yaml":
    'version: "2.0"\nname: one\nagents: [a]\nrouting: { signals: { a: [{ signal: "[X]", target: "" }, { signal: "[Y]", target: "" }] } }\n',
  "crew/agents/a.md": "Say [X] or [Y].",
  "good/good.scenario.yaml": JSON.stringify({ name, run: "../crew", script: { a: ["[X]", "rest"] }, expect: {} }),
  "bad/bad.scenario.yaml": JSON.stringify({
    name: "expects, too: much%",
    run: "../crew",
    script: { a: ["It is \u0007 [X]"] },
    expect: { output: "that", status: "failed" },
  }),
});
const test = (...args: string[]) => runBaton(["test", ".", ...args], { cwd: folder });

describe("baton test --format", () => {
  it("junit is XML with a case for each scenario", () => {
    const { stdout, exitCode } = test("--format", "junit");
    expect(exitCode).toBe(1);
    const parser = new SaxesParser();
    const tags: { name: string; attributes: Record<string, string> }[] = [];
    parser.on("opentag", (tag) =>
      tags.push({ name: tag.name, attributes: { ...tag.attributes } as Record<string, string> }),
    );
    parser.on("error", (error) => {
      throw error;
    });
    parser.write(stdout).close();
    const named = (tag: string) => tags.filter((each) => each.name === tag).map(({ attributes }) => attributes);
    expect(named("testsuites")).toMatchObject([{ tests: "2", failures: "1" }]);
    expect(named("testsuite")).toMatchObject([
      { name: "bad", tests: "1", failures: "1" },
      { name: "good", tests: "1", failures: "0" },
    ]);
    expect(named("testcase").map((each) => each["name"])).toEqual(["expects, too: much%", name]);
    expect(named("failure").map((each) => each["message"])).toEqual(["status", "output"]);
    expect(stdout).toContain("<system-out>1 of 2 replies of a left over</system-out>");
  });

  it("tap is what a TAP parser takes", async () => {
    const { stdout, exitCode } = test("--format", "tap");
    expect(exitCode).toBe(1);
    const points: { ok: boolean; name: string; diag: unknown }[] = [];
    const parser = new Parser({ strict: true });
    parser.on("assert", (point) => points.push({ ok: point.ok, name: point.name, diag: point.diag }));
    const ended = new Promise<{ readonly plan: object; readonly failures: readonly unknown[] }>((resolve) =>
      parser.on("complete", resolve),
    );
    parser.end(stdout);
    const { plan, failures } = await ended;
    expect(plan).toMatchObject({ start: 1, end: 2 });
    expect(failures).toHaveLength(1);
    expect(points.map(({ ok }) => ok)).toEqual([false, true]);
    expect(points[0]?.diag).toMatchObject({
      file: "bad/bad.scenario.yaml",
      problems: ['status\n    expected  "failed"\n    got       "completed"', expect.stringContaining("output")],
    });
    expect(points[1]?.name.replaceAll("\\", "")).toBe(name.replaceAll("\\", ""));
  });

  it("github annotates each difference, and ends in the count", () => {
    const { stdout } = test("--format", "github");
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(
      '::error file=bad/bad.scenario.yaml,line=1,title=expects%2C too%3A much%25::status%0A    expected  "failed"%0A    got       "completed"',
    );
    expect(lines.at(-1)).toBe("1 passed, 1 failed");
  });

  it("lcov has a record for each file whose sums hold", () => {
    const { stdout } = test("--coverage", "--format", "lcov");
    const records = stdout.split("end_of_record\n").filter((record) => record !== "");
    expect(records).toHaveLength(1);
    const fields = (stdout.match(/^[A-Z]+:.*$/gm) ?? []).map((line) => line.split(/:(.*)/).slice(0, 2));
    const all = (key: string) => fields.flatMap(([name, value = ""]) => (name === key ? [value] : []));
    expect(all("SF")).toEqual([`${folder}/crew/crew.yaml`]);
    expect(all("BRDA")).toEqual(["1,0,0,0", "4,0,0,1", "4,0,1,0"]);
    expect([all("BRF"), all("BRH"), all("LF"), all("LH"), all("DA")]).toEqual([
      ["3"],
      ["1"],
      ["2"],
      ["1"],
      ["1,0", "4,1"],
    ]);
  });

  it("html is one well-formed page that fetches nothing", () => {
    const { stdout, stderr } = test("--coverage", "--format", "html");
    expect(stdout).toMatch(/^<!doctype html>/);
    expect(stdout).toContain("one: 33.3 %");
    expect(stdout).not.toMatch(/https?:|<script|<link/);
    expect(stderr).toContain("1 passed, 1 failed");
  });

  it("json with coverage is the list of crews, and nothing else", () => {
    const { stdout } = test("--coverage", "--json");
    expect(JSON.parse(stdout)).toMatchObject([
      { crew: "one", percent: 33.3, items: [{ name: "binding a [X]", covered: true }, {}, {}] },
    ]);
  });

  it("lcov and html without coverage are refused", () => {
    const { exitCode, stderr } = test("--format", "lcov");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("add --coverage");
  });
});

describe("baton test", () => {
  it("--filter plays scenarios whose name or file has all the words", () => {
    expect(test("--filter", "BAD much").stdout).toContain("0 passed, 1 failed");
    expect(test("--filter", "good says").stdout).toContain("1 passed, 0 failed");
    const none = test("--filter", "good bad");
    expect(none.exitCode).toBe(1);
    expect(none.stderr).toContain("'good bad' is in no name or file of 2 scenarios");
  });

  it("--bail stops at the first failure, and says what was not played", () => {
    const { stdout, stderr } = test("--bail", "--jobs", "1");
    expect(stdout).toContain("0 passed, 1 failed");
    expect(stderr).toContain("stopped at the first failure; 1 scenario not played");
  });

  it("names a path that is not there", () => {
    const { exitCode, stdout } = runBaton(["test", "nowhere"], { cwd: folder });
    expect(exitCode).toBe(1);
    expect(stdout).toContain("not-found");
  });
});
