import { providers } from "../models/providers.ts";
import { starterModels } from "../models/starter-models.ts";

const suggested = ["openai", "anthropic", "google", "ollama"] as const;

/** Explains what to do if no model can be called, on one screen, with the quickest way first. */
export function explainNoModel(
  missing: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): string {
  const lines = suggested.map((provider) => {
    const keys = providers[provider]?.keys ?? [];
    const set = keys.find((key) => variables[key]);
    const first = set ?? (keys[0] === undefined ? "ollama serve" : `export ${keys[0]}=…`);
    const note = set === undefined ? "" : "   <- its key is set: this works now";
    return `  ${first.padEnd(32)}--model ${provider}/${starterModels[provider]}${note}`;
  });
  return [
    "no model can be called:",
    ...missing.slice(0, 5).map((each) => `  ${each}`),
    ...(missing.length > 5 ? [`  and ${missing.length - 5} more`] : []),
    "",
    "Set a key, and name a model that goes with it:",
    ...lines,
    "  export NAME_BASE_URL=https://…  --model name/model   any server that is compatible with OpenAI",
    "",
    "Without --model: set BATON_MODEL=provider/model, or write 'models: [provider/model]' in crew.yaml.",
    "",
    "Without any key the examples run offline:",
    '  npx baton run examples/quiz "Start the exam" --script examples/quiz/demo.script.yaml',
    "  npx baton test examples",
  ].join("\n");
}
