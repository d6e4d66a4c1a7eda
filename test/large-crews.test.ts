import { describe, expect, it } from "vitest";
import { checkCrew } from "../src/definition/check-crew.ts";
import { writeCrew } from "./write-crew.ts";

// Each of these once took minutes, all memory or all of the stack.
describe("crews that are large, or go round in odd ways", () => {
  it("end loading where a file refers to itself under another's id", () => {
    const folder = writeCrew({
      "crew.yaml": 'version: "2.0"\nname: x\nagents: [a]\n',
      "agents/a.md": "---\ndescription: d\nadvisors: [../other/a2.md]\n---\nWork.\n",
      "other/a2.md": "---\nid: a\ndescription: d\nadvisors: [./a2.md]\n---\nWork.\n",
    });
    expect(codesOf(folder)).toContain("duplicate-id");
  });

  it("say once what is wrong with a file that many refer to", () => {
    const names = Array.from({ length: 300 }, (_, index) => `agents/a${index}.md`);
    const agents = names.map((name) => [name, "---\ndescription: d\nadvisors: [../broken/b.md]\n---\nWork.\n"]);
    const ids = names.map((name) => name.slice(7, -3)).join(", ");
    const folder = writeCrew({
      "crew.yaml": `version: "2.0"\nname: x\nagents: [${ids}]\n`,
      "broken/b.md": "---\ndescription: [\n---\nWork.\n",
      ...Object.fromEntries(agents),
    });
    expect(codesOf(folder)).toEqual(["yaml-syntax"]);
  });

  it("say that crews are nested too deep, and go on", () => {
    const crews = Array.from({ length: 150 }, (_, index) => {
      const next = index === 149 ? "" : `sub_crews: { next: { config_path: ../c${index + 1} } }\n`;
      return [`c${index}/crew.yaml`, `version: "2.0"\nname: c${index}\nagents: [a]\n${next}`];
    });
    const agents = crews.map(([file = ""]) => [file.replace("crew.yaml", "agents/a.md"), "Work.\n"]);
    const root = writeCrew(Object.fromEntries([...crews, ...agents]));
    const { diagnostics } = checkCrew(`${root}/c0`, { root });
    const tooDeep = { code: "too-large", message: "crews are nested more than 100 deep" };
    const others = diagnostics.filter(({ code }) => code !== "unused-crew");
    expect(others).toMatchObject([{ code: "max-crew-depth" }, tooDeep]);
  });

  it("name the circle once where everybody refers to everybody", () => {
    const ids = Array.from({ length: 60 }, (_, index) => `a${index}`);
    const agents = ids.map((id) => {
      const others = ids.filter((other) => other !== id).join(", ");
      return [`agents/${id}.md`, `---\ndescription: d\nagents: [${others}]\n---\nWork.\n`];
    });
    const crew = `version: "2.0"\nname: x\nagents: [${ids.join(", ")}]\n`;
    expect(codesOf(writeCrew({ "crew.yaml": crew, ...Object.fromEntries(agents) }))).toEqual(["reference-cycle"]);
  });

  it("get a bounded number of suggestions, each found quickly", () => {
    const tools = Array.from({ length: 2000 }, (_, index) => `  tool_${"x".repeat(50)}_${index}: ./tools.ts`);
    const unknown = Array.from({ length: 500 }, (_, index) => `tool_${"y".repeat(50)}_${index}`);
    const folder = writeCrew({
      "crew.yaml": `version: "2.0"\nname: x\nagents: [a]\ntools:\n${tools.join("\n")}\n`,
      "tools.ts": "",
      "agents/a.md": `---\ndescription: d\ntools: [${unknown.join(", ")}]\n---\nWork.\n`,
    });
    expect(codesOf(folder)).toHaveLength(500);
  });
});

function codesOf(folder: string): string[] {
  return checkCrew(folder, { root: folder }).diagnostics.map(({ code }) => code);
}
