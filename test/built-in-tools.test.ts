import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkCrew, loadCrew, openSqliteStore, script } from "../src/index.ts";
import { callTools, crewWith } from "./call-tools.ts";
import { writeCrew } from "./write-crew.ts";

const files = ["files__read", "files__list", "files__grep", "files__glob"];
const writing = [...files, "files__write", "files__edit"];

describe("tools for files", () => {
  const docs = { "docs/a.md": "one\ntwo [TWO]\n", "docs/sub/b.ts": "const two = 2;\n", "docs/.env": "KEY=1" };

  it("read, list, search and find below their folder", async () => {
    const folder = crewWith("{ files: { builtin: files, root: ./docs } }", files, docs);
    const { given } = await callTools(folder, [
      { name: "files__read", args: { path: "a.md", offset: 2 } },
      { name: "files__list", args: {} },
      { name: "files__grep", args: { pattern: "TWO", ignore_case: true } },
      { name: "files__glob", args: { pattern: "**/*.ts" } },
    ]);
    expect(given).toEqual([
      "     2\ttwo [TWO]",
      "a.md\nsub/",
      "a.md:2:two [TWO]\nsub/b.ts:1:const two = 2;",
      "sub/b.ts",
    ]);
  });

  it("write and edit whole files where they may", async () => {
    const folder = crewWith("{ files: { builtin: files, root: ./docs, write: true } }", writing, docs);
    const { given } = await callTools(folder, [
      { name: "files__write", args: { path: "new/c.txt", content: "x x" } },
      { name: "files__edit", args: { path: "new/c.txt", old: "x", new: "y" } },
      { name: "files__edit", args: { path: "new/c.txt", old: "x", new: "y", all: true } },
      { name: "files__edit", args: { path: "new/c.txt", old: "z", new: "y" } },
    ]);
    expect(given[1]).toContain("has the text 2 times");
    expect(given[3]).toContain("does not have the text");
    expect(readFileSync(join(folder, "docs/new/c.txt"), "utf8")).toBe("y y");
  });

  it.each([
    ["above the folder", "../crew.yaml"],
    ["an absolute path", "/etc/hostname"],
    ["a link out of it", "link/crew.yaml"],
    ["a link to a file", "out"],
    ["a file of secrets", ".env"],
    ["a NUL", "a\0.md"],
  ])("refuse %s", async (_, path) => {
    const folder = crewWith("{ files: { builtin: files, root: ./docs, write: true } }", writing, docs);
    symlinkSync(folder, join(folder, "docs/link"));
    symlinkSync(join(folder, "crew.yaml"), join(folder, "docs/out"));
    const before = readFileSync(join(folder, "crew.yaml"), "utf8");
    const { given } = await callTools(folder, [
      { name: "files__read", args: { path } },
      { name: "files__write", args: { path, content: "stolen" } },
      { name: "files__edit", args: { path, old: "version", new: "stolen" } },
      { name: "files__list", args: { path } },
      { name: "files__grep", args: { pattern: "version", path } },
    ]);
    for (const each of given) expect(each).toMatch(/^error: /);
    expect(readFileSync(join(folder, "crew.yaml"), "utf8")).toBe(before);
  });

  it("keep out of version control and of the store", async () => {
    const folder = crewWith("{ files: { builtin: files, write: true } }", writing);
    mkdirSync(join(folder, ".baton"));
    writeFileSync(join(folder, ".baton/journal.sqlite"), "runs");
    mkdirSync(join(folder, ".git"));
    const { given } = await callTools(folder, [
      { name: "files__read", args: { path: ".baton/journal.sqlite" } },
      { name: "files__write", args: { path: ".git/hooks/pre-commit", content: "#!/bin/sh" } },
    ]);
    for (const each of given) expect(each).toMatch(/^error: /);
    expect(existsSync(join(folder, ".git/hooks"))).toBe(false);
  });

  it("are not there to write without 'write: true'", () => {
    const folder = crewWith("{ files: { builtin: files } }", ["files__write"]);
    const [problem] = checkCrew(folder).diagnostics.filter(({ severity }) => severity === "error");
    expect(problem).toMatchObject({ code: "unknown-tool", message: expect.stringContaining("write: true") });
  });

  it("refuse what is too large, and patterns that could take for ever", async () => {
    const tools = "{ files: { builtin: files, root: ./docs, max_file_kb: 1, write: true } }";
    const folder = crewWith(tools, writing, { "docs/large.txt": "x".repeat(2000) });
    const { given } = await callTools(folder, [
      { name: "files__read", args: { path: "large.txt" } },
      { name: "files__write", args: { path: "b.txt", content: "x".repeat(2000) } },
      { name: "files__grep", args: { pattern: "(x)\\1" } },
      { name: "files__glob", args: { pattern: "*".repeat(501) } },
    ]);
    for (const each of given) expect(each).toMatch(/^error: /);
  });
});

