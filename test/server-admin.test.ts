import { describe, expect, it } from "vitest";
import { openMemoryStore } from "../src/index.ts";
import { json, openServer, tokenLine } from "./open-server.ts";

const waiting = { prefer: "wait=30" };

describe("the files of a crew", () => {
  it("are listed, read, and written by whoever knows them as they are", async () => {
    const { ask } = await openServer();
    const list = await (await ask("/v1/crews/desk/files")).json();
    expect(list).toEqual({ files: ["agents/billing.md", "agents/triage.md", "baton.yaml", "crew.yaml"] });
    const read = await ask("/v1/crews/desk/files/agents/billing.md");
    const [text, etag] = [await read.text(), read.headers.get("etag") ?? ""];
    const write = (given: string, headers: Record<string, string> = {}) =>
      ask("/v1/crews/desk/files/agents/billing.md", { method: "PUT", body: { text: given }, headers });
    expect((await write("x")).status).toBe(412);
    expect((await write("x", { "if-match": '"other"' })).status).toBe(412);
    const written = await write(text.replace("Bill.", "Bill well."), { "if-match": etag });
    expect([written.status, await written.json()]).toMatchObject([200, { diagnostics: expect.any(Array) }]);
    expect(await (await ask("/v1/crews/desk/files/agents/billing.md")).text()).toContain("Bill well.");
    for (const path of [".baton/journal.sqlite", "../x.md", "a.sh", "agents/none.md", "node_modules/a.md"])
      expect([400, 404]).toContain((await ask(`/v1/crews/desk/files/${path}`)).status);
  });

  it("that are not stored are checked, and no folder of the server is told", async () => {
    const { ask } = await openServer();
    const files = { "crew.yaml": 'version: "2.0"\nname: x\nagents: [a, b]\n', "agents/a.md": "Answer." };
    const text = await (await ask("/v1/check", { body: { files } })).text();
    expect(JSON.parse(text).diagnostics).toContainEqual(expect.objectContaining({ code: "missing-agent-file" }));
    expect(text).not.toContain("/tmp/");
    expect((await ask("/v1/check", { body: { files: { "../x.md": "Answer." } } })).status).toBe(400);
  });

  it("that are scenarios are played", async () => {
    const { ask } = await openServer();
    const scenario = 'name: pays\nrun: ..\ninput: x\nscript: { triage: ["a [BILLING]"], billing: ["b [DONE]"] }\n';
    const text = `${scenario}expect: { status: completed }\n`;
    const written = await ask("/v1/crews/desk/files/tests/pays.scenario.yaml", { method: "PUT", body: { text } });
    expect(written.status).toBe(200);
    const played = await (await ask("/v1/test", { body: { crew: "desk" } })).json();
    expect(played).toMatchObject({ passed: 1, failed: 0, scenarios: [{ name: "pays" }] });
  });
});

it("a run becomes a scenario, and shows the requests of its calls", async () => {
  const { ask } = await openServer();
  const { runId } = await json(await ask("/v1/crews/desk/runs", { body: { input: "x" }, headers: waiting }));
  const { scenario } = (await (await ask(`/v1/runs/${runId}/scenario`, { method: "POST" })).json()) as Record<
    string,
    string
  >;
  expect(scenario).toContain("input: x");
  const { events } = (await (await ask(`/v1/runs/${runId}/events`)).json()) as {
    readonly events: readonly { readonly seq: number; readonly type: string }[];
  };
  const called = events.findLast(({ type }) => type === "model.called");
  const request = await (await ask(`/v1/runs/${runId}/calls/${called?.seq}`)).json();
  expect(request).toMatchObject({ agent: "billing", system: expect.stringContaining("Bill.") });
});

it("runs are counted by day, crew and agent, with what a diagnosis finds in them", async () => {
  const { ask } = await openServer({ tokens: tokenLine("reader", "scopes: [read]") });
  for (const input of ["x", "y"]) await ask("/v1/crews/desk/runs", { body: { input }, headers: waiting });
  const ended = { runs: 2, statuses: { completed: 2 }, ms: { p50: expect.any(Number) } };
  const handoffs = [{ from: "triage", to: "billing", via: "signal", handoffs: 2 }];
  const day = new Date().toISOString().slice(0, 10);
  const stats = async (query: string, token?: string) => (await ask(query, { token: token ?? "bt_operator" })).json();
  expect(await stats("/v1/stats?by=day")).toMatchObject({
    groups: [{ ...ended, day, crew: "desk", calls: 4, handoffs, findings: {} }],
    runs: 2,
    isCut: false,
  });
  expect(await stats("/v1/crews/desk/stats?by=agent", "reader")).toMatchObject({
    groups: [
      { crew: "desk", agent: "billing", runs: 2, calls: 2, handoffs: [] },
      { crew: "desk", agent: "triage", runs: 2, calls: 2, handoffs },
    ],
  });
  expect(await stats("/v1/stats?by=crew&crew=other")).toEqual({ groups: [], runs: 0, isCut: false });
  expect((await ask("/v1/stats", { token: "reader" })).status).toBe(403);
  expect(await stats("/v1/crews/desk/stats", "reader")).toHaveProperty("paths");
});

