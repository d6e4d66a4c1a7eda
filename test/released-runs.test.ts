import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { defineCrew, defineTool, type Model, openSqliteStore } from "../src/index.ts";
import { HANG_UP, runInTerminal } from "./in-terminal.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const bin = fileURLToPath(new URL("../bin/baton.js", import.meta.url));

const untilSignal = 'for (const name of ["SIGTERM", "SIGHUP"]) process.once(name, () => setTimeout(done, 50));';

/** A crew whose only tool pays after its process is told to end, or never, and notes in a file when it begins and when it is done. */
function payingCrew({ pays }: { readonly pays: boolean }): string {
  return writeCrew({
    "package.json": "{}",
    "crew.yaml": 'version: "2.0"\nname: desk\nagents: [clerk]\ntools: { pay: ./pay.mjs#pay }\n',
    "agents/clerk.md": "---\ndescription: d\ntools: [pay]\n---\nPay.\n",
    "pay.mjs": `import { appendFileSync } from "node:fs";
const note = (text) => appendFileSync(new URL("./paid.txt", import.meta.url), text + "\\n");
export const pay = async () => {
  note("begun");
  await new Promise((done) => { ${pays ? untilSignal : "setTimeout(done, 600_000);"} });
  note("paid");
  return "receipt 7";
};
`,
    "replies.yaml": "clerk: [{ tools: [{ name: pay, args: {} }] }, It is paid.]\n",
  });
}

/** Runs the crew in a process of its own, and sends the signal as soon as the tool is at work. */
async function endWhilePaying(cwd: string, signal: NodeJS.Signals, more: readonly string[] = []) {
  const home = mkdtempSync(join(tmpdir(), "baton-released-"));
  const args = [bin, "run", ".", "go", "--script", "replies.yaml", "--verbose", ...more];
  const env = { ...process.env, NO_COLOR: "1", BATON_HOME: home };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const ended = new Promise<number | null>((done) => child.on("close", done));
  await expect.poll(() => readPaid(cwd), { interval: 10 }).toEqual(["begun"]);
  child.kill(signal);
  const exitCode = await ended;
  const runId = /baton resume (run_\S+)/.exec(stderr)?.[1] ?? "";
  const resume = (...words: string[]) =>
    runBaton(["resume", runId, ...words, "--script", "replies.yaml"], { cwd, home });
  return { exitCode, stderr, resume };
}

function readPaid(cwd: string): string[] {
  try {
    return readFileSync(join(cwd, "paid.txt"), "utf8").trim().split("\n");
  } catch {
    return [];
  }
}

describe("a process that is told to end", () => {
  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)(
    "by %s lets a tool under way finish, and leaves the run to the next process at once",
    async (signal, code) => {
      const cwd = payingCrew({ pays: true });
      const { exitCode, stderr, resume } = await endWhilePaying(cwd, signal);
      expect(exitCode).toBe(code);
      expect(stderr).toContain("stopping: the turn under way has 10 s to finish");
      expect(stderr).toMatch(/stopped before its end: continue the run with baton resume run_/);
      expect(readPaid(cwd)).toEqual(["begun", "paid"]);
      const resumed = resume();
      expect(resumed).toMatchObject({ exitCode: 0, stdout: "It is paid.\n" });
      expect(readPaid(cwd)).toEqual(["begun", "paid"]);
    },
  );

  it("lets a tool finish, too, where its terminal is closed", async () => {
    const cwd = payingCrew({ pays: true });
    const home = mkdtempSync(join(tmpdir(), "baton-closed-"));
    const args = ["run", ".", "go", "--script", "replies.yaml"];
    const keys = [[" pay  ", HANG_UP]] as const;
    expect(await runInTerminal(args, { cwd, keys, env: { BATON_HOME: home } })).toMatchObject({ exitCode: 129 });
    expect(readPaid(cwd)).toEqual(["begun", "paid"]);
    expect(runBaton(["resume", "last"], { cwd, home })).toMatchObject({ exitCode: 0, stdout: "It is paid.\n" });
  });

  it("leaves it open whether a tool happened that takes longer than the grace", async () => {
    const cwd = payingCrew({ pays: false });
    const { exitCode, resume } = await endWhilePaying(cwd, "SIGTERM", ["--grace", "50"]);
    expect(exitCode).toBe(143);
    const asked = resume();
    expect(asked).toMatchObject({ exitCode: 4 });
    expect(asked.stderr).toContain("Did it happen?");
    expect(resume("happened")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(
        'write the result of the call: happened <result>; if it returned nothing: happened ""',
      ),
    });
    expect(resume("happened", "receipt 8")).toMatchObject({ exitCode: 0, stdout: "It is paid.\n" });
  });

  it("says where nothing is kept that the run is lost", async () => {
    const { exitCode, stderr } = await endWhilePaying(payingCrew({ pays: false }), "SIGTERM", [
      "--no-journal",
      "--grace",
      "50",
    ]);
    expect(exitCode).toBe(143);
    expect(stderr).toContain("is lost, since --no-journal stores nothing of it");
  });
});

