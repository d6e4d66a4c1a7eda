import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type BatonEvent,
  type CrewDefinition,
  defineCrew,
  defineTool,
  listExpired,
  type Model,
  openSqliteStore,
} from "../src/index.ts";
import { systemClock } from "../src/run/clock.ts";
import { runInTerminal } from "./in-terminal.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const HOUR = 3_600_000;
const limit = <After, Then>(after: After, then: Then) => ({ after, then });
const definition: CrewDefinition = {
  name: "desk",
  models: ["m/m"],
  agents: [{ id: "clerk", description: "asks", prompt: "Ask." }],
  settings: { pause_timeout: limit(2 * HOUR, { input: "nobody is there" }) },
  routing: { agent_behaviors: { clerk: { wait_for_signal: true } } },
};

/** A process of its own, so many hours later. */
async function openDesk(file: string, hoursLater: number, replies: readonly string[], change: object = {}) {
  const clock = { ...systemClock, now: () => Date.now() + hoursLater * HOUR };
  const store = await openSqliteStore(file, { clock });
  const told: string[] = [];
  const model: Model = {
    name: "m/m",
    call: async ({ messages }) => {
      told.push(messages().at(-1)?.text ?? "");
      return { text: replies[told.length - 1] ?? "", toolCalls: [], finish: "stop" };
    },
  };
  const models = { "m/m": model };
  return { crew: defineCrew({ ...definition, ...change }, { store, clock, models }), store, clock, told };
}

const newFile = () => join(mkdtempSync(join(tmpdir(), "baton-deadline-")), "journal.sqlite");

describe("a pause with a deadline", () => {
  it("says when it ends, takes an answer before that, and none after", async () => {
    const file = newFile();
    const first = await openDesk(file, 0, ["Which one?"]);
    const { runId, paused } = await first.crew.run("help");
    const [event] = (await first.store.read(runId)).slice(-1);
    expect(paused).toMatchObject({
      expiresAt: new Date((event?.ts ?? 0) + 2 * HOUR).toISOString(),
      onExpiry: { input: "nobody is there" },
    });
    await expect(first.crew.expire(runId).result).rejects.toMatchObject({ code: "not-expired" });
    expect(await listExpired(first.store)).toEqual([]);
    const later = await openDesk(file, 3, ["Then the left one?"]);
    const late = await later.crew.resume(runId, { input: "the right" }).result.catch((error: unknown) => error);
    expect(late).toMatchObject({
      code: "pause-expired",
      message: expect.stringContaining("so it is answered with 'nobody is there'; the answer is not used"),
    });
    expect(later.told).toEqual([]);
    expect(await listExpired(later.store, later.clock.now())).toMatchObject([{ runId }]);
    expect(await later.crew.expire(runId).result).toMatchObject({ status: "paused", path: ["clerk", "clerk"] });
    expect(later.told).toEqual(["nobody is there"]);
    const events = await later.store.read(runId);
    expect(events.find(({ type }) => type === "run.resumed")?.data).toEqual({
      input: "nobody is there",
      by: "deadline",
    });
    expect((await later.crew.replay(runId)).divergence).toBeUndefined();
    await expect(later.crew.expire(runId).result).rejects.toMatchObject({ code: "not-expired" });
    await Promise.all([first.store.close(), later.store.close()]);
  });

  it("is not answered in the deadline's name", async () => {
    const { crew, store } = await openDesk(newFile(), 0, ["Which one?"]);
    const { runId } = await crew.run("help");
    const forged = crew.resume(runId, { input: "x", decision: "fail", by: "deadline" }).result;
    await expect(forged).rejects.toMatchObject({ code: "bad-answer" });
    await store.close();
  });

  it("waits anew in a fork, and goes the fork's way where what the deadline said is changed", async () => {
    const file = newFile();
    const first = await openDesk(file, 0, ["Which one?"]);
    const { runId } = await first.crew.run("help");
    const at = (await first.store.read(runId)).length - 1;
    const later = await openDesk(file, 5, ["Right."], { settings: definition.settings });
    const fork = await later.crew.fork(runId, { at }).result;
    expect(fork).toMatchObject({ status: "paused" });
    expect(Date.parse(fork.paused?.expiresAt ?? "")).toBeGreaterThan(later.clock.now() + 1.9 * HOUR);
    expect((await later.crew.replay(fork.runId)).divergence).toBeUndefined();
    expect(await later.crew.resume(fork.runId, { input: "the right" }).result).toMatchObject({ status: "paused" });
    await later.crew.expire(runId).result;
    const other = await later.crew.fork(runId, { at: at + 1, input: "the left" }).result;
    const events = await later.store.read(other.runId);
    expect(events.find(({ type }) => type === "run.resumed")?.data).toEqual({ input: "the left" });
    expect((await later.crew.replay(other.runId)).divergence).toBeUndefined();
    await Promise.all([first.store.close(), later.store.close()]);
  });

  it("fails the run and all that is at work in it, and replays so", async () => {
    const file = newFile();
    const change = { settings: { pause_timeout: "2h" } };
    const first = await openDesk(file, 0, ["Which one?"], change);
    const { runId } = await first.crew.run("help");
    const later = await openDesk(file, 3, [], change);
    expect(await later.crew.expire(runId).result).toMatchObject({
      status: "failed",
      stopReason: "timeout",
      error: { code: "pause_timeout", agent: "clerk" },
    });
    expect((await later.crew.replay(runId)).divergence).toBeUndefined();
    await Promise.all([first.store.close(), later.store.close()]);
  });

  it("holds without a store, too", async () => {
    let hours = 0;
    const clock = { ...systemClock, now: () => Date.now() + hours * HOUR };
    const model: Model = { name: "m/m", call: async () => ({ text: "Which?", toolCalls: [], finish: "stop" }) };
    const crew = defineCrew(definition, { clock, models: { "m/m": model }, env: {} });
    const { runId } = await crew.run("help");
    hours = 3;
    await expect(crew.resume(runId, { input: "x" }).result).rejects.toMatchObject({ code: "pause-expired" });
    expect(await crew.expire(runId).result).toMatchObject({ status: "paused" });
  });
});

