import type { LanguageModelV4, SharedV4ProviderOptions } from "@ai-sdk/provider";

/** The settings of a provider's client. */
export interface ClientSettings {
  readonly name: string;
  readonly model: string;
  readonly baseURL: string;
  readonly apiKey: string | undefined;
  readonly fetch: typeof globalThis.fetch;
  /** Whether the address is the provider's own. */
  readonly isOwnAddress: boolean;
}

/** How to reach the models of a provider. */
export interface Provider {
  readonly title: string;
  readonly url: string;
  /** Variables that may contain the key. The first one that is set counts. Empty if no key is needed. */
  readonly keys: readonly string[];
  /** The package that implements its API. */
  readonly package: string;
  open(settings: ClientSettings): Promise<LanguageModelV4>;
  /** Options for every call, in addition to those of all providers. */
  readonly options?: SharedV4ProviderOptions;
  /** Whether its metadata on reasoning and calls must be sent back in later requests. */
  readonly wantsMarks?: boolean;
  /** How to pass a number of reasoning tokens, if that is possible. */
  readonly reasoningBudget?: (tokens: number) => SharedV4ProviderOptions;
}

/** The API of every server that is compatible with OpenAI. */
export const compatible = {
  package: "@ai-sdk/openai-compatible",
  async open({ name, model, baseURL, apiKey, fetch }: ClientSettings): Promise<LanguageModelV4> {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    // Without includeUsage a streamed answer has no token counts.
    // A server that takes no schema refuses it, and is asked again without.
    const kept = { includeUsage: true, supportsStructuredOutputs: true };
    const settings = { name, baseURL, fetch, ...kept, ...(apiKey !== undefined && { apiKey }) };
    return createOpenAICompatible(settings).languageModel(model);
  },
};

const openai = {
  title: "OpenAI",
  url: "https://api.openai.com/v1",
  keys: ["OPENAI_API_KEY"],
  package: "@ai-sdk/openai",
  // Baton stores runs itself, so the provider must not.
  options: { openai: { store: false } },
};

/** Without a key, clients look for one in the process's variables and refuse to work if there is none. */
const NO_KEY = "none";

async function createOpenaiClient({ baseURL, apiKey, fetch }: ClientSettings) {
  const { createOpenAI } = await import("@ai-sdk/openai");
  return createOpenAI({ baseURL, fetch, apiKey: apiKey ?? NO_KEY });
}

/** The providers with a name. Any other name is a server that is compatible with OpenAI. */
export const providers: Readonly<Record<string, Provider>> = {
  openai: {
    ...openai,
    // Servers that imitate OpenAI's implement its older API.
    open: async (settings) => {
      const client = await createOpenaiClient(settings);
      return settings.isOwnAddress ? client.responses(settings.model) : client.chat(settings.model);
    },
  },
  "openai.chat": { ...openai, open: async (settings) => (await createOpenaiClient(settings)).chat(settings.model) },
  "openai.responses": {
    ...openai,
    open: async (settings) => (await createOpenaiClient(settings)).responses(settings.model),
  },
  anthropic: {
    title: "Anthropic",
    url: "https://api.anthropic.com/v1",
    keys: ["ANTHROPIC_API_KEY"],
    package: "@ai-sdk/anthropic",
    async open({ model, baseURL, apiKey, fetch }) {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ baseURL, fetch, apiKey: apiKey ?? NO_KEY }).languageModel(model);
    },
    // Other providers cache the beginning of a prompt automatically.
    options: { anthropic: { cacheControl: { type: "ephemeral" } } },
    // While the model reasons, the provider refuses a call with tools if its signed reasoning is missing.
    wantsMarks: true,
    reasoningBudget: (budgetTokens) => ({ anthropic: { thinking: { type: "enabled", budgetTokens } } }),
  },
  google: {
    title: "Google",
    url: "https://generativelanguage.googleapis.com/v1beta",
    keys: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_API_KEY"],
    package: "@ai-sdk/google",
    async open({ model, baseURL, apiKey, fetch }) {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle({ baseURL, fetch, apiKey: apiKey ?? NO_KEY }).languageModel(model);
    },
    wantsMarks: true,
    reasoningBudget: (thinkingBudget) => ({ google: { thinkingConfig: { thinkingBudget, includeThoughts: true } } }),
  },
  ollama: { title: "Ollama", url: "http://localhost:11434/v1", keys: [], ...compatible },
  openrouter: {
    title: "OpenRouter",
    url: "https://openrouter.ai/api/v1",
    keys: ["OPENROUTER_API_KEY"],
    ...compatible,
  },
  groq: { title: "Groq", url: "https://api.groq.com/openai/v1", keys: ["GROQ_API_KEY"], ...compatible },
  mistral: { title: "Mistral", url: "https://api.mistral.ai/v1", keys: ["MISTRAL_API_KEY"], ...compatible },
  deepseek: { title: "DeepSeek", url: "https://api.deepseek.com/v1", keys: ["DEEPSEEK_API_KEY"], ...compatible },
  xai: { title: "xAI", url: "https://api.x.ai/v1", keys: ["XAI_API_KEY"], ...compatible },
};
