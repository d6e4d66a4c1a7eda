import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const files = {
  "desk/agents.yaml": "scout: { role: Scout of {topic}, goal: Scout, backstory: You look. }\n".replace(
    "Scout of {topic}",
    "'Scout of {topic}'",
  ),
  "desk/tasks.yaml": "look: { description: Look., expected_output: A list, agent: scout }\n",
};

describe("baton import", () => {
  it("writes a crew beside the files, which runs", () => {
    const cwd = writeCrew({ ...files, "replies.yaml": 'look: ["Ten things."]\n' });
    const { exitCode, stdout } = runBaton(["import", "desk"], { cwd });
    expect(stdout).toContain("1 agent of CrewAI: wrote desk-crew\n  crew.yaml\n  agents/look.md\n  IMPORT.md\n");
    expect(exitCode).toBe(0);
    const run = runBaton(["run", "desk-crew", "Begin", "--script", "replies.yaml", "--var", "topic=tides"], { cwd });
    expect(run).toMatchObject({ exitCode: 0, stdout: "Ten things.\n" });
  });

  it("changes nothing the second time, and not the originals", () => {
    const cwd = writeCrew(files);
    runBaton(["import", "desk"], { cwd });
    const before = snapshot(cwd);
    expect(runBaton(["import", "desk"], { cwd })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("desk-crew is there already\n  3 files unchanged\n"),
    });
    expect(snapshot(cwd)).toEqual(before);
  });

  it("keeps a file that somebody changed, says where it differs, and writes what is missing", () => {
    const cwd = writeCrew(files);
    runBaton(["import", "desk"], { cwd });
    writeFileSync(join(cwd, "desk-crew/agents/look.md"), "My own.\n");
    rmSync(join(cwd, "desk-crew/crew.yaml"));
    const { exitCode, stdout } = runBaton(["import", "desk"], { cwd });
    expect(stdout).toContain("  crew.yaml\n  agents/look.md: stays as it is; it differs from the import in line 1\n");
    expect(exitCode).toBe(1);
    expect(readFileSync(join(cwd, "desk-crew/agents/look.md"), "utf8")).toBe("My own.\n");
    expect(existsSync(join(cwd, "desk-crew/crew.yaml"))).toBe(true);
  });

  it("writes nothing into a folder with somebody's crew, a file, or a link that leads elsewhere", () => {
    const cwd = writeCrew({ ...files, "own/crew.yaml": "mine\n", "plain.txt": "x", "elsewhere/x.txt": "x" });
    mkdirSync(join(cwd, "linked"));
    symlinkSync(join(cwd, "elsewhere"), join(cwd, "linked/agents"));
    for (const [to, why] of [
      ["own", "own holds a crew that no import wrote"],
      ["plain.txt", "plain.txt is not a folder"],
      ["linked", "linked/agents/look.md is outside of linked"],
    ] as const) {
      const { exitCode, stdout } = runBaton(["import", "desk", "--to", to], { cwd });
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: expect.stringContaining(why) });
    }
    expect(readdirSync(join(cwd, "own"))).toEqual(["crew.yaml"]);
    expect(readdirSync(join(cwd, "elsewhere"))).toEqual(["x.txt"]);
  });

  it("with --dry-run writes nothing and says what it would", () => {
    const cwd = writeCrew(files);
    const { stdout } = runBaton(["import", "desk", "--to", "there", "--dry-run"], { cwd });
    expect(stdout).toContain("1 agent of CrewAI: would write there\n");
    expect(existsSync(join(cwd, "there"))).toBe(false);
  });

  it("with --json prints files, check and report", () => {
    const cwd = writeCrew(files);
    const { crews, problems } = JSON.parse(runBaton(["import", "desk", "--json", "--dry-run"], { cwd }).stdout);
    expect(problems).toEqual([]);
    expect(crews).toMatchObject([
      {
        kind: "crewai",
        name: "desk",
        folder: "desk-crew",
        files: [{ path: "crew.yaml", state: "new" }, { path: "agents/look.md" }, { path: "IMPORT.md" }],
        check: { valid: true, diagnostics: [] },
        decisions: [{ file: "desk/agents.yaml", line: 1 }],
      },
    ]);
    expect(crews[0].mapped.length).toBeGreaterThan(4);
  });

  it("imports several crews of a project into folders of their own, or only those of a kind", () => {
    const cwd = writeCrew({
      ...files,
      "team.yaml": "agents: { root: { model: auto, instruction: Answer. } }\n",
      ".claude/agents/a.md": "---\nname: a\ndescription: Does a\n---\nDo a.\n",
    });
    expect(runBaton(["import", ".", "--to", "all"], { cwd }).exitCode).toBe(0);
    expect(readdirSync(join(cwd, "all")).sort()).toEqual(["claude", "desk", "team"]);
    const again = runBaton(["import", ".", "--to", "all"], { cwd });
    expect(again.stdout.match(/ unchanged\n/g)).toHaveLength(3);
    expect(again).toMatchObject({ exitCode: 0, stderr: "" });
    const only = runBaton(["import", ".", "--to", "one", "--from", "docker-agent"], { cwd }).stdout;
    expect(only).toContain("1 agent of Docker Agent: wrote one\n");
    const none = runBaton(["import", "desk", "--from", "autogen"], { cwd });
    expect(none.stderr).toContain("nothing of AutoGen is here; there are files of CrewAI");
    expect(none.exitCode).toBe(3);
  });

  it.each([
    ["a path that is not there", "nowhere", "nowhere does not exist"],
    ["a file that is no YAML", "bad.yaml", "bad.yaml:2:1"],
    ["a file of something else", "compose.yaml", "is a Docker Compose file"],
    ["a folder without agents", "empty", "nothing here can be imported"],
    ["a file that is not UTF-8", "latin.yaml", "is not valid UTF-8"],
  ])("refuses %s with its place and why", (_, path, why) => {
    const cwd = writeCrew({
      "bad.yaml": "a: [\n",
      "compose.yaml": "services: { web: { image: x } }\n",
      "empty/notes.txt": "x",
      "latin.yaml": new Uint8Array([0x61, 0x3a, 0x20, 0xe9, 0x0a]),
    });
    const { exitCode, stderr } = runBaton(["import", path], { cwd });
    expect(stderr).toContain(why);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(exitCode).toBe(3);
  });

  it("is named by the refusals of `check`", () => {
    const cwd = writeCrew(files);
    expect(runBaton(["check", "desk/tasks.yaml"], { cwd }).stdout).toContain(
      "is a file of CrewAI's tasks; 'baton import' writes a crew out of it",
    );
  });
});

function snapshot(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), "utf8")]),
  );
}
