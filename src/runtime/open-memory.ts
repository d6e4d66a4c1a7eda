import { listTerms } from "../classify/list-terms.ts";
import { parseModel } from "../definition/parse-model.ts";
import type { FoundMemory } from "../journal/memory-entry.ts";
import type { Store } from "../journal/store.ts";
import type { Embedder } from "../models/open-embedder.ts";
import type { MemoryPort } from "../orchestration/memory-port.ts";
import type { Clock } from "../run/clock.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { toRunId } from "../vocabulary/ids.ts";

type MemoryStore = Pick<Store, "remember" | "recall" | "eraseMemories">;

/** How much a place further down in a ranking counts less; the usual constant of reciprocal rank fusion. */
const RANK_WEIGHT = 60;

/** The memory of a store, searched by words and, where a model for embeddings is given, by vectors too. */
export function openMemory(
  store: MemoryStore | Promise<MemoryStore>,
  clock: Pick<Clock, "now">,
  variables: Readonly<Record<string, string | undefined>>,
): MemoryPort {
  const embedders = new Map<string, Promise<Embedder>>();
  const embed = async (name: string | undefined, text: string) => {
    if (name === undefined) return undefined;
    const embedder = embedders.get(name) ?? openNamed(name, variables);
    embedders.set(name, embedder);
    return (await (await embedder)([text]))[0];
  };
  return {
    async remember({ embed: model, maxEntries, runId, expiresAt, supersedes, ...entry }) {
      const vector = await embed(model, entry.text);
      const stored = {
        ...entry,
        ...{ runId: toRunId(runId), terms: listTerms(entry.text).join(" "), at: clock.now() },
        ...(expiresAt !== undefined && { expiresAt }),
        ...(supersedes.length > 0 && { supersedes }),
        ...(vector !== undefined && { vector }),
      };
      return (await store).remember(stored, maxEntries);
    },
    async recall({ scope, text, embed: model, limit }) {
      const vector = await embed(model, text);
      const opened = await store;
      // More than are wanted, since the two rankings have different firsts.
      const wide = limit * 4;
      const byWords = await opened.recall({ scope, by: { terms: [...new Set(listTerms(text))] }, limit: wide });
      const byVector = vector === undefined ? [] : await opened.recall({ scope, by: { vector }, limit: wide });
      const ranked = fuseRanks([byWords, byVector]).slice(0, limit);
      return ranked.map(({ id, text: own, tags, at }) => ({ id, text: own, tags, at }));
    },
    forget: async (scope, id) => (await (await store).eraseMemories({ scope, id })) > 0,
  };
}

/** For runs that call nothing: what was remembered and recalled is on record. */
export const absentMemory: MemoryPort = {
  remember: async () => ({ id: "", isNew: true, dropped: 0 }),
  recall: async () => [],
  forget: async () => false,
};

async function openNamed(name: string, variables: Readonly<Record<string, string | undefined>>): Promise<Embedder> {
  const model = parseModel(name);
  if (model === undefined)
    throw new BatonError("bad-model", `'${name}' is not the name of a model: write provider/model`);
  const { openEmbedder } = await import("../models/open-embedder.ts");
  return openEmbedder(model, variables);
}

/** One ranking out of several: an entry that is high in both is higher than one that is high in one. */
function fuseRanks(rankings: readonly (readonly FoundMemory[])[]): FoundMemory[] {
  const scores = new Map<string, { readonly entry: FoundMemory; score: number }>();
  for (const ranking of rankings)
    for (const [index, entry] of ranking.entries()) {
      const known = scores.get(entry.id) ?? { entry, score: 0 };
      known.score += 1 / (RANK_WEIGHT + index);
      scores.set(entry.id, known);
    }
  return [...scores.values()].sort((a, b) => b.score - a.score || b.entry.at - a.entry.at).map(({ entry }) => entry);
}
