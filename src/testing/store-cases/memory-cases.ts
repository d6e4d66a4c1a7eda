import assert from "node:assert/strict";
import type { MemoryEntry } from "../../journal/memory-entry.ts";
import { MINUTE, refuses, run, type StoreCases } from "./case-tools.ts";

function entryOf(id: string, text: string, given: Partial<MemoryEntry> = {}): MemoryEntry {
  const terms = text.toLowerCase().replaceAll(/[^a-z0-9 ]/g, "");
  return { id, scope: "user/ada", text, terms, tags: [], runId: run, path: "0/t0/c0", at: 1_800_000_000_000, ...given };
}

const byTerms = (words: string, scope = "user/ada", limit = 10) => ({ scope, by: { terms: words.split(" ") }, limit });
const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);

export const memoryCases: StoreCases = {
  "an entry is listed as it was remembered": async ({ store }) => {
    const entry = entryOf("m1", "Likes tea", { tags: ["taste"], vector: [0.6, 0.8], expiresAt: 1_900_000_000_000 });
    assert.deepEqual(await store.remember(entry), { id: "m1", isNew: true, dropped: 0 });
    assert.deepEqual(await store.memories({ scope: "user/ada" }), [entry]);
    assert.deepEqual(await store.memories({ id: "m1" }), [entry]);
    assert.deepEqual(await store.memories({ id: "m2" }), []);
  },
  "the same text in one scope is one entry, with the newer tags and times": async ({ store }) => {
    await store.remember(entryOf("m1", "Likes tea", { tags: ["a"] }));
    const again = entryOf("m2", "Likes tea", { tags: ["b"], at: 1_800_000_000_001 });
    assert.deepEqual(await store.remember(again), { id: "m1", isNew: false, dropped: 0 });
    assert.deepEqual(await store.memories(), [{ ...again, id: "m1" }]);
    assert.deepEqual(idsOf(await store.recall(byTerms("tea"))), ["m1"]);
  },
  "the same text in two scopes is two entries": async ({ store }) => {
    await store.remember(entryOf("m1", "Likes tea"));
    await store.remember(entryOf("m2", "Likes tea", { scope: "user/bob" }));
    assert.deepEqual(idsOf(await store.recall(byTerms("tea"))), ["m1"]);
    assert.deepEqual(idsOf(await store.recall(byTerms("tea", "user/bob"))), ["m2"]);
  },
  "entries with rarer and more of the words come first": async ({ store }) => {
    const texts = ["green tea with milk", "tea at five", "coffee at ten", "a walk at noon", "milk and sugar"];
    for (const [index, text] of texts.entries()) await store.remember(entryOf(`m${index}`, text));
    const found = await store.recall(byTerms("green tea"));
    assert.deepEqual(idsOf(found), ["m0", "m1"]);
    assert.ok((found[0]?.score ?? 0) > (found[1]?.score ?? 0));
    assert.deepEqual(idsOf(await store.recall(byTerms("green tea", "user/ada", 1))), ["m0"]);
  },
  "a search without words that are there finds nothing": async ({ store }) => {
    await store.remember(entryOf("m1", "Likes tea"));
    assert.deepEqual(await store.recall(byTerms("coffee")), []);
    assert.deepEqual(await store.recall({ scope: "user/ada", by: { terms: [] }, limit: 5 }), []);
    assert.deepEqual(await store.recall(byTerms("tea", "user/ada", 0)), []);
  },
  "words are taken literally": async ({ store }) => {
    await store.remember(entryOf("m1", "tea or coffee"));
    await store.remember(entryOf("m2", "water", { scope: "user/bob" }));
    for (const words of ["* OR water", 'tea" OR scope : "s', "NEAR(tea coffee)", "water -tea"])
      for (const found of await store.recall({ scope: "user/ada", by: { terms: [words] }, limit: 5 }))
        assert.equal(found.id, "m1");
  },
  "entries are found by nearness of vectors": async ({ store }) => {
    await store.remember(entryOf("m1", "one", { vector: [1, 0] }));
    await store.remember(entryOf("m2", "two", { vector: [0.6, 0.8] }));
    await store.remember(entryOf("m3", "three", { vector: [0, 1], scope: "user/bob" }));
    await store.remember(entryOf("m4", "four"));
    const near = { scope: "user/ada", by: { vector: [0.8, 0.6] }, limit: 5 };
    assert.deepEqual(idsOf(await store.recall(near)), ["m2", "m1"]);
    await store.eraseMemories({ scope: "user/ada", id: "m2" });
    assert.deepEqual(idsOf(await store.recall(near)), ["m1"]);
  },
  "an expired entry is listed and not recalled": async ({ store, clock }) => {
    await store.remember(entryOf("m1", "Likes tea", { expiresAt: clock.now() + MINUTE, vector: [1] }));
    assert.equal((await store.recall(byTerms("tea"))).length, 1);
    clock.advance(MINUTE);
    assert.deepEqual(await store.recall(byTerms("tea")), []);
    assert.deepEqual(await store.recall({ scope: "user/ada", by: { vector: [1] }, limit: 5 }), []);
    assert.equal((await store.memories()).length, 1);
  },
  "a superseded entry is listed and not recalled": async ({ store }) => {
    await store.remember(entryOf("m1", "Likes tea"));
    await store.remember(entryOf("m2", "Likes tea no more", { supersedes: ["m1", "m9"], at: 1_800_000_000_001 }));
    assert.deepEqual(idsOf(await store.recall(byTerms("tea"))), ["m2"]);
    const listed = (await store.memories()).map(({ id, supersededBy }) => [id, supersededBy]);
    assert.deepEqual(listed, [
      ["m2", undefined],
      ["m1", "m2"],
    ]);
  },
  "an entry of another scope is not superseded": async ({ store }) => {
    await store.remember(entryOf("m1", "Likes tea"));
    await store.remember(entryOf("m2", "Likes water", { scope: "user/bob", supersedes: ["m1"] }));
    assert.deepEqual(idsOf(await store.recall(byTerms("tea"))), ["m1"]);
  },
  "beyond the limit of its scope the oldest entries are deleted": async ({ store }) => {
    await store.remember(entryOf("b1", "bob's", { scope: "user/bob", at: 1 }), 2);
    for (const at of [1, 2, 3]) await store.remember(entryOf(`m${at}`, `fact ${at}`, { at }), 2);
    assert.deepEqual(idsOf(await store.memories({ scope: "user/ada" })), ["m3", "m2"]);
    assert.deepEqual(await store.remember(entryOf("m4", "fact 4", { at: 4 }), 2), {
      id: "m4",
      isNew: true,
      dropped: 1,
    });
    assert.equal((await store.memories({ scope: "user/bob" })).length, 1);
  },
  "erasing takes only what is meant": async ({ store }) => {
    await store.remember(entryOf("m1", "Likes tea"));
    await store.remember(entryOf("m2", "Likes milk"));
    await store.remember(entryOf("m3", "Likes tea", { scope: "user/bob" }));
    assert.equal(await store.eraseMemories({ scope: "user/bob", id: "m1" }), 0);
    assert.equal(await store.eraseMemories({ scope: "user/ada", id: "m1" }), 1);
    assert.deepEqual(await store.recall(byTerms("tea")), []);
    assert.equal(await store.eraseMemories({ scope: "user/ada" }), 1);
    assert.deepEqual(idsOf(await store.memories()), ["m3"]);
  },
  "another store in the same place sees the entries": async ({ store, open }) => {
    const other = await open();
    await store.remember(entryOf("m1", "Likes tea", { vector: [1, 0] }));
    assert.deepEqual(idsOf(await other.recall(byTerms("tea"))), ["m1"]);
    await other.remember(entryOf("m2", "Likes milk", { vector: [0.6, 0.8] }));
    const near = { scope: "user/ada", by: { vector: [0, 1] }, limit: 5 };
    assert.deepEqual(idsOf(await store.recall(near)), ["m2"]);
  },
  "names that cannot be stored are refused": async ({ store }) => {
    await refuses("bad-name", store.remember(entryOf("m1", "half \ud800")));
    await refuses("bad-name", store.remember(entryOf("m1", "text", { scope: "a\0b" })));
    await refuses("bad-document", store.remember(entryOf("m1", "text", { vector: [Number.NaN] })));
  },
};
