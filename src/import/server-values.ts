import type { YamlNode } from "../definition/yaml-node.ts";
import { createRedactor } from "../redaction/redactor.ts";
import type { PlainMap } from "./crew-plan.ts";
import { listEntries, scalarText } from "./foreign-source.ts";

/** Environment variables or headers, in a map or as `NAME=value`. `$NAME`, `${env.NAME}` and their like are `${NAME}` here. */
export function readReferences(node: YamlNode | undefined): Readonly<Record<string, string>> {
  const pairs =
    node?.kind === "list"
      ? node.items.flatMap((item): [string, string][] => {
          const text = scalarText(item) ?? "";
          const equals = text.indexOf("=");
          return equals < 1 ? [] : [[text.slice(0, equals), text.slice(equals + 1)]];
        })
      : listEntries(node).map(({ key, value }): [string, string] => [key, scalarText(value) ?? ""]);
  return Object.fromEntries(pairs.map(([key, value]) => [key, fillReference(value)]));
}

function fillReference(value: string): string {
  return value.replace(
    /\$\{(?:env[.:])?(\w+)\}|\$(\w+)/g,
    (_, braced?: string, bare?: string) => `\${${braced ?? bare ?? ""}}`,
  );
}

/** The same values with a reference to a variable in place of each secret. */
export function hideSecrets(values: Readonly<Record<string, string>>, onSecret: (variable: string) => void): PlainMap {
  const redactor = createRedactor({});
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const isReference = /\$\{\w+\}/.test(value);
      const isSecretName = /(?:KEY|TOKEN|SECRET|PASSWORD|AUTHORIZATION)$/i.test(key);
      if (isReference || value === "" || !(isSecretName || redactor.redact(value) !== value)) return [key, value];
      const variable = key.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
      onSecret(variable);
      return [key, `\${${variable}}`];
    }),
  );
}
