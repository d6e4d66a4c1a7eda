/** Providers that the semantic conventions know by another name. */
const names: Readonly<Record<string, string>> = {
  google: "gcp.gemini",
  mistral: "mistral_ai",
  xai: "x_ai",
};

/** The two halves of `provider/model`; a model of somebody's own is its own provider. */
export function splitModelName(name: string): { readonly provider: string; readonly model: string } {
  const at = name.indexOf("/");
  if (at < 0) return { provider: name, model: name };
  // `openai.chat` and `openai.responses` are two languages of one provider.
  const [provider = ""] = name.slice(0, at).split(".");
  return { provider: names[provider] ?? provider, model: name.slice(at + 1) };
}
