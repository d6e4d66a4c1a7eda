import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseScenario } from "../src/scenario/read-scenario.ts";
import { updateExpectation } from "../src/scenario/update-expectation.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const crew = {
  "package.json": "{}",
  "crew/crew.yaml":
    'version: "2.0"\nname: one\nagents: [a, b]\nrouting: { signals: { a: [{ signal: "[ON]", target: b }] } }\nsettings: { on_no_signal: stop }\n',
  "crew/agents/a.md": "Say [ON].",
  "crew/agents/b.md": "Work.",
};
const head = `# how a case goes on
name: a case   # a name
run: ../crew

script:
  a: ["It is: broken [ON]"]   # one reply
  b:
    - "Mended."
`;

describe("baton test --update", () => {
  it.each([
    ["has no expect", head, ""],
    ["has an empty expect", `${head}expect:\n# the end\n`, "# the end\n"],
    ["has an expect with nothing in it", `${head}expect: {}   # nothing yet\n`, "   # nothing yet"],
  ])("writes what happened where a scenario %s, and leaves the rest as it is", (_, text, kept) => {
    const folder = writeCrew({ ...crew, "s/a.scenario.yaml": text });
    const { exitCode, stderr, stdout } = runBaton(["test", ".", "--update"], { cwd: folder });
    const written = readFileSync(join(folder, "s/a.scenario.yaml"), "utf8");
    expect(stderr).toContain("into s/a.scenario.yaml");
    expect([exitCode, stdout]).toEqual([0, "✓ a case\n1 passed, 0 failed\n"]);
    expect(written.startsWith(head)).toBe(true);
    expect(written).toContain(kept);
    expect(written.replace(kept, "").replace(/\n+/g, "\n")).toBe(
      `${head.replace(/\n+/g, "\n")}expect:
  status: completed
  stopReason: answer
  output: Mended.
  finalAgent: b
  path: [a, b]
  handoffs: 1
`.replace("Mended.\n  final", `${written.includes('"Mended."\n  final') ? '"Mended."' : "Mended."}\n  final`),
    );
  });

  it("does not change what is written without a terminal to ask at, and says so", () => {
    const text = `${head}expect: { status: failed }\n`;
    const folder = writeCrew({ ...crew, "s/a.scenario.yaml": text });
    const { exitCode, stderr } = runBaton(["test", ".", "--update"], { cwd: folder });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("1 scenario expected something else, and --update changes that only after asking");
    expect(readFileSync(join(folder, "s/a.scenario.yaml"), "utf8")).toBe(text);
  });

  it("writes a failed run and a crew that does not load, too", () => {
    const folder = writeCrew({
      ...crew,
      "s/a.scenario.yaml": "run: ../crew\nscript: { a: [{ error: { status: 401, message: no } }] }\n",
      "s/b.scenario.yaml": 'files: { crew.yaml: "version: \\"2.0\\"\\nname: x\\nagents: [gone]\\n" }\n',
    });
    const { exitCode } = runBaton(["test", ".", "--update"], { cwd: folder });
    expect(exitCode).toBe(0);
    expect(readFileSync(join(folder, "s/a.scenario.yaml"), "utf8")).toContain(
      "  error: { code: model_failed, message: ",
    );
    expect(readFileSync(join(folder, "s/b.scenario.yaml"), "utf8")).toContain(
      "diagnostics: [{ code: missing-agent-file }]",
    );
  });
});

describe("an updated expectation", () => {
  it.each([
    [
      "a value in a block",
      "expect:\n  status: failed # why\n  path: [a]\n",
      "expect:\n  status: completed # why\n  path: [a]\n",
    ],
    [
      "a list over several lines, with a comment behind it",
      "expect:\n  path:\n    - a\n    - b\n  # how it ends\n  status: x\n",
      "expect:\n  path: [b]\n  # how it ends\n  status: x\n",
    ],
    ["a value within a line", "expect: { status: failed, path: [a] }\n", "expect: { status: completed, path: [a] }\n"],
    [
      "a long text",
      "expect:\n  output: |\n    one\n    two\n  status: x\n",
      'expect:\n  output: "it\\nis"\n  status: x\n',
    ],
    [
      "the messages of an agent",
      "expect:\n  inputs:\n    a: [x]   # first\n    b: [y]\n",
      'expect:\n  inputs:\n    a: ["it is"]   # first\n    b: [y]\n',
    ],
    ["a file that is JSON", '{"expect":{"status":"failed"}}', '{"expect":{"status": completed}}'],
    [
      "a key that is not there",
      "expect:\n  status: x\nname: n\n",
      'expect:\n  status: x\n  error: { code: "5" }\nname: n\n',
    ],
  ])("replaces %s, and nothing else", (_, before, after) => {
    const value = new Map<string, unknown>([
      ["a value in a block", [["status"], "completed"]],
      ["a list over several lines, with a comment behind it", [["path"], ["b"]]],
      ["a value within a line", [["status"], "completed"]],
      ["a long text", [["output"], "it\nis"]],
      ["the messages of an agent", [["inputs", "a"], ["it is"]]],
      ["a file that is JSON", [["status"], "completed"]],
      ["a key that is not there", [["error"], { code: "5" }]],
    ]).get(_) as [string[], unknown];
    expect(updateExpectation(before, [{ keys: value[0], value: value[1] }]).replace(" it is ", " it is ")).toBe(
      after.replace('["it is"]', "[it is]"),
    );
  });

  it("reads as what was written, whatever the text", () => {
    for (const text of [
      "a: b",
      "- x",
      "yes",
      "[A] b",
      "1",
      "",
      "# no",
      "x, y",
      "'q'",
      '"q"',
      "ü ñ",
      "a\tb",
      "{}",
      "*x",
      "&x",
      "!x",
      "a #b",
    ]) {
      const updated = updateExpectation("run: .\nexpect:\n  status: completed\n", [{ keys: ["output"], value: text }]);
      const read = parseScenario("/x/a.scenario.yaml", updated);
      expect("scenario" in read && read.scenario.expect?.output, updated).toBe(text);
    }
  });
});
