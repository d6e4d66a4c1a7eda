/** The longest replies that providers document, by the beginning of a model's name; the first that fits counts. */
const limits: Readonly<Record<string, readonly (readonly [beginning: string, tokens: number])[]>> = {
  openai: [
    ["gpt-5-chat", 16_384],
    ["gpt-5", 128_000],
    ["gpt-4.1", 32_768],
    ["gpt-4o", 16_384],
    ["gpt-4-turbo", 4096],
    ["gpt-3.5-turbo", 4096],
    ["o1", 100_000],
    ["o3", 100_000],
    ["o4", 100_000],
  ],
  anthropic: [
    ["claude-opus-4-5", 64_000],
    ["claude-opus-4", 32_000],
    ["claude-sonnet-4", 64_000],
    ["claude-haiku-4", 64_000],
    ["claude-3-7-sonnet", 128_000],
    ["claude-3-5", 8192],
    ["claude-3-", 4096],
  ],
  google: [
    ["gemini-3", 65_536],
    ["gemini-2.5", 65_536],
    ["gemini-2.0", 8192],
    ["gemini-1.5", 8192],
  ],
};

/** The most tokens that a model writes in one reply; undefined where that is not known. */
export function findOutputLimit(provider: string, model: string): number | undefined {
  return limits[provider.replace(/\..*/, "")]?.find(([beginning]) => model.startsWith(beginning))?.[1];
}
