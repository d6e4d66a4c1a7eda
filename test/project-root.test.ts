import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadDefinition } from "../src/definition/load-definition.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const agent = "---\ndescription: d\n---\nWork.";
const crewOf = (name: string, more = "") =>
  `version: "2.0"\nname: ${name}\nagents: [a]\nmodels: [script/../replies.yaml]\n${more}`;
const files = {
  ".mcp.json": JSON.stringify({ mcpServers: { parent: { command: "true" } } }),
  "alone/crew.yaml": crewOf("alone").replace("../", ""),
  "alone/agents/a.md": agent,
  "alone/replies.yaml": "a: [Done.]",
  "replies.yaml": "a: [Done.]\nteam-alpha/a: [Done.]",
  "master/config/crew.yaml": crewOf(
    "master",
    'sub_crews: { team-alpha: { config_path: ../team-alpha/config } }\nrouting: { signals: { a: [{ signal: "[GO]", target_crew: team-alpha }] } }',
  ).replace("../", "../../"),
  "master/agents/a.md": `${agent} [GO]`,
  "team-alpha/config/crew.yaml": crewOf("alpha").replace("../", "../../"),
  "team-alpha/agents/a.md": agent,
  "stray/crew.yaml": crewOf("stray", "sub_crews: { far: { config_path: ../../../etc } }"),
  "stray/agents/a.md": agent,
};

function isMarked(folder: string): boolean {
  if (["baton.yaml", "package.json", ".git"].some((mark) => existsSync(join(folder, mark)))) return true;
  return folder !== dirname(folder) && isMarked(dirname(folder));
}

describe.skipIf(isMarked(tmpdir()))("a crew that one stands in, where nothing marks a project", () => {
  it("has its own folder for the project's, and the folder above is none of its business", () => {
    const folder = writeCrew({ ...files, "alone/agents/a.md": agent.replace("d\n", "d\ntools: [parent__x]\n") });
    const cwd = join(folder, "alone");
    const { root, outside, diagnostics } = loadDefinition(".", { workingDirectory: cwd });
    expect({ root, outside }).toEqual({ root: cwd, outside: undefined });
    expect(diagnostics.map(({ code }) => code)).toEqual(["unknown-tool"]);
    expect(runBaton(["run", ".", "Go", "--no-journal"], { cwd: join(writeCrew(files), "alone") })).toEqual({
      exitCode: 0,
      stdout: "Done.\n",
      stderr: "",
    });
  });

  it("has the folder above, which is said, where it refers to a sibling", () => {
    const folder = writeCrew(files);
    const cwd = join(folder, "master");
    const { root, diagnostics } = loadDefinition(".", { workingDirectory: cwd });
    expect(root).toBe(folder);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const run = runBaton(["run", ".", "Go", "--no-journal"], { cwd });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toContain(`the project root is ${folder}: nothing marks one`);
    expect(run.stderr).toContain("uses ../team-alpha/config/crew.yaml");
    const given = runBaton(["run", ".", "Go", "--no-journal", "--root", folder], { cwd });
    expect(given.stderr).not.toContain("the project root is");
  });

  it("may not leave that, either", () => {
    const folder = writeCrew(files);
    const { diagnostics } = loadDefinition(".", { workingDirectory: join(folder, "stray") });
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: "outside-root", severity: "error" }));
  });
});