/** A crew in code whose tool works until it is told to be done, or given up. */
async function openDesk(
  replies: readonly (Reply | Promise<Reply>)[],
  file = join(mkdtempSync(join(tmpdir(), "baton-desk-")), "j.sqlite"),
) {
  const store = await openSqliteStore(file);
  const calls: string[] = [];
  let finish: (result: string) => void = () => {};
  let aborted: unknown;
  const rest = [...replies];
  const model: Model = {
    name: "m/m",
    call: async ({ agent }) => {
      calls.push(agent);
      return rest.shift() ?? { text: "ready", toolCalls: [], finish: "stop" };
    },
  };
  const work = defineTool({
    name: "work",
    description: "works",
    execute: (_, { signal }) =>
      new Promise((resolve) => {
        calls.push("work");
        finish = resolve;
        signal.addEventListener("abort", () => {
          aborted = signal.reason;
        });
      }),
  });
  const agents = ["a", "b"].map((id) => ({ id, description: id, prompt: "Work.", tools: ["work"] }));
  const crew = defineCrew(
    { name: "desk", models: ["m/m"], agents, tools: [work] },
    { store, models: { "m/m": model }, env: {} },
  );
  return { crew, store, file, calls, finish: (result: string) => finish(result), abortReason: () => aborted };
}

type Reply = Awaited<ReturnType<Model["call"]>>;
const callsTool: Reply = { text: "", toolCalls: [{ name: "work", args: {} }], finish: "tool-calls" };

describe("the turn under way", () => {
  it.each([
    ["when the crew is closed", "running"],
    ["when the run is told to stop", "cancelled"],
  ] as const)("is finished with the tool calls that its reply asks for, and no other begins, %s", async (_, status) => {
    const turn = Promise.withResolvers<Reply>();
    const { crew, store, calls, finish, file } = await openDesk([turn.promise]);
    const stop = new AbortController();
    const running = crew.run("go", { stop: stop.signal });
    await expect.poll(() => calls).toEqual(["a"]);
    const closing = status === "running" ? crew.close() : stop.abort();
    turn.resolve(callsTool);
    await expect.poll(() => calls).toEqual(["a", "work"]);
    finish("done");
    await closing;
    const result = await running;
    expect(result).toMatchObject({ status });
    expect(calls).toEqual(["a", "work"]);
    const events = await store.read(result.runId);
    expect(events.filter(({ type }) => type.startsWith("tool.")).map(({ type }) => type)).toEqual([
      "tool.called",
      "tool.completed",
    ]);
    await store.close();
    if (status === "cancelled") return;
    const next = await openDesk([], file);
    expect(await next.crew.recover(result.runId).result).toMatchObject({ status: "completed", path: ["a", "b"] });
    expect(next.calls).toEqual(["a", "b"]);
    await next.store.close();
  });
});

