import type { Store } from "../journal/store.ts";
import { appendCases } from "./store-cases/append-cases.ts";
import { blobCases } from "./store-cases/blob-cases.ts";
import { createTestClock, type StoreCases, type TestClock } from "./store-cases/case-tools.ts";
import { documentCases } from "./store-cases/document-cases.ts";
import { handoffCases } from "./store-cases/handoff-cases.ts";
import { leaseCases } from "./store-cases/lease-cases.ts";
import { listCases } from "./store-cases/list-cases.ts";
import { memoryCases } from "./store-cases/memory-cases.ts";
import { removalCases } from "./store-cases/removal-cases.ts";
import { sharingCases } from "./store-cases/sharing-cases.ts";
import { tailCases } from "./store-cases/tail-cases.ts";

/** What runs the cases: that of vitest, of node:test or of any like them. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}

/** Somewhere empty to keep runs in. */
export interface StorePlace {
  /** Opens it; several stores may be open at once. The store takes its time from the clock. */
  open(clock: Pick<TestClock, "now">): Promise<Store>;
  /** Called after each case, with all its stores closed. */
  remove(): Promise<void>;
}

const groups: Readonly<Record<string, StoreCases>> = {
  events: appendCases,
  leases: leaseCases,
  "lists of runs": listCases,
  "following a run": tailCases,
  documents: documentCases,
  handoffs: handoffCases,
  "removal, and documents with events": removalCases,
  memory: memoryCases,
  blobs: blobCases,
  "several stores in one place, and closing": sharingCases,
};

/** What any store must do, each case in a new place. */
export function storeContract(runner: TestRunner, name: string, createPlace: () => Promise<StorePlace>): void {
  runner.describe(`${name} keeps the contract of a store`, () => {
    for (const [about, cases] of Object.entries(groups)) {
      runner.describe(about, () => {
        for (const [title, run] of Object.entries(cases)) {
          runner.it(title, async () => {
            const place = await createPlace();
            const clock = createTestClock();
            const opened: Store[] = [];
            const open = async () => {
              const store = await place.open(clock);
              opened.push(store);
              return store;
            };
            try {
              await run({ store: await open(), open, clock });
            } finally {
              for (const store of opened) await store.close();
              await place.remove();
            }
          });
        }
      });
    }
  });
}
