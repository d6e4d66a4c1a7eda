import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const example = join(root, "examples/multi-team");

describe("the example of several teams", () => {
  it("is YAML and Markdown only, and no line of it is a program", () => {
    const files = readdirSync(example, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(new Set(files.map(({ name }) => extname(name)))).toEqual(new Set([".md", ".yaml"]));
    const crews = files.filter(({ name }) => name === "crew.yaml");
    expect(crews).toHaveLength(3);
  });

  it("says who calls whom in twenty lines, where a program took two hundred", () => {
    const [, routing = ""] = readFileSync(join(example, "master/crew.yaml"), "utf8").split(/^routing:\n|^settings:\n/m);
    const isTemplate = /^ {10}|^$|^ *#|input_template/;
    const lines = routing.split("\n").filter((line) => !isTemplate.test(line));
    expect(lines.length).toBeLessThanOrEqual(20);
  });
});

describe("a third team", () => {
  const page = readFileSync(join(root, "docs/crews-of-crews.md"), "utf8");
  const diffs = [...page.matchAll(/^```diff\n(.*?)^```/gms)].map(([, diff = ""]) => diff.trimEnd().split("\n"));

  /** The example with the lines that the page adds, after the lines that the page shows. */
  function withThirdTeam(): string {
    const folder = mkdtempSync(join(tmpdir(), "baton-three-teams-"));
    cpSync(example, folder, { recursive: true });
    const file = join(folder, "master/crew.yaml");
    let crew = readFileSync(file, "utf8");
    for (const [before = "", ...added] of diffs) {
      const shown = before.slice(1);
      expect(crew).toContain(`${shown}\n`);
      crew = crew.replace(shown, [shown, ...added.map((line) => line.slice(1))].join("\n"));
    }
    writeFileSync(file, crew);
    writeFileSync(join(folder, "package.json"), "{}");
    cpSync(
      writeCrew({
        "crew.yaml": 'version: "2.0"\nname: gamma\nentry_point: translator\nagents: [translator]\n',
        "agents/translator.md": "---\ndescription: translates\n---\nTranslate into French.",
      }),
      join(folder, "team-gamma"),
      { recursive: true },
    );
    return folder;
  }

  const script = {
    coordinator: ["Facts, please.\n[DELEGATE_ALPHA]", "In French, please.\n[DELEGATE_GAMMA]", "Voilà.\n[FINAL_REPORT]"],
    researcher: ["found\n[RESEARCH_DONE]"],
    analyst: ["The moon.\n[ALPHA_COMPLETE]"],
    translator: ["La lune."],
  };

  it("is four lines of YAML", () => {
    expect(diffs.flat().filter((line) => line.startsWith("+"))).toHaveLength(4);
    const cwd = withThirdTeam();
    writeFileSync(join(cwd, "script.yaml"), JSON.stringify(script));
    const ran = runBaton(["run", "master", "Tides", "--script", "script.yaml", "--json"], { cwd });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      status: "completed",
      output: expect.stringContaining("Voilà."),
      path: ["coordinator", "team-alpha", "coordinator", "team-gamma", "coordinator"],
    });
    expect(runBaton(["show", "last", "--tree"], { cwd }).stdout).toMatch(/├─ team-gamma .*\n│ {2}╰─ translator /);
  });

  it("must be in the prompt of who calls it, which checking says", () => {
    const cwd = withThirdTeam();
    const check = () => runBaton(["check", "master", "--json"], { cwd });
    expect(check()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("unmentioned-signal") });
    const prompt = join(cwd, "master/agents/coordinator.md");
    writeFileSync(prompt, `${readFileSync(prompt, "utf8")}\nFor a translation: [DELEGATE_GAMMA]\n`);
    expect(check().stdout).not.toContain("unmentioned-signal");
  });
});