describe("closing a crew", () => {
  it("lets calls under way finish, begins no others, and gives the runs up", async () => {
    const { crew, store, calls, finish, file } = await openDesk([callsTool]);
    const running = crew.run("go");
    await expect.poll(() => calls).toEqual(["a", "work"]);
    const closing = crew.close();
    finish("done");
    await closing;
    const result = await running;
    expect(result).toMatchObject({ status: "running", stopReason: undefined });
    expect(calls).toEqual(["a", "work"]);
    expect((await store.read(result.runId)).at(-1)).toMatchObject({ type: "tool.completed", data: { result: "done" } });
    await expect(crew.run("again")).rejects.toMatchObject({ code: "crew-closed" });
    await expect(crew.recover(result.runId).result).rejects.toMatchObject({ code: "crew-closed" });
    await store.close();
    const next = await openDesk([], file);
    expect(await next.crew.recover(result.runId).result).toMatchObject({ status: "completed", path: ["a", "b"] });
    expect((await next.crew.replay(result.runId)).divergence).toBeUndefined();
    expect(next.calls).toEqual(["a", "b"]);
    await next.store.close();
  });

  it("gives up calls that take longer than the grace, records nothing of them, and asks about them later", async () => {
    const { crew, store, calls, finish, abortReason, file } = await openDesk([callsTool]);
    const running = crew.run("go");
    await expect.poll(() => calls).toEqual(["a", "work"]);
    await crew.close({ graceMs: 1 });
    const { runId, status } = await running;
    expect(status).toBe("running");
    expect(abortReason()).toMatchObject({ message: "the run has left this process" });
    finish("too late");
    const types = (await store.read(runId)).map(({ type }) => type);
    expect(types.at(-1)).toBe("tool.called");
    await store.close();
    const next = await openDesk([], file);
    expect(await next.crew.recover(runId).result).toMatchObject({ paused: { reason: "ambiguous" } });
    await next.store.close();
  });

  it("is not needed for one run: a signal releases it, and the same handle continues it", async () => {
    const { crew, calls, finish, store } = await openDesk([
      callsTool,
      { text: "", toolCalls: [{ name: "work", args: {} }], finish: "tool-calls" },
    ]);
    const release = new AbortController();
    const running = crew.run("go", { release: release.signal });
    await expect.poll(() => calls).toEqual(["a", "work"]);
    release.abort();
    finish("done");
    const { status, runId } = await running;
    expect(status).toBe("running");
    // The same handle still takes runs up: only this one was released.
    const recovered = crew.recover(runId).result;
    await expect.poll(() => calls).toEqual(["a", "work", "a", "work"]);
    finish("done");
    expect(await recovered).toMatchObject({ status: "completed" });
    await store.close();
  });
});

describe("baton resume --wait", () => {
  it("takes the run when its process has ended, instead of refusing", async () => {
    const cwd = payingCrew({ pays: false });
    const home = mkdtempSync(join(tmpdir(), "baton-waiting-"));
    const env = { ...process.env, NO_COLOR: "1", BATON_HOME: home };
    const start = (...args: string[]) => spawn(process.execPath, [bin, ...args], { cwd, env, stdio: "pipe" });
    const first = start("run", ".", "go", "--script", "replies.yaml", "--grace", "50");
    await expect.poll(() => readPaid(cwd), { interval: 10 }).toEqual(["begun"]);
    expect(runBaton(["resume", "last"], { cwd, home })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(
        "is being run already, by another process or another call. Wait for it with --wait",
      ),
    });
    const second = start("resume", "last", "--wait", "--script", "replies.yaml");
    let stderr = "";
    second.stderr.on("data", (chunk) => {
      stderr += String(chunk);
    });
    const exitCode = new Promise((done) => second.on("close", done));
    first.kill("SIGTERM");
    expect(await exitCode).toBe(4);
    expect(stderr).toContain("Did it happen?");
  });
});

describe("an answer to a run that asks nothing", () => {
  it("is refused, and the run stays as it is", async () => {
    const cwd = payingCrew({ pays: false });
    const { resume } = await endWhilePaying(cwd, "SIGTERM", ["--grace", "50"]);
    const refused = resume("approve");
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toMatch(
      /is running and does not wait for an answer; continue it without an answer first: baton resume run_/,
    );
    expect(resume().stderr).toContain("Did it happen?");
  });
});
