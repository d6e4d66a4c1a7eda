import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventOf, run, said, started, takeRun, write } from "../testing/store-cases/case-tools.ts";
import { toRunId } from "../vocabulary/ids.ts";
import { takeOutTexts } from "./large-texts.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "baton-texts-"));
  file = join(folder, "journal.sqlite");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Words that do not repeat. */
function wordsOf(chars: number): string {
  let text = "";
  let number = 1;
  while (text.length < chars) {
    number = Math.imul(number, 1_664_525) + 1_013_904_223;
    text += `${(number >>> 0).toString(36)} `;
  }
  return text.slice(0, chars);
}

function charsKept(): number {
  const database = new DatabaseSync(file, { readOnly: true });
  const sum =
    "SELECT (SELECT sum(length(text)) FROM events) + coalesce((SELECT sum(length(text)) FROM texts), 0) AS sum";
  const chars = Number(database.prepare(sum).get()?.["sum"]);
  database.close();
  return chars;
}

describe("a large text", () => {
  const answer = wordsOf(1_000_000);

  it("has 32,768 characters; a shorter one stays in its event, however large that is", () => {
    const countPieces = (...texts: string[]) => takeOutTexts(JSON.stringify({ texts })).pieces.length;
    expect(countPieces(wordsOf(32_768))).toBeGreaterThan(0);
    expect(countPieces(wordsOf(32_767), wordsOf(32_767))).toBe(0);
  });

  it("is read as it was, and kept once though its run says it five times, framed and without its signal", async () => {
    const events = [
      started(answer),
      eventOf(1, "agent.started", { input: answer }),
      said(2, `${answer} [DONE]`),
      eventOf(3, "agent.started", { input: `## MESSAGE FROM AGENT\n\n${answer}\n\n## END` }),
      eventOf(4, "parallel.joined", {
        group: "g",
        outcomes: [
          { member: "a", status: "completed", text: answer.slice(1000) },
          { member: "b", status: "completed", text: "short" },
        ],
        output: answer,
      }),
    ];
    const store = await openSqliteStore(file);
    await write(store, events);
    expect(await store.read(run)).toEqual(events);
    expect(await store.read(run, 3)).toEqual(events.slice(3));
    expect((await store.list())[0]).toMatchObject({ events: 5, input: answer.slice(0, 200) });
    await store.close();
    expect(charsKept()).toBeLessThan(1.6 * answer.length);
    const again = await openSqliteStore(file);
    expect(await again.read(run)).toEqual(events);
    await again.close();
  });

  it("may be of one character, of half characters and of zeros, or look like what is kept of one", async () => {
    const texts = ["x".repeat(300_000), "\ud83d".repeat(70_000), "🙂".repeat(90_001), "a\0b".repeat(50_000)];
    const odd = JSON.stringify([{ data: "" }, [[["data"], "hash"]]]).repeat(2000);
    const events = [started(), ...[...texts, odd].map((text, index) => said(index + 1, text))];
    const args = Object.fromEntries([
      ["__proto__", texts[0]],
      ["list", [[], [texts[2], { text: texts[3] }]]],
    ]);
    events.push(eventOf(events.length, "tool.called", { tool: "t", args }));
    const store = await openSqliteStore(file);
    await write(store, events);
    expect(JSON.stringify(await store.read(run))).toBe(JSON.stringify(events));
    await store.close();
  });

  it("is kept for each run by itself", async () => {
    const store = await openSqliteStore(file);
    const other = toRunId("run_other");
    await write(store, [started(answer)]);
    await store.append(await takeRun(store, other), [started(answer, { runId: other })]);
    const database = new DatabaseSync(file);
    database.exec("DELETE FROM texts WHERE run = 1");
    database.close();
    await expect(store.read(run)).rejects.toMatchObject({
      code: "store-damaged",
      message: expect.stringContaining("event 0 of run 'run_0123456789abcdef0123' has lost a part of its text"),
    });
    expect(await store.read(other)).toHaveLength(1);
    await store.close();
  });

  it("that was changed in the file is refused", async () => {
    const store = await openSqliteStore(file);
    await write(store, [started(answer), said(1)]);
    const database = new DatabaseSync(file);
    database.exec("UPDATE texts SET text = replace(text, 'a', 'b') WHERE rowid = 2");
    database.close();
    await expect(store.read(run)).rejects.toMatchObject({ code: "store-damaged" });
    expect(await store.read(run, 1)).toHaveLength(1);
    await store.close();
  });
});
