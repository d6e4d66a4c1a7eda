/** Providers that have another name in the semantic conventions. */
const names: Readonly<Record<string, string>> = {
  google: "gcp.gemini",
  mistral: "mistral_ai",
  xai: "x_ai",
};

/** Splits `provider/model`. A custom model without a provider is its own provider. */
export function splitModelName(name: string): { readonly provider: string; readonly model: string } {
  const at = name.indexOf("/");
  if (at < 0) return { provider: name, model: name };
  // `openai.chat` and `openai.responses` are two APIs of one provider.
  const [provider = ""] = name.slice(0, at).split(".");
  return { provider: names[provider] ?? provider, model: name.slice(at + 1) };
}
