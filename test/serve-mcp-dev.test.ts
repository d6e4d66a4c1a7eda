import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Told } from "./mcp-clients.ts";
import { textOf } from "./mcp-clients.ts";
import { packageCommand } from "./package-command.ts";
import { writeCrew } from "./write-crew.ts";

const helper = "---\nid: helper\ndescription: helps\nmodels: [openai/gpt-5]\n---\nHelp. [DONE]";
const files = {
  "baton.yaml": "",
  "good/crew.yaml": `version: "2.0"
name: good
description: Helps
agents: [helper]
routing: { signals: { helper: [{ signal: "[DONE]", target: "" }] } }
`,
  "good/agents/helper.md": helper,
  "good/help.scenario.yaml": `name: it helps\nrun: .\ninput: x\nscript: { helper: ["Yes. [DONE]"] }\nexpect: { status: completed }\n`,
  "good/fails.scenario.yaml": `name: it fails\nrun: .\ninput: x\nscript: { helper: ["Yes. [DONE]"] }\nexpect: { status: failed }\n`,
  "bad/crew.yaml": `version: "2.0"\nname: bad\nagents: [helper, nobody]\n`,
  "bad/agents/helper.md": helper,
  "replies.yaml": `helper: ["Yes. [DONE]"]\n`,
};

let client: Client;
beforeEach(async () => {
  const cwd = writeCrew(files);
  client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  const args = [packageCommand(), "mcp", "--dev", "good", "bad", "--script", "replies.yaml"];
  const env = { ...process.env, BATON_HOME: process.env["BATON_TESTS_HOME"] } as Record<string, string>;
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd, env, stderr: "ignore" }));
});
afterEach(() => client.close());

const call = async (name: string, given: Record<string, unknown>) =>
  (await client.callTool({ name, arguments: given })) as unknown as Told & {
    structuredContent: Record<string, unknown>;
  };

it("a coding assistant checks, draws, plans and tests crews, also those that cannot run yet", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    ...["good", "get_run", "cancel_run", "resume_run"],
    ...["check_crew", "graph_crew", "plan_crew", "test_crew", "list_runs", "show_run", "diagnose_run"],
  ]);
  expect((await call("check_crew", { path: "good" })).structuredContent).toMatchObject({ valid: true });
  const bad = await call("check_crew", { path: "bad" });
  expect(bad.structuredContent).toMatchObject({ valid: false, diagnostics: [{ code: "missing-agent-file" }] });
  expect(textOf(bad)).toMatch(/bad\/crew\.yaml:3:\d+ error missing-agent-file[\s\S]*\^/);
  expect(textOf(await call("graph_crew", { path: "good" }))).toContain("helper");
  const broken = await call("graph_crew", { path: "bad" });
  expect([broken.isError, textOf(broken)]).toEqual([true, expect.stringContaining("missing-agent-file")]);
  expect((await call("plan_crew", { path: "good" })).structuredContent).toMatchObject({
    worst: { modelCalls: expect.anything() },
  });
  const played = await call("test_crew", { path: "good", coverage: true });
  expect(played.structuredContent).toMatchObject({ passed: 1, failed: 1 });
  expect(textOf(played)).toMatch(/✗ it fails[\s\S]*1 passed, 1 failed$/);
});

it("a coding assistant looks at runs, and reads no file outside the folder", async () => {
  const { runId } = (await call("good", { input: "x" })).structuredContent;
  expect((await call("list_runs", { status: "completed" })).structuredContent).toMatchObject({
    runs: [{ runId, crew: "good" }],
  });
  expect((await call("show_run", { runId })).structuredContent).toMatchObject({ status: "completed", output: "Yes." });
  for (const view of ["transcript", "tree", "cost"])
    expect((await call("show_run", { runId, view })).isError).toBeUndefined();
  const { events, next } = (await call("show_run", { runId, view: "events", limit: 2 })).structuredContent;
  expect([events, next]).toMatchObject([[{ seq: 0 }, { seq: 1 }], 2]);
  expect((await call("diagnose_run", { runId })).structuredContent).toMatchObject({ findings: expect.any(Array) });
  for (const path of ["..", "/etc", "good/../.."])
    expect(textOf(await call("check_crew", { path }))).toContain("not inside the folder");
  expect(textOf(await call("show_run", { runId: "run_0" }))).toContain("unknown-run");
});

it("a coding assistant reads the reference, and is told how to write a crew", async () => {
  const { resources } = await client.listResources();
  const uris = resources.map(({ uri }) => uri);
  for (const page of ["docs/crews.md", "docs/reference/agent.md", "docs/mcp-server.md"])
    expect(uris).toContain(`baton://${page}`);
  const { contents } = await client.readResource({ uri: "baton://docs/reference/crew.md" });
  expect(contents).toMatchObject([{ mimeType: "text/markdown", text: expect.stringContaining("entry_point") }]);
  expect((await client.listPrompts()).prompts).toMatchObject([{ name: "write_crew", title: "Write a crew" }]);
  const { messages } = await client.getPrompt({ name: "write_crew", arguments: { task: "answer mails" } });
  expect(JSON.stringify(messages)).toContain("answer mails");
  expect(messages[1]?.content).toMatchObject({ type: "resource", resource: { uri: "baton://docs/crews.md" } });
});
