import { describe, expect, it } from "vitest";
import { agentFiles } from "./load-written-crew.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const files = {
  "package.json": "{}",
  "crew.yaml": `version: "2.0"
name: desk
entry_point: a
agents: [a, b]
models: [openai/gpt-4.1-mini]
routing: { signals: { a: [{ signal: "[GO]", target: b }], b: [{ signal: "[BACK]", target: a }, { signal: "[DONE]" }] } }
settings: { max_handoffs: 3 }
`,
  ...agentFiles({ a: "max_turns: 2\nmax_output_tokens: 100", b: "max_turns: 2\nmax_output_tokens: 100" }),
  "script.yaml": "a: ['x [GO]']\nb: ['y [DONE]']\n",
};

describe("baton plan", () => {
  it("says on one screen what a run may cost at worst", () => {
    const { stdout, exitCode } = runBaton(["plan", ".", "Begin"], { cwd: writeCrew(files) });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("desk: a run costs at most $");
    expect(stdout).toContain("at most 32 model calls until max_handoffs ends it.");
    expect(stdout).toMatch(/model calls +32 +2/);
    expect(stdout).toContain("worst path: a → b → a → b; ends by max_handoffs");
    expect(stdout).toMatch(/\d+ calls × \([\d,]+ in \+ 100 out\)/);
    expect(stdout).toContain("likely is an assumption: output=400,turns=2,path=shortest");
    expect(stdout.split("\n").length).toBeLessThan(40);
  });

  it("exits with 5 above --max-cost or --max-calls, and prints the path", () => {
    const cwd = writeCrew(files);
    const cost = runBaton(["plan", ".", "Begin", "--max-cost", "0.0001"], { cwd });
    expect([cost.exitCode, cost.stderr]).toEqual([
      5,
      expect.stringMatching(/--max-cost allows[\s\S]*worst path: a → b/),
    ]);
    expect(runBaton(["plan", ".", "Begin", "--max-cost", "100", "--max-calls", "32"], { cwd }).exitCode).toBe(0);
    expect(runBaton(["plan", ".", "Begin", "--max-calls", "31"], { cwd }).stderr).toContain(
      "a run may make 32 model calls",
    );
  });

  it("counts a cost that is not known as too much", () => {
    const cwd = writeCrew(files);
    const { exitCode, stderr } = runBaton(["plan", ".", "--model", "acme/one", "--max-cost", "100"], { cwd });
    expect([exitCode, stderr]).toEqual([5, expect.stringContaining("not all of it is known")]);
  });

  it("takes the likely case from recorded runs", () => {
    const cwd = writeCrew(files);
    expect(runBaton(["run", ".", "Begin", "--script", "script.yaml"], { cwd }).exitCode).toBe(0);
    const { stdout } = runBaton(["plan", ".", "Begin"], { cwd });
    expect(stdout).toContain("median of 1 run");
    expect(JSON.parse(runBaton(["plan", ".", "--json"], { cwd }).stdout).likely).toMatchObject({
      modelCalls: 2,
      runs: 1,
    });
  });

  it("prints JSON and drawings", () => {
    const cwd = writeCrew(files);
    expect(JSON.parse(runBaton(["plan", ".", "--format", "json"], { cwd }).stdout).worst.endsBy).toBe("max_handoffs");
    expect(runBaton(["plan", ".", "--format", "mermaid"], { cwd }).stdout).toMatch(/≤ \$[\s\S]*×2 at worst/);
    for (const format of ["ascii", "mermaid", "dot", "svg"])
      expect(runBaton(["graph", ".", "--plan", "--format", format], { cwd }).stdout).toContain("≤ 16 calls");
  });

  it("explains mistyped options and broken crews", () => {
    const cwd = writeCrew(files);
    expect(runBaton(["plan", ".", "--assume", "outputs=3"], { cwd })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("unknown assumption 'outputs=3'"),
    });
    expect(runBaton(["plan", ".", "--max-cost", "much"], { cwd }).exitCode).toBe(2);
    expect(runBaton(["plan", ".", "--model", "gpt"], { cwd }).exitCode).toBe(2);
    expect(runBaton(["graph", ".", "--model", "openai/gpt-5"], { cwd }).stderr).toContain("only used with --plan");
    expect(runBaton(["plan", "nowhere"], { cwd }).exitCode).toBe(3);
  });
});
