import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const glossary = readFileSync(join(root, "docs/glossary.md"), "utf8");

/** Every table's last column, without synonyms that have another meaning. */
const refused = [...glossary.matchAll(/^\|.*\| ?([^|]*?) ?\|$/gm)]
  .flatMap(([, cell = ""]) => cell.split(/[,;](?![^(]*\))/))
  .map((synonym) => synonym.trim())
  .filter((synonym) => synonym !== "" && !/^(?:not|-+)$|[(`]/.test(synonym));

/** What people read of a file: of a page all but its code, of a source its comments and sentences. */
const texts = new Map<string, string>([
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(read),
  ...listFiles("docs", ".md")
    .filter((file) => file !== join("docs", "glossary.md"))
    .map(read),
  ...listFiles("examples", ".md").map(read),
  ...listFiles("src", ".ts")
    .filter((file) => !file.endsWith(".test.ts"))
    .map(read),
]);

function listFiles(folder: string, ending: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
}

function read(file: string): [string, string] {
  const text = readFileSync(join(root, file), "utf8");
  if (file.endsWith(".md")) return [file, text.replace(/```[\s\S]*?```|`[^`\n]*`/g, "")];
  const parts = text.match(/\/\*\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [];
  // A text without a space is a name, and what stands in `${…}` is code.
  return [
    file,
    parts
      .filter((part) => part.includes(" "))
      .join("\n")
      .replace(/\$\{[^}]*\}/g, ""),
  ];
}

describe("docs, messages and comments", () => {
  it("have a list of synonyms that are refused", () => {
    expect(refused).toContain("broken off");
    expect(refused).not.toContain("history (that is what an agent sees)");
    expect(refused.length).toBeGreaterThan(40);
  });

  it.each(refused)("do not say '%s'", (synonym) => {
    const pattern = new RegExp(`\\b${synonym}s?\\b`, "i");
    const saying = [...texts].flatMap(([file, text]) => {
      const line = text.split("\n").find((each) => pattern.test(each));
      return line === undefined ? [] : [`${file}: ${line.trim()}`];
    });
    expect(saying).toEqual([]);
  });
});
