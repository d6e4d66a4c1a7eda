import { describe, expect, it } from "vitest";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

/** A crew `top` that calls `mid`, which calls `low`, whose agent goes round until somebody stops it. */
function writeTop(top: string, mid = "", low = "") {
  const crew = (name: string, sub: string, settings: string) =>
    `version: "2.0"\nname: ${name}\nagents: [${name}er]\n${sub}\nsettings: { ${settings} }\n`;
  const calling = (name: string, callee: string) =>
    `sub_crews: { ${callee}: { config_path: ../${callee} } }\nrouting: { signals: { ${name}er: [{ signal: "[GO]", target_crew: ${callee} }] } }`;
  const agent = (signal: string) => `---\ndescription: works\n---\nSay ${signal}.\n`;
  return writeCrew({
    "package.json": "{}",
    "top/crew.yaml": crew("top", calling("top", "mid"), top),
    "top/agents/toper.md": agent("[GO]"),
    "mid/crew.yaml": crew("mid", calling("mid", "low"), mid),
    "mid/agents/mider.md": agent("[GO]"),
    "low/crew.yaml": crew(
      "low",
      `routing: { signals: { lower: [{ signal: "[AGAIN]", target: lower }, { signal: "[DONE]", target: "" }] } }`,
      low,
    ),
    "low/agents/lower.md": agent("[AGAIN] or [DONE]"),
    "script.yaml": `toper: ["a [GO]", "end"]\nmider: ["b [GO]", "end"]\nlower: [${Array(30).fill('"c [AGAIN]"').join(", ")}]\n`,
  });
}

function runAndDiagnose(cwd: string) {
  const { exitCode, stderr } = runBaton(["run", "top", "Go", "--script", "script.yaml"], { cwd });
  const { findings } = JSON.parse(runBaton(["diagnose", "last", "--json"], { cwd }).stdout);
  const about = findings.filter(({ code }: { code: string }) => code === "limit-reached" || code === "unaware-of-end");
  return { exitCode, stderr, where: about.map(({ where }: { where: unknown }) => where) };
}

describe("a run that a limit stops", () => {
  it("says which limit of all crews it was, and the diagnosis names that key of the run's own crew", () => {
    const { exitCode, stderr, where } = runAndDiagnose(writeTop("max_run_handoffs: 7", "", "max_handoffs: 20"));
    expect(exitCode).toBe(5);
    expect(stderr).toContain(
      "stopped: reached max_run_handoffs (7) of the run: the handoff from 'lower' to 'lower' was refused in crew 'mid/low'",
    );
    expect(where).toEqual([{ keys: ["settings", "max_run_handoffs"] }]);
  });

  it("fails where a crew within it reached a limit of its own, and the diagnosis blames that crew alone", () => {
    const { exitCode, stderr, where } = runAndDiagnose(writeTop("", "", "max_handoffs: 3"));
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      "error: sub-crew mid failed: sub-crew mid/low failed: reached max_handoffs (3) of crew 'mid/low'",
    );
    expect(where).toEqual([{ crew: "mid/low", agent: "lower", keys: ["system_prompt"] }]);
  });

  it("says how deep crews may be nested, and the diagnosis names the crew that says so", () => {
    const { exitCode, stderr, where } = runAndDiagnose(writeTop("", "max_crew_depth: 0"));
    expect(exitCode).toBe(5);
    expect(stderr).toContain(
      "max crew nesting depth exceeded: max_crew_depth of crew 'mid' is 0, and top/mid/low is deeper",
    );
    expect(where).toEqual([{ crew: "mid", keys: ["settings", "max_crew_depth"] }]);
  });
});
