import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "vitest";
import { storeContract } from "../testing/store-contract.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

storeContract({ describe, it }, "the store in SQLite", async () => {
  const folder = mkdtempSync(join(tmpdir(), "baton-journal-"));
  const file = join(folder, "journal.sqlite");
  return {
    open: (clock) => openSqliteStore(file, { clock }),
    remove: async () => rmSync(folder, { recursive: true }),
  };
});
