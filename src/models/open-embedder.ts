import type { ModelName } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { reach } from "./open-model.ts";
import { providers } from "./providers.ts";

/** Turns texts into vectors of length 1. */
export type Embedder = (texts: readonly string[], signal?: AbortSignal) => Promise<readonly (readonly number[])[]>;

const LOCAL_DIMENSIONS = 256;

/** Opens a model for embeddings. `local/words` needs no network: it places texts by their words and parts of words. */
export async function openEmbedder(
  name: ModelName,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Embedder> {
  if (name.provider === "local") return async (texts) => texts.map(embedLocally);
  const { baseURL, apiKey } = reach(name, providers[name.provider], variables);
  const client = await openClient(name, baseURL, apiKey);
  return async (texts, signal) => {
    const { embeddings } = await client.doEmbed({
      values: [...texts],
      ...(signal !== undefined && { abortSignal: signal }),
    });
    if (embeddings.length !== texts.length)
      throw new BatonError(
        "bad-model",
        `model '${name.provider}/${name.model}' gave ${embeddings.length} vectors for ${texts.length} texts`,
      );
    return embeddings.map(toUnit);
  };
}

async function openClient({ provider, model }: ModelName, baseURL: string, apiKey: string | undefined) {
  if (provider === "openai") {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({ baseURL, fetch: boundedFetch, apiKey: apiKey ?? "none" }).embedding(model);
  }
  if (provider === "anthropic") throw new BatonError("bad-model", "anthropic has no models for embeddings");
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const key = apiKey === undefined ? {} : { apiKey };
  return createOpenAICompatible({ name: provider, baseURL, fetch: boundedFetch, ...key }).embeddingModel(model);
}

/** Words and their groups of three letters, each at a place that its hash gives. */
function embedLocally(text: string): readonly number[] {
  const vector = new Array<number>(LOCAL_DIMENSIONS).fill(0);
  const add = (part: string, weight: number) => {
    const hash = hashText(part);
    const at = hash % LOCAL_DIMENSIONS;
    vector[at] = (vector[at] ?? 0) + (hash & 0x10000 ? weight : -weight);
  };
  for (const word of text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) {
    add(word, 1);
    const padded = `^${word}$`;
    for (let at = 0; at + 3 <= padded.length; at++) add(padded.slice(at, at + 3), 0.5);
  }
  return toUnit(vector);
}

function hashText(text: string): number {
  let hash = 2166136261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619) >>> 0;
  return hash;
}

function toUnit(vector: readonly number[]): readonly number[] {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
}
