import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toRunId } from "../vocabulary/ids.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "baton-memories-"));
  file = join(folder, "journal.sqlite");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a journal of format v5", () => {
  it("has memories and bytes", async () => {
    cpSync(fileURLToPath(new URL("../../test/fixtures/journal/v5.sqlite", import.meta.url)), file);
    const store = await openSqliteStore(file);
    const [found] = await store.recall({ scope: "user/ada", by: { terms: ["tea"] }, limit: 1 });
    expect(found).toMatchObject({ id: "mem_1", text: "Likes tea", tags: ["taste"] });
    const [hash = ""] = await store.listBlobs(toRunId("run_done"));
    expect(await store.readBlob(hash)).toEqual(Uint8Array.of(1, 2, 3));
    await store.close();
  });
});

describe("bytes of more than a megabyte", () => {
  const large = new Uint8Array(2 ** 20 + 1).fill(7);

  it("are a file beside the store's, for its owner only", async () => {
    const store = await openSqliteStore(file);
    const hash = await store.saveBlob(toRunId("run_1"), large);
    expect(readdirSync(join(folder, "blobs"))).toEqual([hash]);
    expect(statSync(join(folder, "blobs", hash)).mode & 0o777).toBe(0o600);
    await store.close();
  });

  it("that were changed are refused", async () => {
    const store = await openSqliteStore(file);
    const hash = await store.saveBlob(toRunId("run_1"), large);
    writeFileSync(join(folder, "blobs", hash), "other");
    await expect(store.readBlob(hash)).rejects.toMatchObject({ code: "store-damaged" });
    await store.close();
  });
});
