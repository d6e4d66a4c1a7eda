import { providers } from "../models/providers.ts";

/** A provider for a new crew, with a model that is cheap enough to try things on. */
export interface ProviderChoice {
  readonly provider: string;
  readonly model: string;
  /** The variable for its key; undefined if it needs none. */
  readonly key: string | undefined;
  /** Whether its key is set. */
  readonly isReady: boolean;
}

const models = {
  anthropic: "claude-haiku-4-5",
  openai: "gpt-5-mini",
  google: "gemini-2.5-flash",
  openrouter: "openai/gpt-5-mini",
  groq: "llama-3.3-70b-versatile",
  mistral: "mistral-small-latest",
  deepseek: "deepseek-chat",
  xai: "grok-4-fast-non-reasoning",
  ollama: "llama3.2",
};

export type ProviderName = keyof typeof models;

/** All providers, those whose key is set first. */
export function listProviderChoices(variables: Readonly<Record<string, string | undefined>>): ProviderChoice[] {
  const choices = Object.entries(models).map(([provider, model]): ProviderChoice => {
    const keys = providers[provider]?.keys ?? [];
    const set = keys.find((key) => (variables[key] ?? "") !== "");
    return { provider, model: `${provider}/${model}`, key: set ?? keys[0], isReady: set !== undefined };
  });
  return choices.sort((a, b) => Number(b.isReady) - Number(a.isReady));
}
