import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { run, said, started, takeRun } from "../testing/store-cases/case-tools.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

it("reads provider metadata that an early journal calls 'carried'", async () => {
  const metadata = { model: "m", reasoning: [{ text: "hm", marks: { p: { signature: "x" } } }], calls: [] };
  const reply = { model: "m", text: "hello", toolCalls: [], finish: "stop" };
  const early = { ...said(1), type: "model.completed", data: { ...reply, carried: metadata } } as unknown as BatonEvent;
  const folder = mkdtempSync(join(tmpdir(), "baton-early-"));
  const written = await openSqliteStore(join(folder, "journal.sqlite"));
  await written.append(await takeRun(written), [started(), early]);
  await written.close();

  const store = await openSqliteStore(join(folder, "journal.sqlite"));
  expect((await store.read(run)).at(-1)?.data).toEqual({ ...reply, providerMetadata: metadata });
  await store.close();
  rmSync(folder, { recursive: true });
});
