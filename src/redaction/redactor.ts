import { listEnvironmentSecrets } from "./environment-values.ts";
import { RedactionStream, redactText } from "./redact-stream.ts";
import { redactValue } from "./redact-value.ts";
import { createValueFinder } from "./value-finder.ts";

/** Takes secrets out of what enters a run. What it gives back, it gives back unchanged. */
export interface Redactor {
  redact(text: string): string;
  redactValue(value: unknown): unknown;
  createStream(): RedactionStream;
}

/** A redactor that also knows the values of those variables whose names say that they are secrets. */
export function createRedactor(variables: Readonly<Record<string, string | undefined>>): Redactor {
  const finder = createValueFinder(listEnvironmentSecrets(variables));
  const redact = (text: string): string => redactText(text, finder);
  return {
    redact,
    redactValue: (value) => redactValue(value, redact),
    createStream: () => new RedactionStream(finder),
  };
}
