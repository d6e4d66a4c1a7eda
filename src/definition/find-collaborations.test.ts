import { describe, expect, it } from "vitest";
import { findCollaborations } from "./find-collaborations.ts";

function pairsOf(body: string): (readonly [string, string | undefined])[] {
  return findCollaborations(body, 0).map(({ name, specialty }) => [name, specialty]);
}

describe("a line of collaborations", () => {
  it("names agents with their specialties", () => {
    expect(pairsOf("**Collaborations**: Data Analyst (figures), Writer (prose)")).toEqual([
      ["Data Analyst", "figures"],
      ["Writer", "prose"],
    ]);
  });

  it.each([
    "**Collaborations:** Writer (prose)",
    "**collaborations**: Writer (prose)",
    "- **Collaborations**: Writer (prose)",
    "   **Collaborations**: `Writer` (prose).",
    "**Collaborations**: **Writer** (prose)\r",
    "**Collaborations**: Writer - prose",
    "**Collaborations**: Writer: prose",
    "**Collaborations**: Writer — prose",
    "1. **Collaborations**: Writer (prose)",
    "**Collaborations**: [Writer](writer.md) (prose)",
    "**Collaborations**:\n- Writer (prose)",
    "**Collaborations**: \r\n\r\n1. Writer (prose)\r\n",
    "**Collaborations**:\n- Writer (prose)\n\nThey are:\n- kind",
    "- **Collaborations**:\n  - Writer (prose)\n- **Limits**: none of them",
    "- **Collaborations**:\n  - Writer (prose)\n    - in verse too",
  ])("may be written %j", (line) =>
    expect(pairsOf(line)).toEqual([[expect.stringMatching(/^\[?Writer\]?$/), "prose"]]),
  );

  it("may name agents without specialties", () => {
    expect(pairsOf("**Collaborations**: writer, data-analyst")).toEqual([
      ["writer", undefined],
      ["data-analyst", undefined],
    ]);
  });

  it("takes commas in parentheses as part of a specialty", () => {
    expect(pairsOf("**Collaborations**: Writer (prose, verse (short, long)), Critic (taste)")).toEqual([
      ["Writer", "prose, verse (short, long)"],
      ["Critic", "taste"],
    ]);
  });

  it("skips what is empty between commas", () => {
    expect(pairsOf("**Collaborations**: Writer,, Critic,")).toEqual([
      ["Writer", undefined],
      ["Critic", undefined],
    ]);
  });

  it("may be empty", () => expect(pairsOf("**Collaborations**:")).toEqual([]));

  it("may be Vietnamese", () => {
    expect(pairsOf("**Collaborations**: Kỹ Thuật Viên (mạng, máy in)")).toEqual([["Kỹ Thuật Viên", "mạng, máy in"]]);
  });
});

describe("a section of collaborations", () => {
  it("names an agent by list item, until the next heading", () => {
    const body = [
      "# Reviewer",
      "- not this one",
      "## Collaborations",
      "Ask these:",
      "- Writer (prose)",
      "* **Critic**: taste",
      "1. Analyst - figures",
      "## Rules",
      "- nor this one",
    ];
    expect(pairsOf(body.join("\n"))).toEqual([
      ["Writer", "prose"],
      ["Critic", "taste"],
      ["Analyst", "figures"],
    ]);
  });

  it.each(["# Collaborations", "### COLLABORATIONS:", "## **Collaborations** ##"])("may be headed %s", (heading) => {
    expect(pairsOf(`${heading}\n- Writer`)).toEqual([["Writer", undefined]]);
  });

  it("is not one with more words in its heading", () => {
    expect(pairsOf("## Collaborations of the past\n- Writer")).toEqual([]);
  });
});

describe("what is not a declaration", () => {
  it.each([
    "Collaborations are fine, says Writer.",
    "We value **Collaborations**: Writer above all.",
    "```\n**Collaborations**: Writer\n```",
    "~~~md\n## Collaborations\n- Writer\n~~~",
    "",
  ])("is not read as one: %j", (body) => expect(pairsOf(body)).toEqual([]));

  it("does not hide what follows a code block", () => {
    expect(pairsOf("```\ncode\n```\n**Collaborations**: Writer")).toEqual([["Writer", undefined]]);
  });
});

describe("the place of a collaborator", () => {
  it("is that of its name in the whole file", () => {
    const file = "---\nid: a\n---\nHello.\n\n**Collaborations**: **Writer** (prose), Critic\n";
    const start = file.indexOf("Hello");
    const found = findCollaborations(file.slice(start), start);
    expect(found.map(({ span }) => file.slice(span.start, span.end))).toEqual(["Writer", "Critic"]);
  });
});

describe("words that look like separators", () => {
  it("belong to the specialty on an item of the section", () => {
    const body = "## Collaborations\n- **Critic**: reads code, writes comments\n- Guard - security, performance\n";
    expect(findCollaborations(body, 0)).toMatchObject([
      { name: "Critic", specialty: "reads code, writes comments" },
      { name: "Guard", specialty: "security, performance" },
    ]);
  });

  it.each([" and ", " và ", "; ", ", "])("separate names on a labelled line: '%s'", (separator) => {
    const body = `**Collaborations**: Writer (prose, verse)${separator}Critic (taste)`;
    expect(findCollaborations(body, 0)).toMatchObject([
      { name: "Writer", specialty: "prose, verse" },
      { name: "Critic", specialty: "taste" },
    ]);
  });

  it.each(["~~~\n```\n~~~\n", "````\n```\n````\n"])(
    "do not hide behind a code block that holds a fence: %j",
    (block) => {
      expect(findCollaborations(`${block}**Collaborations**: Writer`, 0)).toMatchObject([{ name: "Writer" }]);
    },
  );
});
