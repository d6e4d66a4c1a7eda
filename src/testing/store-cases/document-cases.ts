import assert from "node:assert/strict";
import { refuses, type StoreCases } from "./case-tools.ts";

export const documentCases: StoreCases = {
  "a document that was never written is absent": async ({ store }) => {
    assert.equal(await store.get("crew", "quiz"), undefined);
    assert.deepEqual(await store.documents("crew"), []);
  },
  "a document is given as it was written": async ({ store }) => {
    const value = { agents: ["teacher"], n: 1.5, text: "Kết\0\ud800", no: null };
    assert.equal(await store.put("crew", "quiz", value, 0), true);
    assert.deepEqual(await store.get("crew", "quiz"), { key: "quiz", value, version: 1 });
  },
  "any JSON value is a document": async ({ store }) => {
    for (const [index, value] of [null, false, 0, "", [], {}].entries()) {
      await store.put("any", `${index}`, value, 0);
      assert.deepEqual((await store.get("any", `${index}`))?.value, value);
    }
  },
  "what is not JSON is refused": async ({ store }) => {
    for (const value of [undefined, 1n, () => 1]) await refuses("bad-document", store.put("crew", "quiz", value, 0));
    assert.equal(await store.get("crew", "quiz"), undefined);
  },
  "a document is replaced by whoever knows its version": async ({ store }) => {
    await store.put("day", "spent", 1, 0);
    assert.equal(await store.put("day", "spent", 2, 1), true);
    assert.deepEqual(await store.get("day", "spent"), { key: "spent", value: 2, version: 2 });
  },
  "a document is not replaced by whoever knows an old version": async ({ store }) => {
    await store.put("day", "spent", 1, 0);
    await store.put("day", "spent", 2, 1);
    for (const version of [0, 1, 3]) assert.equal(await store.put("day", "spent", 9, version), false);
    assert.deepEqual(await store.get("day", "spent"), { key: "spent", value: 2, version: 2 });
  },
  "a document that is absent has no version but 0": async ({ store }) => {
    assert.equal(await store.put("day", "spent", 1, 1), false);
    assert.equal(await store.get("day", "spent"), undefined);
  },
  "of two who write at once, one does": async ({ store }) => {
    await store.put("day", "spent", 0, 0);
    const written = await Promise.all([store.put("day", "spent", 1, 1), store.put("day", "spent", 2, 1)]);
    assert.deepEqual(written, [true, false]);
    assert.equal((await store.get("day", "spent"))?.value, 1);
  },
  "counting by compare and set loses nothing": async ({ store }) => {
    const add = async (): Promise<void> => {
      const before = await store.get("day", "calls");
      const value = Number(before?.value ?? 0) + 1;
      if (!(await store.put("day", "calls", value, before?.version ?? 0))) await add();
    };
    await Promise.all(Array.from({ length: 20 }, add));
    assert.deepEqual(await store.get("day", "calls"), { key: "calls", value: 20, version: 20 });
  },
  "kinds do not mix": async ({ store }) => {
    await store.put("a", "key", 1, 0);
    await store.put("b", "key", 2, 0);
    assert.deepEqual([(await store.get("a", "key"))?.value, (await store.get("b", "key"))?.value], [1, 2]);
    assert.equal((await store.documents("a")).length, 1);
  },
  "kinds are those of which there is a document": async ({ store }) => {
    assert.deepEqual(await store.kinds(), []);
    for (const kind of ["b", "a", "c", "a"]) await store.put(kind, kind, 1, 0);
    await store.drop("c", "c");
    assert.deepEqual(await store.kinds(), ["a", "b"]);
  },
  "the documents of a kind come in the order of their keys": async ({ store }) => {
    for (const key of ["b", "a", "10", "9", "é", "B", ""]) await store.put("crew", key, key, 0);
    const keys = (await store.documents("crew")).map(({ key }) => key);
    assert.deepEqual(keys, ["", "10", "9", "B", "a", "b", "é"]);
  },
  "the documents of a kind come whole": async ({ store }) => {
    await store.put("crew", "quiz", { a: 1 }, 0);
    await store.put("crew", "quiz", { a: 2 }, 1);
    assert.deepEqual(await store.documents("crew"), [{ key: "quiz", value: { a: 2 }, version: 2 }]);
  },
  "keys are taken literally": async ({ store }) => {
    for (const key of ["%", "_", "'; DROP TABLE documents; --", "A", "a", "a "]) await store.put("crew", key, key, 0);
    assert.equal((await store.get("crew", "%"))?.value, "%");
    assert.equal((await store.get("crew", "A"))?.value, "A");
    assert.equal((await store.documents("crew")).length, 6);
  },
  "names that cannot be stored are refused": async ({ store }) => {
    await refuses("bad-name", store.put("crew", "\ud800", 1, 0));
    await refuses("bad-name", store.put("cr\0ew", "quiz", 1, 0));
  },
  "a document of a megabyte is stored": async ({ store }) => {
    const value = "é".repeat(524_288);
    await store.put("crew", "large", value, 0);
    assert.equal((await store.get("crew", "large"))?.value, value);
  },
  "a document that was dropped is absent, and can be written anew": async ({ store, open }) => {
    await store.put("day", "spent", 1, 0);
    assert.equal(await store.drop("day", "spent"), true);
    assert.equal(await store.drop("day", "spent"), false);
    assert.equal(await (await open()).get("day", "spent"), undefined);
    assert.equal(await store.put("day", "spent", 2, 1), false);
    assert.equal(await store.put("day", "spent", 2, 0), true);
  },
  "what happens to a value after it was given is not stored": async ({ store }) => {
    const value = { spent: 1 };
    const written = store.put("day", "spent", value, 0);
    value.spent = 2;
    await written;
    assert.deepEqual((await store.get("day", "spent"))?.value, { spent: 1 });
  },
};
