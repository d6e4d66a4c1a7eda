import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CrashPoint, proveDeaths, proveScenario } from "../proof/crash.ts";
import { filePlaces } from "../proof/places.ts";
import { bundleProgram } from "../proof/start-child.ts";
import { BatonError, defineCrew, type Model, openSqliteStore, type Store } from "../src/index.ts";

describe("runs that are killed (`npm run proof:crash` kills many more, at every write)", () => {
  const folder = mkdtempSync(join(tmpdir(), "baton-crash-"));
  let program = "";
  beforeAll(async () => {
    program = await bundleProgram(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ["within crews within crews", "multi-crew/pause-two-deep", [{ at: 4, when: "after" }], "truth", 0],
    // Whether this write is durable when the process dies, and so whether the run asks, is a race.
    ["while tools are called at once", "tools-and-sub-agents", [{ at: 5, when: "in" }], "truth", expect.any(Number)],
    ["and again while a call is made again", "crash/once-in-a-line", bothBefore(4, 5), "not_happened", 2],
    ["and again at another call", "crash/once-in-a-line", bothBefore(4, 7), "happened", 2],
    ["and again while a function is called", "crash/once-in-functions", bothBefore(4, 4), "happened", 1],
    ["and again among items of a list", "crash/items-of-a-list", bothBefore(6, 8), "truth", expect.any(Number)],
    ["and again between approvals in branches", "crash/approved-in-a-branch", bothBefore(10, 4), "truth", 3],
  ] as const)("go on in another process: %s", async (_, name, deaths, answering, decisions) => {
    const file = fileURLToPath(new URL(`./scenarios/${name}.scenario.yaml`, import.meta.url));
    const point = await proveDeaths(file, deaths, answering, program);
    expect(point).toMatchObject({ decisions, problems: [] });
  });

  // Some fifty points, on a machine that may be busy.
  it("are killed before, in and after every write of the first and of the second process", {
    timeout: 240_000,
  }, async () => {
    const points: CrashPoint[] = [];
    const onPoint = (point: CrashPoint) => void points.push(point);
    const file = fileURLToPath(new URL("./scenarios/external/stays-paused.scenario.yaml", import.meta.url));
    await proveScenario(file, { program, places: filePlaces, seed: 1, thirds: 2, atOnce: 2, onPoint });
    expect(points.filter(({ problems }) => problems.length > 0)).toEqual([]);
    for (const [process, least] of [
      [1, 6],
      [2, 5],
    ] as const) {
      const deaths = points.flatMap((point) => (point.deaths.length === process ? point.deaths.slice(-1) : []));
      const writes = new Set(deaths.map(({ at }) => at));
      expect(writes.size).toBeGreaterThanOrEqual(least);
      for (let at = 0; at < writes.size; at++) {
        const whens = deaths.filter((death) => death.at === at).map(({ when }) => when);
        expect([...new Set(whens)].sort()).toEqual(["after", "before", "in"]);
      }
    }
    expect(points.filter(({ deaths }) => deaths.length === 3)).toHaveLength(2);
  });
});

function bothBefore(first: number, second: number) {
  return [
    { at: first, when: "before" },
    { at: second, when: "before" },
  ] as const;
}

/** A store of which one write, or every write from there on, fails as on a full disk. */
function failing(store: Store, at: number, isForGood: boolean): Store {
  let writes = 0;
  const write = async <Value>(act: () => Promise<Value>): Promise<Value> => {
    const number = writes++;
    if (number === at || (isForGood && number > at)) throw new BatonError("store-full", "the disk is full");
    return act();
  };
  return {
    ...store,
    take: (...args) => write(() => store.take(...args)),
    append: (...args) => write(() => store.append(...args)),
    put: (...args) => write(() => store.put(...args)),
  };
}

function crewOf(store: Store, calls: string[]) {
  const call: Model["call"] = async ({ agent }) => {
    calls.push(agent);
    return { text: `${agent} was here`, toolCalls: [], finish: "stop" };
  };
  const agents = ["a", "b", "c"].map((id) => ({ id, description: id, prompt: "Work." }));
  const models = { "m/m": { name: "m/m", call } };
  return defineCrew({ name: "row", models: ["m/m"], agents }, { store, models });
}

describe("a run whose store fails", () => {
  it.each([
    ["once", false],
    ["for good", true],
  ])("at any write, %s, says so, calls nothing that it could not record, and goes on later", async (_, isForGood) => {
    for (let at = 0; at < 8; at++) {
      const file = join(mkdtempSync(join(tmpdir(), "baton-full-")), "journal.sqlite");
      const store = await openSqliteStore(file);
      const calls: string[] = [];
      const outcome = await crewOf(failing(store, at, isForGood), calls)
        .run("go")
        .then(
          ({ status }) => status,
          (error: BatonError) => error.code,
        );
      expect(["completed", "store-full"]).toContain(outcome);
      const [kept] = await store.list();
      const events = kept === undefined ? [] : await store.read(kept.runId);
      // Whatever was called is on record as being called.
      expect(events.filter(({ type }) => type === "model.called").length).toBeGreaterThanOrEqual(calls.length);
      await store.close();
      if (kept === undefined || kept.status !== "running") continue;
      const later = await openSqliteStore(file, { clock: { now: () => Date.now() + 60_000 } });
      expect(await crewOf(later, calls).recover(kept.runId).result).toMatchObject({
        status: "completed",
        path: ["a", "b", "c"],
      });
      await later.close();
    }
  });
});