describe("the tool for programs", () => {
  const tools =
    "{ shell: { builtin: shell, programs: [node, sleep], approval: false, timeout: 2s, max_output_chars: 100 } }";
  const node = (code: string) => ({ name: "shell__run", args: { program: "node", args: ["-e", code] } });

  it("runs a program with arguments that no shell reads", async () => {
    const args = { program: "node", args: ["-p", "process.argv[1]", "$(id); *"] };
    const { given } = await callTools(crewWith(tools, ["shell__run"]), [{ name: "shell__run", args }]);
    expect(given).toEqual(["[exit code 0]\n$(id); *"]);
  });

  it("gives it no variables but the usual ones", async () => {
    const { given } = await callTools(crewWith(tools, ["shell__run"]), [node("console.log(process.env.MY_API_KEY)")], {
      MY_API_KEY: "s3cr3t-v4lue-0f-k3y",
    });
    expect(given).toEqual(["[exit code 0]\nundefined"]);
  });

  it("refuses other programs, folders and shells", async () => {
    const { given } = await callTools(crewWith(tools, ["shell__run"]), [
      { name: "shell__run", args: { program: "sh", args: ["-c", "id"] } },
      { name: "shell__run", args: { program: "node", folder: ".." } },
      { name: "shell__run", args: { program: "/usr/bin/node" } },
      { name: "shell__run", args: { command: "id" } },
    ]);
    for (const each of given) expect(each).toMatch(/^error: /);
  });

  it("bounds output and time", async () => {
    const { given } = await callTools(crewWith(tools, ["shell__run"]), [
      node("console.log('x'.repeat(5000)); process.exit(3)"),
      node("setInterval(() => {}, 1000)"),
    ]);
    expect(given[0]).toMatch(/^\[exit code 3\]\nx{50}\n\[4901 characters left out\]\nx/);
    expect(given[1]).toContain("it was ended after 2 s");
  });

  it("waits for approval unless the crew says otherwise", async () => {
    const folder = crewWith("{ shell: { builtin: shell, programs: [node] } }", ["shell__run"]);
    const { result } = await callTools(folder, [node("1")]);
    expect(result.paused).toMatchObject({ reason: "approval", tool: "shell__run" });
  });
});

describe("the plan of a run", () => {
  const names = ["todo__write", "todo__read"];
  const item = { text: "look", status: "in_progress" };

  it("is written, read and journalled", async () => {
    const { given, events } = await callTools(crewWith("{ todo: { builtin: todo } }", names), [
      { name: "todo__read", args: {} },
      { name: "todo__write", args: { items: [item] } },
      { name: "todo__read", args: {} },
      { name: "todo__write", args: { items: [{ text: "x", status: "soon" }] } },
    ]);
    expect(given.slice(0, 3)).toEqual(["there is no plan yet", "[~] look", "[~] look"]);
    expect(given[3]).toMatch(/^error: 'status' must be one of/);
    expect(events.filter(({ type }) => type === "todo.set").map(({ data }) => data)).toEqual([{ items: [item] }]);
  });

  it("is the same in a replay", async () => {
    const folder = crewWith("{ todo: { builtin: todo } }", names);
    const replies = script({ clerk: [{ tools: [{ name: "todo__write", args: { items: [item] } }] }, "Done."] });
    const store = await openSqliteStore(join(folder, "j.sqlite"));
    const crew = await loadCrew(folder, { script: replies, store });
    const { runId } = await crew.run("Go");
    expect((await crew.replay(runId)).divergence).toBeUndefined();
    await store.close();
  });
});

describe("tools that a product names", () => {
  const agent = "---\nname: helper\ndescription: helps\ntools: Read, Bash(git:*), WebFetch, Task\n---\nHelp.";

  it("are those that the caller allows", () => {
    const folder = writeCrew({ ".claude/agents/helper.md": agent, "package.json": "{}" });
    const path = join(folder, ".claude/agents");
    const { crew, diagnostics } = checkCrew(path, { allow: "files:.,shell:git", workingDirectory: folder });
    expect(crew?.agents.get("helper")?.tools).toEqual(["files__read", "shell__run"]);
    expect(diagnostics.map(({ message }) => message).join()).toContain("'WebFetch', 'Task'");
  });

  it("are those of the crew that lists the agent", () => {
    const folder = crewWith("{ docs: { builtin: files, write: true } }", ["Read", "edit"]);
    expect(checkCrew(folder).crew?.agents.get("clerk")?.tools).toEqual(["docs__read", "docs__edit", "docs__write"]);
  });

  it("leave the project only where nobody allows it", () => {
    const folder = writeCrew({ ".claude/agents/helper.md": agent, "package.json": "{}" });
    const { diagnostics } = checkCrew(join(folder, ".claude/agents"), {
      allow: "files:/etc",
      workingDirectory: folder,
    });
    expect(diagnostics.map(({ code }) => code)).toContain("outside-root");
    expect(() => checkCrew(join(folder, ".claude/agents"), { allow: "everything", workingDirectory: folder })).toThrow(
      "'everything' cannot be allowed",
    );
  });
});
