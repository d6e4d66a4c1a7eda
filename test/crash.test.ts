import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proveScenario } from "../proof/crash.ts";
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
    ["within crews within crews", "multi-crew/pause-two-deep", [9], 3],
    ["with tools that are called at once, and a sub-agent", "tools-and-sub-agents", [9], 3],
    ["again after they went on, in an agent that was transferred to", "crash/once-in-a-line", [9, Infinity], 9],
    ["again after they went on, between approvals in branches", "crash/approved-in-a-branch", [17, Infinity], 6],
  ])("come to the same end in another process: %s", { timeout: 60_000 }, async (_, name, strides, least) => {
    const file = fileURLToPath(new URL(`./scenarios/${name}.scenario.yaml`, import.meta.url));
    const points = await proveScenario(file, { program, strides });
    expect(points.length).toBeGreaterThanOrEqual(least);
    expect(points.filter(({ problems }) => problems.length > 0)).toEqual([]);
  });
});

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
  const models = { variables: {}, custom: new Map([["m/m", { name: "m/m", call }]]) };
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
      expect(await crewOf(later, calls).recover(kept.runId)).toMatchObject({
        status: "completed",
        path: ["a", "b", "c"],
      });
      await later.close();
    }
  });
});
