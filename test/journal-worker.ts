/**
 * A process that writes to a journal and prints a line for each event once it was told that the event is durable:
 * `journal-worker.ts <file> <run> <owner> <events> <lease in ms>`. It takes the run again as often as it loses it.
 */

import { openSqliteStore } from "../src/journal/open-sqlite-store.ts";
import type { Lease } from "../src/journal/store.ts";
import { said, started } from "../src/testing/store-cases/case-tools.ts";
import { BatonError } from "../src/vocabulary/errors.ts";
import { toRunId } from "../src/vocabulary/ids.ts";

const [, , file = "", run = "", owner = "", events = "0", leaseMs = "0"] = process.argv;
const runId = toRunId(run);
const store = await openSqliteStore(file);
let written = 0;
while (written < Number(events)) {
  try {
    const lease = await store.take(runId, owner, Number(leaseMs));
    await writeOn(lease, (await store.read(runId)).length);
  } catch (error) {
    const isLost = error instanceof BatonError && ["run-owned", "stale-owner"].includes(error.code);
    if (!isLost) throw error;
  }
}
await store.close();

async function writeOn(lease: Lease, from: number): Promise<void> {
  for (let seq = from; written < Number(events); seq++) {
    await store.append(lease, [seq === 0 ? started(owner, { runId }) : said(seq, owner, runId)]);
    process.stdout.write(`${seq}\n`);
    written++;
  }
}
