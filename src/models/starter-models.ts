/** For each provider a fast and cheap model to begin with. */
export const starterModels = {
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
