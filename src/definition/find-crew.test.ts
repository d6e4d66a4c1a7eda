import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { writeCrew } from "../../test/write-crew.ts";
import { chooseRoot, findCrew, findProjectRoot } from "./find-crew.ts";

describe("finding what a path is", () => {
  it.each(["crew.yaml", "crew.yml", "config/crew.yaml", "config/crew.yml"])(
    "takes a folder with %s for a crew",
    (file) => {
      const folder = writeCrew({ [file]: "", "agents/a.md": "" });
      expect(findCrew(folder)).toEqual({ type: "crew", file: join(folder, file) });
    },
  );

  it("prefers a folder's own crew.yaml to that of its config folder", () => {
    const folder = writeCrew({ "crew.yaml": "", "config/crew.yaml": "" });
    expect(findCrew(folder)).toEqual({ type: "crew", file: join(folder, "crew.yaml") });
  });

  it("takes a crew.yaml itself for a crew", () => {
    const file = join(writeCrew({ "crew.yaml": "" }), "crew.yaml");
    expect(findCrew(file)).toEqual({ type: "crew", file });
  });

  it.each(["a.md", "a.ai", "a.yaml", "a.yml"])("takes %s for an agent", (name) => {
    const file = join(writeCrew({ [name]: "" }), name);
    expect(findCrew(file)).toEqual({ type: "agent", file });
  });

  it("takes a folder of agent files for their crew, in the order of their names", () => {
    const files = { "b.md": "", "a.ai": "", "c.yaml": "", "notes.txt": "", "deeper/d.md": "" };
    const folder = writeCrew(files);
    expect(findCrew(folder)).toEqual({
      type: "folder",
      files: [join(folder, "a.ai"), join(folder, "b.md"), join(folder, "c.yaml")],
    });
  });

  it("names the crews below a folder that has none", () => {
    const folder = writeCrew({ "b/crew.yaml": "", "a/config/crew.yaml": "", "c/x.md": "", "demo.script.yaml": "" });
    expect(findCrew(folder)).toMatchObject({
      type: "nothing",
      reason: expect.stringMatching(/; there are crews in a, b$/),
    });
  });

  it("takes any other name for an agent's", () => {
    const folder = writeCrew({ "scenario.yaml": "", "script.yaml": "" });
    expect(findCrew(folder)).toMatchObject({ type: "folder", files: [expect.anything(), expect.anything()] });
  });

  it("does not take a readme, a scenario or baton.yaml for agents", () => {
    const folder = writeCrew({ "README.md": "", "Readme.md": "", "x.scenario.yaml": "", "baton.yaml": "" });
    expect(findCrew(folder)).toMatchObject({ type: "nothing" });
    expect(findCrew(join(folder, "README.md"))).toMatchObject({ type: "nothing" });
  });

  it("says why there is nothing to run", () => {
    const folder = writeCrew({ "notes.txt": "" });
    expect(findCrew(join(folder, "gone"))).toEqual({ type: "nothing", reason: `${folder}/gone does not exist` });
    expect(findCrew(folder)).toEqual({
      type: "nothing",
      reason: `${folder} has no crew.yaml, no config/crew.yaml and no agent files`,
    });
    expect(findCrew(join(folder, "notes.txt"))).toEqual({
      type: "nothing",
      reason: `${folder}/notes.txt is neither a crew.yaml nor an agent file (.md, .ai, .yaml); 'baton import' reads files of other systems`,
    });
  });
});

describe("the project root", () => {
  it.each(["baton.yaml", "package.json", ".git/HEAD"])("is the folder with %s", (mark) => {
    const folder = writeCrew({ [mark]: "", "crews/quiz/crew.yaml": "" });
    expect(findProjectRoot(join(folder, "crews/quiz"), "/")).toBe(folder);
    expect(findProjectRoot(join(folder, "crews/quiz/crew.yaml"), "/")).toBe(folder);
  });

  it("is the nearest such folder", () => {
    const folder = writeCrew({ "baton.yaml": "", "app/package.json": "", "app/crews/quiz/crew.yaml": "" });
    expect(findProjectRoot(join(folder, "app/crews/quiz"), folder)).toBe(join(folder, "app"));
  });

  it("may be the crew's own folder", () => {
    const folder = writeCrew({ "package.json": "", "quiz/baton.yaml": "", "quiz/crew.yaml": "" });
    expect(findProjectRoot(join(folder, "quiz"), folder)).toBe(join(folder, "quiz"));
  });
});

/** Whether the machine's folder for temporary files lies in somebody's project. */
function isInProject(folder: string): boolean {
  if (["baton.yaml", "package.json", ".git"].some((mark) => existsSync(join(folder, mark)))) return true;
  return folder !== dirname(folder) && isInProject(dirname(folder));
}

describe.skipIf(isInProject(tmpdir()))("the project root where nothing marks one", () => {
  it("is the working directory if the path is in it", () => {
    const folder = writeCrew({ "crews/quiz/crew.yaml": "" });
    expect(findProjectRoot(join(folder, "crews/quiz"), folder)).toBe(folder);
    expect(findProjectRoot(join(folder, "crews/quiz/crew.yaml"), folder)).toBe(folder);
  });

  it("is the parent of a crew that one stands in, whether it is given as folder or as file", () => {
    const folder = writeCrew({ "quiz/crew.yaml": "", "exam/config/crew.yaml": "" });
    for (const path of ["quiz", "quiz/crew.yaml", "exam", "exam/config/crew.yaml"]) {
      const crew = join(folder, path.split("/")[0] ?? "");
      expect(findProjectRoot(join(folder, path), crew)).toBe(folder);
    }
  });

  it("is the folder of a crew that one stands in, or its parent where the crew needs that", () => {
    const folder = writeCrew({ "quiz/crew.yaml": "", "quiz/agents/a.md": "" });
    const home = join(folder, "quiz");
    for (const path of [home, join(home, "crew.yaml")])
      expect(chooseRoot(path, home)).toEqual({ roots: [home, folder], home });
    expect(chooseRoot(home, join(home, "agents"))).toEqual({ roots: [home, folder], home });
    expect(chooseRoot(home, folder)).toEqual({ roots: [folder], home });
    expect(chooseRoot(join(home, "agents/a.md"), join(home, "agents")).roots).toEqual([join(home, "agents")]);
  });

  it("is the path's parent if it is not, so that sibling crews see each other", () => {
    const folder = writeCrew({ "crews/quiz/crew.yaml": "", "elsewhere/notes.txt": "" });
    expect(relative(folder, findProjectRoot(join(folder, "crews/quiz"), join(folder, "elsewhere")))).toBe("crews");
    expect(basename(findProjectRoot(join(folder, "crews/quiz/a.md/.."), join(folder, "elsewhere")))).toBe("crews");
  });

  it("is not a working directory whose name the path merely begins with", () => {
    const folder = writeCrew({ "crews-old/quiz/crew.yaml": "", "crews/notes.txt": "" });
    expect(findProjectRoot(join(folder, "crews-old/quiz"), join(folder, "crews"))).toBe(join(folder, "crews-old"));
  });
});
