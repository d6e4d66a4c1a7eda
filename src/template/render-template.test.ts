import { describe, expect, it } from "vitest";
import { parseTemplate } from "./parse-template.ts";
import { renderTemplate } from "./render-template.ts";

const values = {
  Input: "use a ruler",
  OriginalInput: "How long?",
  PreviousResult: "",
  PreviousResults: { "team-alpha": "3 cm", beta: "{{.Input}} $& {{if" },
  SharedData: { list: ["a", "b"], none: [], word: "w", "a-key": { n: 1 }, zero: 0 },
  Agent: "lead",
  Depth: 1,
};

function render(template: string): string {
  const parsed = parseTemplate(template);
  expect(parsed.problems).toEqual([]);
  return renderTemplate(parsed, values);
}

describe("templates", () => {
  it.each([
    ["Task: {{.OriginalInput}} | Note: {{ .Input }}", "Task: How long? | Note: use a ruler"],
    ["{{.Agent}} at {{.Depth}}", "lead at 1"],
    ["{{.PreviousResults.team-alpha}}", "3 cm"],
    ["{{.PreviousResults.gamma}}", ""],
    ["{{.SharedData.a-key}}", '{"n":1}'],
    ["{{.MaxDepth}}", ""],
    ["no names {at all}", "no names {at all}"],
  ])("%s gives %s", (template, text) => expect(render(template)).toBe(text));

  it("put values in as they are, whatever is in them", () => {
    expect(render("<{{.PreviousResults.beta}}>")).toBe("<{{.Input}} $& {{if>");
  });

  it.each([
    ['{{.PreviousResult | default "none"}}', "none"],
    ['{{.Input | default "none"}}', "use a ruler"],
    ['{{.SharedData.none | default "-"}}', "-"],
    ["{{.Input | truncate 5}}", "use a…"],
    ["{{.Input | truncate 11}}", "use a ruler"],
    ["{{.Input | truncate 0}}", "…"],
    ["{{.Input | json}}", '"use a ruler"'],
    ["{{.SharedData.list | json}}", '["a","b"]'],
    ["{{.PreviousResults.gamma | json}}", "null"],
    ['{{.PreviousResult | default "long words" | truncate 4 | json}}', '"long…"'],
  ])("filters: %s gives %s", (template, text) => expect(render(template)).toBe(text));

  it("count characters and not halves of them", () => {
    const parsed = parseTemplate("{{.Input | truncate 2}}");
    expect(renderTemplate(parsed, { Input: "😀😀😀" })).toBe("😀😀…");
    expect(renderTemplate(parsed, { Input: "😀😀" })).toBe("😀😀");
  });

  it.each([
    ["{{if .Input}}yes{{else}}no{{end}}", "yes"],
    ["{{if .PreviousResult}}yes{{else}}no{{end}}", "no"],
    ["{{if .SharedData.zero}}yes{{end}}", ""],
    ["{{if .SharedData.none}}yes{{else}}{{if .Agent}}{{.Agent}}{{end}}{{end}}", "lead"],
  ])("conditions: %s gives %s", (template, text) => expect(render(template)).toBe(text));

  it.each([
    ["{{range .SharedData.list}}- {{.}}\n{{end}}", "- a\n- b\n"],
    ["{{range .SharedData.list}}{{.}} by {{.Agent}};{{end}}", "a by lead;b by lead;"],
    ["{{range .SharedData.word}}[{{. | json}}]{{end}}", '["w"]'],
    ["{{range .SharedData.none}}x{{end}}", ""],
    ["{{range .PreviousResults}}({{. | truncate 3}}){{end}}", "(3 c…)({{.…)"],
  ])("ranges: %s gives %s", (template, text) => expect(render(template)).toBe(text));

  it("look up only what they were given", () => {
    expect(renderTemplate(parseTemplate("{{.SharedData.constructor}}|{{.PreviousResults.__proto__}}"), values)).toBe(
      "|",
    );
  });

  it("take time in proportion to what they write", () => {
    const text = "{{".repeat(500_000);
    const before = process.cpuUsage();
    expect(renderTemplate(parseTemplate("{{.Input}}{{.Input | truncate 10}}"), { Input: text })).toHaveLength(
      1_000_011,
    );
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });
});