describe("a tool's pauseTimeout", () => {
  const make = (more: object) => defineTool({ name: "t", description: "t", execute: () => "", ...more });

  it("is a duration, or one with a decision that an approval takes", () => {
    expect(make({ needsApproval: true, pauseTimeout: "2h" }).pauseTimeout).toEqual({
      afterMs: 2 * HOUR,
      decision: "fail",
    });
    expect(make({ needs_approval: true, pause_timeout: limit(500, "approve") }).pauseTimeout).toEqual({
      afterMs: 500,
      decision: "approve",
    });
  });

  it.each([
    [{ pauseTimeout: "2h" }, "does not need approval"],
    [{ needsApproval: true, pauseTimeout: "soon" }, "is not a duration"],
    [{ needsApproval: true, pauseTimeout: limit("2h", "later") }, "'then' is \"later\": write approve, reject or fail"],
    [
      { needsApproval: true, pauseTimeout: limit("2h", { input: "x" } as never) },
      '\'then\' is {"input":"x"}: write approve, reject or fail',
    ],
    [{ needsApproval: true, pauseTimeout: "2h", pause_timeout: "2h" }, "both 'pauseTimeout' and 'pause_timeout'"],
  ])("is refused otherwise: %j", (more, says) => {
    expect(() => make(more)).toThrow(says);
  });
});

function writeDesk(after: string): string {
  return writeCrew({
    "package.json": "{}",
    "crew.yaml": `version: "2.0"
name: desk
agents: [boss, clerk]
routing:
  signals: { boss: [{ signal: "[SEND]", target: clerk }, { signal: "[DONE]" }] }
  agent_behaviors: { boss: { auto_route: false, pause_timeout: { after: ${after}, then: reject } } }
`,
    "agents/boss.md": "---\ndescription: decides\n---\n[SEND] or [DONE].\n",
    "agents/clerk.md": "---\ndescription: sends\n---\nSend.\n",
    "replies.yaml": 'boss: ["Off it goes [SEND]", "Then not. [DONE]"]\nclerk: [Sent.]\n',
  });
}

