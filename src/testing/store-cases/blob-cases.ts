import assert from "node:assert/strict";
import { hashBytes } from "../../journal/blob-methods.ts";
import { toRunId } from "../../vocabulary/ids.ts";
import { run, type StoreCases, started, write } from "./case-tools.ts";

const bytes = Uint8Array.from([0, 255, 10, 13, 0, 137]);
const same = (found: Uint8Array | undefined, expected: Uint8Array) =>
  assert.ok(found !== undefined && Buffer.from(found).equals(expected));

export const blobCases: StoreCases = {
  "bytes are found by their hash": async ({ store }) => {
    assert.equal(await store.saveBlob(run, bytes), hashBytes(bytes));
    same(await store.readBlob(hashBytes(bytes)), bytes);
    assert.equal(await store.readBlob(hashBytes(Uint8Array.of(1))), undefined);
  },
  "empty bytes are bytes": async ({ store }) => {
    const hash = await store.saveBlob(run, new Uint8Array());
    same(await store.readBlob(hash), new Uint8Array());
  },
  "the same bytes are stored once, for every run that refers to them": async ({ store }) => {
    const other = toRunId("run_other");
    for (const each of [run, other, run]) await store.saveBlob(each, bytes);
    const second = await store.saveBlob(other, Uint8Array.of(7));
    assert.deepEqual(await store.listBlobs(run), [hashBytes(bytes)]);
    assert.deepEqual(await store.listBlobs(other), [hashBytes(bytes), second].sort());
    assert.deepEqual(await store.listBlobs(toRunId("run_none")), []);
  },
  "large bytes are stored, too, and another store in the same place reads them": async ({ store, open }) => {
    const large = new Uint8Array(3 * 2 ** 20).map((_, index) => index % 251);
    const hash = await store.saveBlob(run, large);
    same(await (await open()).readBlob(hash), large);
  },
  "bytes are removed with the last run that refers to them": async ({ store }) => {
    const other = toRunId("run_other");
    const large = new Uint8Array(2 ** 20 + 1);
    for (const each of [run, other]) {
      await store.release(await write(store, [started("hello", { runId: each })], each));
      for (const content of [bytes, large]) await store.saveBlob(each, content);
    }
    await store.remove(run);
    assert.deepEqual(await store.listBlobs(run), []);
    same(await store.readBlob(hashBytes(large)), large);
    await store.remove(other);
    for (const content of [bytes, large]) assert.equal(await store.readBlob(hashBytes(content)), undefined);
  },
  "bytes of a run that never began are removed with it": async ({ store }) => {
    const hash = await store.saveBlob(run, bytes);
    assert.equal(await store.remove(run), false);
    assert.equal(await store.readBlob(hash), undefined);
  },
  "what is not a hash names nothing": async ({ store }) => {
    for (const name of ["", "../journal.sqlite", "x".repeat(64), hashBytes(bytes).toUpperCase()])
      assert.equal(await store.readBlob(name), undefined);
  },
  "what happens to bytes after they were given is not stored": async ({ store }) => {
    const given = Uint8Array.of(1, 2, 3);
    const saved = store.saveBlob(run, given);
    given[0] = 9;
    same(await store.readBlob(await saved), Uint8Array.of(1, 2, 3));
  },
};
