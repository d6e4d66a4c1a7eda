import { listEnvironmentSecrets } from "./environment-values.ts";
import { RedactionStream, redactText } from "./redact-stream.ts";
import { redactValue } from "./redact-value.ts";
import { createValueFinder } from "./value-finder.ts";

/** Removes secrets from what enters a run. Redacting the result again does not change it. */
export interface Redactor {
  redact(text: string): string;
  redactValue(value: unknown): unknown;
  createStream(): RedactionStream;
}

/** Creates a redactor that also knows the values of environment variables whose names say that they are secret. */
export function createRedactor(variables: Readonly<Record<string, string | undefined>>): Redactor {
  const finder = createValueFinder(listEnvironmentSecrets(variables));
  const redact = (text: string): string => redactText(text, finder);
  return {
    redact,
    redactValue: (value) => redactValue(value, redact),
    createStream: () => new RedactionStream(finder),
  };
}
