import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { defineCrew, type Model, openSqliteStore, type Store } from "../src/index.ts";

afterEach(() => void vi.useRealTimers());

/** A run whose model takes its time, and a second process that would like to have the run. */
async function beginSlowly(other: (store: Store) => Store = (store) => store) {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  const file = join(mkdtempSync(join(tmpdir(), "baton-lease-")), "journal.sqlite");
  const [first, second] = [await openSqliteStore(file), await openSqliteStore(file)];
  let answer: () => void = () => {};
  let isStopped = false;
  const model: Model = {
    name: "m/m",
    call: ({ signal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => {
          isStopped = true;
          reject(signal.reason);
        });
        answer = () => resolve({ text: "done", toolCalls: [], finish: "stop" });
      }),
  };
  const models = { "m/m": model };
  const crew = defineCrew(
    { name: "slow", models: ["m/m"], agents: [{ id: "a", description: "a", prompt: "Work." }] },
    { store: other(first), models },
  );
  const running = crew.run("go");
  const findRun = async () => (await second.list())[0];
  while ((await findRun())?.isOwned !== true) await turn();
  const run = await findRun();
  if (run === undefined) throw new Error("the run has begun");
  const { runId } = run;
  /** Lets so many seconds pass, and what is to be done in them be done. */
  const pass = async (seconds: number) => {
    for (let half = 0; half < 2 * seconds; half++) {
      vi.advanceTimersByTime(500);
      for (let turns = 0; turns < 5; turns++) await turn();
    }
  };
  const close = async () => {
    await Promise.all([first.close(), second.close()]);
  };
  return { running, second, runId, pass, answer: () => answer(), isStopped: () => isStopped, close };
}

describe("a run that takes longer than its lease", () => {
  it("stays with its process, which renews the lease as long as it lives", async () => {
    const { running, second, runId, pass, answer, close } = await beginSlowly();
    await pass(36);
    await expect(second.take(runId, "thief", 1000)).rejects.toMatchObject({ code: "run-owned" });
    answer();
    expect(await running).toMatchObject({ status: "completed", output: "done" });
    await close();
  });

  it("stops where the lease cannot be renewed, since another process has taken the run", async () => {
    // A process that sleeps renews nothing.
    let isAsleep = true;
    const asleep = (store: Store): Store => ({
      ...store,
      renew: (...args) => (isAsleep ? Promise.resolve() : store.renew(...args)),
    });
    const { running, second, runId, pass, isStopped, close } = await beginSlowly(asleep);
    const ended = running.catch((error: unknown) => error);
    await pass(12);
    await second.take(runId, "other", 60_000);
    isAsleep = false;
    await pass(4);
    // Its model is still at work, for which nobody should pay.
    expect(isStopped()).toBe(true);
    expect(await ended).toMatchObject({
      code: "stale-owner",
      message: `another process has taken run '${runId}', because this one did not renew its lease of 10 s in time (it was suspended, or very busy). This process has stopped working on the run, and the other one continues it: baton show ${runId}`,
    });
    await close();
  });
});
