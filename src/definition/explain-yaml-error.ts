import type { YAMLError } from "yaml";

/** The mistakes that people make most, each with the words of the parser that tell it. The parser's own words name its grammar. */
const explanations: readonly (readonly [pattern: RegExp, text: string])[] = [
  [
    /^Flow sequence .*end with a \]/,
    "a list that an earlier '[' opens is not closed before this place; write the missing ']'",
  ],
  [
    /^Flow map .*end with a \}/,
    "a map that an earlier '{' opens is not closed before this place; write the missing '}'",
  ],
  [/^Tabs are not allowed/, "a tab indents this line; YAML allows only spaces there"],
  [
    /^Nested mappings are not allowed/,
    "the value has a ': ' of its own, or the line is indented too deep; quote the value, or indent the line less",
  ],
  [
    /^Implicit (?:map )?keys need to be/,
    "this line is not 'key: value'; add the missing colon, or write a value of several lines after '|'",
  ],
  [/^All mapping items must start/, "this key is not indented like the keys beside it"],
  [
    /^All sequence items must start|^A block sequence may not be used/,
    "this item is not indented like the items beside it",
  ],
  [/^Missing closing "/, 'a text that an earlier " opens is not closed; write the missing "'],
  [/^Missing closing '/, "a text that an earlier ' opens is not closed; write the missing '"],
  [
    /^Plain value cannot start with (?:.*character|block scalar indicator) (\S)$/,
    "a text that begins with '$1' needs quotes",
  ],
];

/** Says what is wrong with a text that is not YAML, and what to write. */
export function explainYamlError({ code, message }: Pick<YAMLError, "code" | "message">): string {
  if (code === "MULTIPLE_DOCS") return "the file holds more than one YAML document; keep what stands before this '---'";
  for (const [pattern, text] of explanations) {
    const found = pattern.exec(message);
    if (found !== null) return text.replace("$1", found[1] ?? "");
  }
  return message;
}
