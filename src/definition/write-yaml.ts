import { stringify } from "yaml";

/** A value as YAML that people read: long texts in lines of their own. */
export function writeYaml(value: unknown): string {
  return stringify(value, { lineWidth: 120, blockQuote: "literal", aliasDuplicateObjects: false });
}
