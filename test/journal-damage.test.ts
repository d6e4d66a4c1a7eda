import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteStore } from "../src/journal/open-sqlite-store.ts";
import { completed, manyEvents, paused, takeRun } from "../src/testing/store-cases/case-tools.ts";
import { BatonError } from "../src/vocabulary/errors.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { type RunId, toRunId } from "../src/vocabulary/ids.ts";

/** A run that is over, one that is paused and one that was under way, of a few pages in all. */
const runs = ["run_done", "run_paused", "run_underway"].map(toRunId);
const events = new Map<RunId, readonly BatonEvent[]>(runs.map((runId) => [runId, eventsOf(runId)]));
/** How many events of the one under way were there when its row was written. */
const SEALED = 6;
const document = { spent: 12.5, words: "Kết Thúc ".repeat(40) };

let folder = "";
let file = "";
/** The file after all is closed, and the file and its log as a process leaves them that is killed. */
let whole: Buffer;
let killed: { readonly main: Buffer; readonly log: Buffer };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "baton-damage-"));
  file = join(folder, "damaged.sqlite");
  const original = join(folder, "journal.sqlite");
  const store = await openSqliteStore(original);
  for (const runId of runs) {
    const lease = await takeRun(store, runId);
    const written = events.get(runId) ?? [];
    await store.append(lease, written.slice(0, SEALED));
    for (const event of written.slice(SEALED)) await store.append(lease, [event]);
  }
  await store.put("day", "spent", document, 0);
  killed = { main: readFileSync(original), log: readFileSync(`${original}-wal`) };
  await store.close();
  whole = readFileSync(original);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("a journal that is damaged", () => {
  it("is read as it was while it is not", async () => {
    expect(await outcomeOf(whole)).toBe("intact");
    expect(await outcomeOf(killed.main, killed.log)).toBe("intact");
  });

  it("with a bit flipped anywhere, is refused or gives what was written", async () => {
    const outcomes = new Set<string>();
    for (const [index, at] of offsets(whole.length, 1500).entries())
      outcomes.add(await outcomeOf(flipped(whole, at, index % 8)));
    expect([...outcomes].filter((outcome) => !isGood(outcome))).toEqual([]);
    expect([...outcomes]).toEqual(expect.arrayContaining(["intact", "store-damaged", "store-not-ours"]));
  });

  it("with a page of zeros or of noise, is refused or gives what was written", async () => {
    const outcomes = new Set<string>();
    for (let page = 0; page < whole.length; page += 4096) {
      for (const fill of [0, 0xff, 0x41])
        outcomes.add(await outcomeOf(Buffer.from(whole).fill(fill, page, page + 4096)));
    }
    expect([...outcomes].filter((outcome) => !isGood(outcome))).toEqual([]);
  });

  it("with pages exchanged, is refused or gives what was written", async () => {
    const outcomes = new Set<string>();
    for (let page = 4096; page + 8192 <= whole.length; page += 4096) {
      const changed = Buffer.from(whole);
      whole.copy(changed, page, page + 4096, page + 8192);
      whole.copy(changed, page + 4096, page, page + 4096);
      outcomes.add(await outcomeOf(changed));
    }
    expect([...outcomes].filter((outcome) => !isGood(outcome))).toEqual([]);
  });

  it("that was cut off anywhere is refused", async () => {
    const outcomes = new Set<string>();
    for (const length of [...offsets(whole.length, 150), 0, 1, 99, 100, 4096, whole.length - 1])
      outcomes.add(await outcomeOf(whole.subarray(0, length)));
    expect([...outcomes].filter((outcome) => outcome !== "store-damaged" && outcome !== "store-not-ours")).toEqual([]);
  });

  it("with a bit flipped in its log, is refused or as it was at an earlier moment", async () => {
    const outcomes = new Set<string>();
    for (const [index, at] of offsets(killed.log.length, 300).entries())
      outcomes.add(await outcomeOf(killed.main, flipped(killed.log, at, index % 8)));
    expect([...outcomes].filter((outcome) => !isGood(outcome))).toEqual([]);
  });

  it("whose log was cut off anywhere is as it was at an earlier moment", async () => {
    const outcomes = new Set<string>();
    for (const length of offsets(killed.log.length, 150))
      outcomes.add(await outcomeOf(killed.main, killed.log.subarray(0, length)));
    expect([...outcomes].filter((outcome) => !isGood(outcome))).toEqual([]);
  });

  it("that is gone while its log is there is refused", async () => {
    rmSync(file, { force: true });
    writeFileSync(`${file}-wal`, killed.log);
    await expect(openSqliteStore(file)).rejects.toMatchObject({ code: "store-damaged" });
    expect(existsSync(file)).toBe(false);
    rmSync(`${file}-wal`);
  });

  it("with a table renamed or a key changed in an index, is refused", async () => {
    const places = ["number INTEGER PRIMARY", "TABLE events", "dayspent\r"].map((text) => {
      return flipped(whole, whole.lastIndexOf(text) + 5, 5);
    });
    for (const changed of places) expect(await outcomeOf(changed)).toBe("store-damaged");
  });

  it("says which event of which run is broken, and what is intact", async () => {
    const text = whole.toString("latin1").replaceAll("run_done answer 4", "run_done answer 5");
    put(Buffer.from(text, "latin1"));
    const store = await openSqliteStore(file);
    await expect(store.read(toRunId("run_done"))).rejects.toThrow(
      /event 4 of run 'run_done' does not match its checksum, the 4 before it are intact/,
    );
    expect(await store.read(toRunId("run_paused"))).toEqual(events.get(toRunId("run_paused")));
    await store.close();
  });
});

