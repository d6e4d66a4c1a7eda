import { describe, expect, it } from "vitest";
import { createProblemLog } from "./problem-log.ts";
import { createSource } from "./source.ts";
import { splitFrontmatter } from "./split-frontmatter.ts";

function split(text: string) {
  const log = createProblemLog();
  const parts = splitFrontmatter(createSource("a.md", text), log.reporter(false));
  const diagnostics = log.diagnostics((file) => file).map(({ code, line, message }) => ({ code, line, message }));
  if (parts === undefined) return { diagnostics };
  const { frontmatter, bodyStart } = parts;
  return {
    yaml: frontmatter === undefined ? undefined : text.slice(frontmatter.start, frontmatter.end),
    body: text.slice(bodyStart),
    diagnostics,
  };
}

describe("splitting a Markdown file", () => {
  it.each([
    ["---\nid: a\n---\nHello\n", "id: a\n", "Hello\n"],
    ["---\nid: a\n---", "id: a\n", ""],
    ["---\n---\nHello", "", "Hello"],
    ["\n  \n---\nid: a\n---\nHello", "id: a\n", "Hello"],
    ["---  \nid: a\n---\t\nHello", "id: a\n", "Hello"],
    ["---\r\nid: a\r\n---\r\nHello\r\n", "id: a\r\n", "Hello\r\n"],
    ["#!/usr/bin/env baton\n---\nid: a\n---\nHello", "id: a\n", "Hello"],
    ["#!/usr/bin/env baton\n\n---\nid: a\n---\nHello", "id: a\n", "Hello"],
  ])("%j has frontmatter and body", (text, yaml, body) => {
    expect(split(text)).toEqual({ yaml, body, diagnostics: [] });
  });

  it.each([
    ["Hello\n", "Hello\n"],
    ["# Title\n---\nrule above\n", "# Title\n---\nrule above\n"],
    ["#!/usr/bin/env baton\nHello", "Hello"],
    ["#!/usr/bin/env baton", ""],
    ["", ""],
    ["- - -\nHello", "- - -\nHello"],
  ])("%j has a body only", (text, body) => {
    expect(split(text)).toEqual({ yaml: undefined, body, diagnostics: [] });
  });

  it("ends frontmatter at the first line of three dashes, so that the body may have rules", () => {
    expect(split("---\nid: a\n---\nHello\n---\nBye")).toMatchObject({ yaml: "id: a\n", body: "Hello\n---\nBye" });
  });

  it("does not end frontmatter at dashes that are indented or followed by text", () => {
    const yaml = "usage: |\n  ---\n--- a\n----\n";
    expect(split(`---\n${yaml}---\nHello`)).toMatchObject({ yaml, body: "Hello" });
  });

  it("says where frontmatter begins that is never closed", () => {
    expect(split("\n---\nid: a\n\nHello")).toEqual({
      diagnostics: [
        {
          code: "yaml-syntax",
          line: 2,
          message: "frontmatter is never closed: end it with a line of three dashes",
        },
      ],
    });
    expect(split("---").diagnostics).toMatchObject([{ code: "yaml-syntax", line: 1 }]);
  });

  it.each(["---js\nmodule.exports = 1\n---\n", "--- yaml\nid: a\n---\n"])(
    "evaluates no other language of frontmatter: %j",
    (text) => {
      expect(split(text)).toEqual({
        diagnostics: [
          {
            code: "yaml-syntax",
            line: 1,
            message: "frontmatter begins with a line of three dashes and nothing else",
          },
        ],
      });
    },
  );
});
