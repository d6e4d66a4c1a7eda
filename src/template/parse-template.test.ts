import { describe, expect, it } from "vitest";
import { parseTemplate, templateNames } from "./parse-template.ts";

function codesOf(template: string): string[] {
  return parseTemplate(template).problems.map(({ code }) => code);
}

function messagesOf(template: string): string[] {
  return parseTemplate(template).problems.map(({ message }) => message);
}

describe("a template's values", () => {
  it("stand between the texts around them", () => {
    expect(parseTemplate("Topic: {{.OriginalInput}}!")).toMatchObject({
      parts: [
        { type: "text", text: "Topic: " },
        { type: "value", name: ["OriginalInput"], filters: [] },
        { type: "text", text: "!" },
      ],
      problems: [],
    });
  });

  it.each(templateNames)("may be .%s", (name) => {
    expect(parseTemplate(`{{.${name}}}`)).toMatchObject({
      parts: [{ type: "value", name: [name], filters: [] }],
      problems: [],
    });
  });

  it("may look further into results and shared data, by names with dashes", () => {
    expect(parseTemplate("{{.PreviousResults.team-alpha}}{{.SharedData.key_1}}")).toMatchObject({
      parts: [{ name: ["PreviousResults", "team-alpha"] }, { name: ["SharedData", "key_1"] }],
      problems: [],
    });
  });

  it("may have spaces inside the braces", () => {
    expect(parseTemplate("{{  .Input  }}")).toEqual(parseTemplate("{{.Input}}"));
  });

  it("are none in a plain text, nor in an empty one", () => {
    expect(parseTemplate("a } b { c }} d")).toMatchObject({
      parts: [{ type: "text", text: "a } b { c }} d" }],
      problems: [],
    });
    expect(parseTemplate("")).toMatchObject({ parts: [], problems: [] });
  });
});

describe("a template's filters", () => {
  it.each([
    ['{{.Input | default "none given"}}', [{ type: "default", text: "none given" }]],
    ['{{.Input | default ""}}', [{ type: "default", text: "" }]],
    ['{{.Input | default "a | b"}}', [{ type: "default", text: "a | b" }]],
    ["{{.Input | truncate 200}}", [{ type: "truncate", characters: 200 }]],
    ["{{.SharedData|json}}", [{ type: "json" }]],
    [
      '{{ .Input | truncate 5 | default "x" | json }}',
      [{ type: "truncate", characters: 5 }, { type: "default", text: "x" }, { type: "json" }],
    ],
  ])("of %s are read in order", (template, filters) => {
    expect(parseTemplate(template)).toMatchObject({ parts: [{ type: "value", filters }], problems: [] });
  });

  it.each([
    "{{.Input | upper}}",
    "{{.Input | truncate}}",
    "{{.Input | truncate -1}}",
    "{{.Input | default x}}",
    "{{.Input |}}",
  ])("of %s are not among those that there are", (template) => {
    expect(codesOf(template)).toEqual(["bad-template"]);
    expect(messagesOf(template)[0]).toContain(template);
  });
});

describe("a template's blocks", () => {
  const value = (name: string) => ({ type: "value", name: [name], filters: [] });

  it("choose between two parts", () => {
    expect(parseTemplate("{{if .PreviousResult}}So far: {{.PreviousResult}}{{else}}First{{end}}.")).toMatchObject({
      parts: [
        {
          type: "if",
          name: ["PreviousResult"],
          body: [{ type: "text", text: "So far: " }, value("PreviousResult")],
          otherwise: [{ type: "text", text: "First" }],
        },
        { type: "text", text: "." },
      ],
      problems: [],
    });
  });

  it("repeat a part, in which a dot is the element", () => {
    expect(parseTemplate("{{range .PreviousResults}}- {{.}}\n{{end}}")).toMatchObject({
      parts: [
        {
          type: "range",
          name: ["PreviousResults"],
          body: [{ text: "- " }, { type: "value", name: [] }, { text: "\n" }],
        },
      ],
      problems: [],
    });
  });

  it("stand inside one another, and else belongs to the innermost", () => {
    expect(parseTemplate("{{if .Input}}{{if .Agent}}a{{else}}b{{end}}{{end}}")).toMatchObject({
      parts: [{ body: [{ type: "if", name: ["Agent"], otherwise: [{ text: "b" }] }], otherwise: [] }],
      problems: [],
    });
  });

  it.each([
    ["{{if .Input}}x", "'{{if}}' is never closed by '{{end}}'"],
    ["{{range .SharedData}}x", "'{{range}}' is never closed by '{{end}}'"],
    ["x{{end}}", "'{{end}}' without an open '{{if}}' or '{{range}}'"],
    ["x{{else}}", "'{{else}}' without an open '{{if}}'"],
    ["{{if .Input}}a{{else}}b{{else}}c{{end}}", "'{{else}}' without an open '{{if}}'"],
    ["{{range .SharedData}}a{{else}}b{{end}}", "'{{else}}' without an open '{{if}}'"],
    ["Hello {{.Input", "'{{' is never closed by '}}'"],
  ])("that do not fit are problems: %s", (template, message) => {
    expect(parseTemplate(template).problems).toMatchObject([{ code: "bad-template", message }]);
  });
});

describe("a template's names", () => {
  it.each(["{{.Topic}}", "{{.input}}", "{{if .Topic}}x{{end}}", "{{range .Topic}}x{{end}}", "{{.Topic.Input}}"])(
    "that do not exist are problems: %s",
    (template) => expect(codesOf(template)).toEqual(["unknown-template-name"]),
  );

  it("that do not exist are told, for a suggestion", () => {
    expect(parseTemplate("{{.OrginalInput}}").problems).toEqual([
      {
        code: "unknown-template-name",
        message: "unknown name '.OrginalInput' in template",
        name: ".OrginalInput",
        action: ".OrginalInput",
      },
    ]);
  });

  it.each(["{{Input}}", "{{}}", "{{.Input.}}", "{{.Input .Agent}}", "{{process.exit(1)}}", "{{printf .Input}}"])(
    "that are not names are problems and not run: %s",
    (template) => expect(codesOf(template)).toEqual(["bad-template"]),
  );

  it("are all checked, whatever else is wrong", () => {
    expect(codesOf("{{.A}} {{.Input | up}} {{if .B}}")).toEqual([
      "unknown-template-name",
      "bad-template",
      "unknown-template-name",
      "bad-template",
    ]);
  });
});

describe("a hostile template", () => {
  // Work that grew with the square of the length would take minutes here.
  it.each(["{{", "{{.Input}}", "{{if .Input}}", "{{.Input | ", "}}"])("of many %s is read in one pass", (piece) => {
    const { parts, problems } = parseTemplate(piece.repeat(50_000));
    expect(parts.length + problems.length).toBeGreaterThan(0);
  });
});

describe("a template's words", () => {
  it("may be of any script", () => {
    expect(parseTemplate("{{.PreviousResults.đội-a}}")).toMatchObject({
      problems: [],
      names: [["PreviousResults", "đội-a"]],
    });
  });

  it("may hold braces in quotes", () => {
    expect(parseTemplate('{{.Input | default "a}}b"}}!')).toMatchObject({
      problems: [],
      parts: [{ filters: [{ type: "default", text: "a}}b" }] }, { text: "!" }],
    });
  });

  it("name the item of a range by a dot, and only there", () => {
    expect(parseTemplate("{{range .SharedData}}{{.}}{{end}}").problems).toEqual([]);
    expect(parseTemplate("{{.}}").problems).toMatchObject([{ code: "bad-template" }]);
  });
});