function eventsOf(runId: RunId): BatonEvent[] {
  const said = manyEvents(runId === "run_underway" ? 12 : 8, runId).map((event): BatonEvent => {
    if (event.type !== "agent.completed") return event;
    return { ...event, data: { ...event.data, answer: `${runId} ${event.data.answer} ${"words ".repeat(60)}` } };
  });
  if (runId === "run_done") return [...said, completed(8, runId)];
  return runId === "run_paused" ? [...said, paused(8, runId)] : said;
}

/** Spread over the whole length, never the same place within a page twice in a row. */
function offsets(length: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) =>
    Math.floor((index * length) / count + ((index * 7919) % (length / count))),
  );
}

function flipped(bytes: Buffer, at: number, bit: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ (1 << bit);
  return changed;
}

function put(main: Buffer, log?: Buffer): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
  writeFileSync(file, main);
  if (log !== undefined) writeFileSync(`${file}-wal`, log);
}

/** What somebody who needs everything in the file gets: a refusal's code, or how what is there differs from what was written. */
async function outcomeOf(main: Buffer, log?: Buffer): Promise<string> {
  put(main, log);
  let worst = "intact";
  const see = async (look: () => Promise<string>) => {
    try {
      const seen = await look();
      if (worst === "intact" || seen.startsWith("wrong")) worst = seen;
    } catch (error) {
      if (!(error instanceof BatonError)) throw error;
      if (!worst.startsWith("wrong")) worst = error.code;
    }
  };
  await see(async () => {
    const store = await openSqliteStore(file);
    for (const runId of runs) await see(async () => compare(runId, await store.read(runId), log !== undefined));
    await see(async () => compareDocument((await store.get("day", "spent"))?.value, log !== undefined));
    await see(async () => ((await store.list()).every(({ crew }) => crew === "quiz") ? "intact" : "wrong list"));
    await store.close();
    return worst;
  });
  return worst;
}

/**
 * Without its newest commits a journal is what it was before them. Of a run that was under way the newest events may be
 * gone, as if it had been killed before; of any other all must be there.
 */
function compare(runId: RunId, found: readonly BatonEvent[], hasLog: boolean): string {
  const written = events.get(runId) ?? [];
  const isSame = JSON.stringify(found) === JSON.stringify(written.slice(0, found.length));
  if (!isSame) return "wrong events";
  if (found.length === written.length) return "intact";
  const isEarlier = hasLog || (runId === "run_underway" && found.length >= SEALED);
  return isEarlier ? "earlier" : `wrong: ${found.length} of ${written.length} events of ${runId}`;
}

function compareDocument(found: unknown, hasLog: boolean): string {
  if (found === undefined) return hasLog ? "earlier" : "wrong: no document";
  return JSON.stringify(found) === JSON.stringify(document) ? "intact" : "wrong document";
}

function isGood(outcome: string): boolean {
  return outcome === "intact" || outcome === "earlier" || outcome.startsWith("store-");
}
