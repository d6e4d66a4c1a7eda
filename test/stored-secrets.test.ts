import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defineCrew, type Model, type ModelReply } from "../src/index.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const secret = "ghp_".padEnd(40, "aB3d");
const password = "correct7horse9battery";
const files = {
  "project/package.json": "{}",
  "project/desk/crew.yaml": `version: "2.0"
name: desk
description: its token is ${secret}
agents: [a]
mcp_servers: { test: { command: node, args: [none.mjs], env: { API_TOKEN: ${secret} } } }
routing: { agent_behaviors: { a: { wait_for_signal: true } } }
`,
  "project/desk/agents/a.md": `---\ndescription: d\n---\nWork with ${secret}. Be {{tone}}, and {{db_password}}.`,
  "project/replies.yaml": "a: [What now?, Done.]",
};

function desk(crew: Readonly<Record<string, string>> = files) {
  const folder = writeCrew(crew);
  const [cwd, home] = [join(folder, "project"), join(folder, "home")];
  const baton = (...args: string[]) => runBaton(args, { cwd, home });
  const stored = () => readdirSync(home).map((name) => readFileSync(join(home, name), "latin1"));
  return { cwd, baton, stored };
}

const script = ["--script", "replies.yaml"];

describe("what is stored of a crew and its variables", () => {
  it("has no secret that stands in the crew's files or is given by --var, and the run goes on all the same", () => {
    const { cwd, baton, stored } = desk();
    const vars = ["--var", `tone=${secret}`, "--var", `db_password=${password}`];
    expect(baton("run", "desk", "Go", ...vars, ...script).exitCode).toBe(4);
    expect(stored().join()).toContain("its token is [REDACTED");
    expect(stored().filter((text) => text.includes(secret) || text.includes(password))).toEqual([]);
    // Another secret is no change that a copy could show.
    const file = join(cwd, "desk/crew.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(secret, "ghp_".padEnd(40, "Zy8x")));
    expect(baton("resume", "last", "on", ...script)).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining("Done.\n"),
    });
    expect(baton("replay", "last").exitCode).toBe(0);
    expect(stored().filter((text) => text.includes(secret) || text.includes(password))).toEqual([]);
  });

  it("says of a changed crew what else has changed", () => {
    const { cwd, baton } = desk();
    expect(baton("run", "desk", "Go", ...script).exitCode).toBe(4);
    const file = join(cwd, "desk/crew.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("name: desk", "name: office"));
    const { stderr } = baton("resume", "last", "on", ...script);
    expect(stderr).toContain("  name has changed\n");
    expect(stderr).not.toMatch(/description has|prompt has|API_TOKEN has/);
  });

  it("starts no server from a copy that lacks its secret, and says so", () => {
    const used = { ...files, "project/desk/agents/a.md": "---\ndescription: d\ntools: [test__echo]\n---\nWork." };
    const server = new URL("mcp-server.ts", import.meta.url).pathname;
    const { cwd, baton } = desk({
      ...used,
      "project/desk/crew.yaml": used["project/desk/crew.yaml"].replace("none.mjs", `${server}, log`),
    });
    expect(baton("run", "desk", "Go", "--yes", ...script).exitCode).toBe(4);
    rmSync(join(cwd, "desk"), { recursive: true });
    const refused = baton("resume", "last", "on", "--yes", ...script);
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toContain("MCP server 'test' needs a secret that the stored copy of the crew does not have");
    expect(baton("show", "last").stdout).toContain("paused");
  });

  it("has no secret that a fork says in another input, reply or answer, unless the crew wants them left in", () => {
    const forks = [
      ["--at", "0", "--input", `Go with ${secret}`],
      ["--at", "3", "--reply", `What about ${secret}?`],
      ["--at", "6", "--input", `on with ${secret}`],
    ];
    const storedAfterForks = (crew: Readonly<Record<string, string>>) => {
      const { baton, stored } = desk(crew);
      const runId = JSON.parse(baton("run", "desk", "Go", "--json", ...script).stdout).runId as string;
      expect(baton("resume", runId, "on", ...script).exitCode).toBe(4);
      for (const change of forks) expect(baton("fork", runId, ...change, ...script).exitCode).toBe(4);
      return stored().join();
    };
    const redacted = storedAfterForks(files);
    expect(redacted).not.toContain(secret);
    for (const words of ["Go with", "What about", "on with"]) expect(redacted).toContain(`${words} [REDACTED`);
    const config = files["project/desk/crew.yaml"];
    const open = storedAfterForks({ ...files, "project/desk/crew.yaml": `${config}settings: { redact: false }\n` });
    for (const words of ["Go with", "What about", "on with"]) expect(open).toContain(`${words} ${secret}`);
  });

  it("is what everybody sees: the model is told the variable as it is stored", async () => {
    let system = "";
    const model: Model = {
      name: "m/m",
      call: (request) => {
        system = request.system;
        return { text: "Done.", toolCalls: [], finish: "stop" };
      },
    };
    const run = (redact: boolean) =>
      defineCrew(
        {
          name: "desk",
          models: ["m/m"],
          agents: [{ id: "a", description: "d", prompt: "Be {{tone}} with {{db_password}}." }],
          settings: { redact },
        },
        {
          variables: { tone: secret, db_password: password },
          models: { "m/m": model },
          env: {},
        },
      ).run("Go");
    await run(true);
    expect(system).toContain("Be [REDACTED:GitHub token] with [REDACTED:password].");
    await run(false);
    expect(system).toContain(`Be ${secret} with ${password}.`);
  });
});

describe("a model in code", () => {
  const large = "x".repeat(32 * 2 ** 20 + 1);
  const nothing: ModelReply = { text: "", toolCalls: [], finish: "stop" };
  it.each<[string, Model["call"]]>([
    ["at once", () => ({ ...nothing, text: large })],
    ["as thoughts", () => ({ ...nothing, text: "Done.", reasoning: large })],
    ["in a call", () => ({ ...nothing, toolCalls: [{ name: "x", args: { large } }], finish: "tool-calls" })],
    [
      "piece by piece",
      (request) => {
        request.onText("It is ");
        request.onText(large);
        return { ...nothing, text: "Done." };
      },
    ],
  ])("may answer no more than one on a wire, %s", async (_, call) => {
    const crew = defineCrew(
      { name: "desk", models: ["m/m"], agents: [{ id: "a", description: "d", prompt: "Work." }] },
      { models: { "m/m": { name: "m/m", call } }, env: {} },
    );
    expect(await crew.run("Go")).toMatchObject({
      status: "failed",
      error: { code: "model_failed", message: expect.stringContaining("the answer has more than 32 MB") },
    });
  });
});
