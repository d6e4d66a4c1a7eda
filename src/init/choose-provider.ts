import { providers } from "../models/providers.ts";
import { starterModels } from "../models/starter-models.ts";

/** A provider for a new crew, with a model that is cheap enough to try things on. */
export interface ProviderChoice {
  readonly provider: string;
  readonly model: string;
  /** The variable for its key; undefined if it needs none. */
  readonly key: string | undefined;
  /** Whether its key is set. */
  readonly isReady: boolean;
}

export type ProviderName = keyof typeof starterModels;

/** All providers, those whose key is set first. */
export function listProviderChoices(variables: Readonly<Record<string, string | undefined>>): ProviderChoice[] {
  const choices = Object.entries(starterModels).map(([provider, model]): ProviderChoice => {
    const keys = providers[provider]?.keys ?? [];
    const set = keys.find((key) => (variables[key] ?? "") !== "");
    return { provider, model: `${provider}/${model}`, key: set ?? keys[0], isReady: set !== undefined };
  });
  return choices.sort((a, b) => Number(b.isReady) - Number(a.isReady));
}
