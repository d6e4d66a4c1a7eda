import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { explainYamlError } from "./explain-yaml-error.ts";

const mistakes: Record<string, [text: string, says: string]> = {
  "a list that is not closed": [
    "agents: [a, b\nname: x",
    "a list that an earlier '[' opens is not closed before this place; write the missing ']'",
  ],
  "a map that is not closed": [
    "a: { b: 1\nc: 2",
    "a map that an earlier '{' opens is not closed before this place; write the missing '}'",
  ],
  "a list that the file ends in": [
    "agents: [a, b",
    "a list that an earlier '[' opens is not closed before this place; write the missing ']'",
  ],
  "a tab before a key": ["a:\n\tb: 1", "a tab indents this line; YAML allows only spaces there"],
  "a colon in a text": [
    "a: first: second",
    "the value has a ': ' of its own, or the line is indented too deep; quote the value, or indent the line less",
  ],
  "a key without a colon": [
    "a: 1\nb\nc: 2",
    "this line is not 'key: value'; add the missing colon, or write a value of several lines after '|'",
  ],
  "a key indented less": ["a:\n    b: 1\n  c: 2", "this key is not indented like the keys beside it"],
  "an item indented less": ["a:\n  - b\n - c", "this item is not indented like the items beside it"],
  "a quote that is not closed": ['a: "b\nc: 2', 'a text that an earlier " opens is not closed; write the missing "'],
  "a text that begins with @": ["a: @b", "a text that begins with '@' needs quotes"],
  "a text that begins with %": ["a: [%b]", "a text that begins with '%' needs quotes"],
  "two documents": [
    "a: 1\n---\nb: 2",
    "the file holds more than one YAML document; keep what stands before this '---'",
  ],
};

describe("a text that is not YAML is explained:", () => {
  it.each(Object.entries(mistakes))("%s", (_, [text, says]) => {
    const { errors } = parseDocument(text, { prettyErrors: false });
    expect(errors.map(explainYamlError)).toContain(says);
  });

  it("in the parser's own words where the mistake is a rare one", () => {
    const { errors } = parseDocument("a: &x &y b", { prettyErrors: false });
    expect(errors.map(explainYamlError)).toEqual(errors.map(({ message }) => message));
  });
});