it("a scenario that is not stored is played as its file would be", async () => {
  const { ask } = await openServer();
  const scenario = (output: string) =>
    `run: .\ninput: x\nscript: { triage: ["A. [BILLING]"], billing: ["Five. [DONE]"] }\nexpect: { output: ${output} }\n`;
  const test = async (body: object) => (await ask("/v1/test", { body: { crew: "desk", ...body } })).json();
  expect(await test({ scenario: scenario("Five.") })).toMatchObject({ passed: 1, failed: 0 });
  expect(await test({ scenario: scenario("Six.") })).toMatchObject({
    failed: 1,
    scenarios: [{ file: "posted.scenario.yaml", problems: [expect.stringContaining("Six.")] }],
  });
  expect(await test({ scenario: "run: [" })).toMatchObject({ failed: 1 });
  for (const crew of ["../elsewhere", "/etc", "agents/../../.."])
    expect(await test({ scenario: scenario("Five.").replace("run: .", `run: ${crew}`) })).toMatchObject({
      status: 400,
      code: "outside-root",
    });
  const code = 'files: { crew.yaml: "name: x", tools/a.js: "x" }\ninput: x\n';
  expect(await test({ scenario: code })).toMatchObject({ status: 400 });
  expect((await ask("/v1/test", { body: { crew: "desk", scenario: "x", path: "../x.scenario.yaml" } })).status).toBe(
    400,
  );
  expect(await test({})).toMatchObject({ passed: 0, failed: 0 });
});

describe("schedules in baton.yaml", () => {
  const files = (keys: string, cron = "* * * * * *") => ({
    "baton.yaml": `schedules:\n  - { name: often, crew: a, cron: "${cron}", input: "the time", user: anna${keys} }\n`,
    "agents/a.md": "---\nid: a\nmodels: [openai/x]\n---\nAnswer.",
  });

  it("start runs at their times, once for all servers on a store", async () => {
    const store = openMemoryStore();
    const given = { store, files: files(""), replies: { a: ["one"] } };
    const first = await openServer({ ...given, files: { ...files(""), "crew.yaml": crewOf() } });
    await openServer({ ...given, folder: first.folder });
    await expect.poll(async () => (await store.list()).length, { timeout: 20_000 }).toBeGreaterThan(1);
    const runs = await store.list();
    const started = await Promise.all(runs.map(async ({ runId }) => (await store.read(runId))[0]?.data));
    expect(started[0]).toMatchObject({ by: "schedule:often", user: "anna", input: "the time" });
    const seconds = runs.map(({ startedAt }) => Math.round(startedAt / 1000));
    expect(new Set(seconds).size).toBe(seconds.length);
  });

  it("make up for what they missed by one run, if they are to", async () => {
    for (const [keys, count] of [
      [", catch_up: true", 1],
      ["", 0],
    ] as const) {
      const store = openMemoryStore();
      await store.put("schedule", "often", { at: Date.now() - 3 * 86_400_000 }, 0);
      await openServer({
        store,
        files: { ...files(keys, "0 0 1 1 *"), "crew.yaml": crewOf() },
        replies: { a: ["one"] },
      });
      expect(await store.list()).toHaveLength(isNewYear() ? count : 0);
      await store.put("schedule", "often", { at: Date.now() - 400 * 86_400_000 }, 1);
      await openServer({
        store,
        files: { ...files(keys, "0 0 1 1 *"), "crew.yaml": crewOf() },
        replies: { a: ["one"] },
      });
      expect(await store.list()).toHaveLength(count);
    }
  });

  it("that cannot be read are refused at the start", async () => {
    const wrong = { ...files("", "61 * * * *"), "crew.yaml": crewOf() };
    await expect(openServer({ files: wrong, replies: { a: ["one"] } })).rejects.toThrow("schedule 'often'");
  });
});

function crewOf(): string {
  return 'version: "2.0"\nname: a\nagents: [a]\n';
}

/** Whether a new year began within the last three days. */
function isNewYear(): boolean {
  const now = new Date();
  return now.getUTCMonth() === 0 && now.getUTCDate() <= 3;
}