describe("the command line", () => {
  const home = () => mkdtempSync(join(tmpdir(), "baton-deadline-home-"));
  const options = ["--script", "replies.yaml"];

  it("says how long a pause waits, and applies its decision once that has passed", () => {
    const at = { cwd: writeDesk("1ms"), home: home() };
    const paused = runBaton(["run", ".", "go", ...options], at);
    expect(paused.exitCode).toBe(0);
    expect(paused.stderr).toMatch(/nobody answered until .*, so it is rejected/);
    expect(paused.stdout).toBe("Then not.\n");
  });

  it("lists when pauses end, and has nothing to do for those that wait on", () => {
    const at = { cwd: writeDesk("2h"), home: home() };
    const paused = runBaton(["run", ".", "go", ...options], at);
    expect(paused).toMatchObject({
      exitCode: 4,
      stderr: expect.stringMatching(/waits for an answer until .*, then it is rejected: baton resume/),
    });
    expect(runBaton(["runs"], at).stdout).toMatch(/‖ paused until /);
    expect(JSON.parse(runBaton(["runs", "--json"], at).stdout).runs).toMatchObject([{ onExpiry: "reject" }]);
    expect(runBaton(["show", "last"], at).stdout).toMatch(/It waits until .*, then it is rejected\./);
    expect(runBaton(["resume", "--expired"], at)).toMatchObject({
      exitCode: 0,
      stderr: "no paused run has passed its deadline\n",
    });
  });

  it("applies all deadlines that have passed, and goes on where one cannot be applied", async () => {
    const at = { cwd: writeDesk("2h"), home: home() };
    for (const _ of [1, 2]) runBaton(["run", ".", "go", ...options], at);
    const file = join(at.home, "journal.sqlite");
    await moveBack(file);
    expect(runBaton(["runs"], at).stdout).toContain("‖ paused, expired");
    const applied = runBaton(["resume", "--expired", ...options], at);
    expect(applied.exitCode).toBe(0);
    expect(applied.stdout).toMatch(/^run_\S+ reject: completed\nrun_\S+ reject: completed\n$/);
  });

  it("keeps what tools print out of what it prints itself", async () => {
    const at = { cwd: writeDesk("2h"), home: home() };
    const write = (path: string, text: string) => writeFileSync(join(at.cwd, path), text);
    write("agents/boss.md", "---\ndescription: decides\ntools: [look]\n---\n[SEND] or [DONE].\n");
    write("look.mjs", 'export const look = () => { console.log("a tool printed this"); return "dark"; };');
    write("crew.yaml", `${readFileSync(join(at.cwd, "crew.yaml"), "utf8")}tools: { look: ./look.mjs }\n`);
    write("replies.yaml", 'boss: ["Off it goes [SEND]", { tools: [{ name: look }] }, "Then not. [DONE]"]\n');
    expect(runBaton(["run", ".", "go", ...options], at).exitCode).toBe(4);
    await moveBack(join(at.home, "journal.sqlite"));
    const applied = runBaton(["resume", "--expired", "--json", ...options], at);
    expect(JSON.parse(applied.stdout)).toMatchObject({ expired: [{ decision: "reject", status: "completed" }] });
    expect(applied.stderr).toContain("a tool printed this\n");
  });

  it("tells whoever answers too late that the deadline has decided", async () => {
    const at = { cwd: writeDesk("2h"), home: home() };
    runBaton(["run", ".", "go", ...options], at);
    await moveBack(join(at.home, "journal.sqlite"));
    const late = runBaton(["resume", "last", "approve", ...options], at);
    expect(late).toMatchObject({ exitCode: 0, stdout: "Then not.\n" });
    expect(late.stderr).toMatch(/nobody answered until .*, so it is rejected; your answer is not used/);
  });

  it("stops asking at a terminal when the deadline passes", async () => {
    const cwd = writeDesk("3s");
    const { exitCode, written } = await runInTerminal(["run", ".", "go", ...options], {
      cwd,
      env: { BATON_HOME: home() },
    });
    expect(exitCode).toBe(0);
    expect(written).toContain("so it is rejected");
    expect(written).toContain("Then not.");
  });

  it("wants either a run or --expired", () => {
    expect(runBaton(["resume"]).exitCode).toBe(2);
    expect(runBaton(["resume", "last", "--expired"]).exitCode).toBe(2);
  });
});

/** Copies all runs of a store with the times that they would have if they had been made three hours earlier. */
async function moveBack(file: string): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  const store = await openSqliteStore(file);
  const runs = await Promise.all((await store.list()).map(({ runId }) => store.read(runId)));
  const crews = await store.documents("crew");
  await store.close();
  new DatabaseSync(file).exec("DELETE FROM events; DELETE FROM runs; DELETE FROM documents");
  const earlier = await openSqliteStore(file);
  for (const { key, value } of crews) await earlier.put("crew", key, value, 0);
  for (const events of runs) {
    const [first] = events;
    if (first === undefined) continue;
    const lease = await earlier.take(first.runId, "test", 1000);
    await earlier.append(lease, events.map(threeHoursEarlier));
    await earlier.release(lease);
  }
  await earlier.close();
}

function threeHoursEarlier(event: BatonEvent): BatonEvent {
  const moved = { ...event, ts: event.ts - 3 * HOUR };
  if (moved.type !== "run.paused" || moved.data.expiresAt === undefined) return moved;
  const expiresAt = new Date(Date.parse(moved.data.expiresAt) - 3 * HOUR).toISOString();
  return { ...moved, data: { ...moved.data, expiresAt } };
}
