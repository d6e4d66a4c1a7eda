import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { init } from "../src/cli/init-command.ts";
import { addPart } from "../src/cli/new-command.ts";
import { type CrewKind, crewKinds } from "../src/init/crew-templates.ts";
import { loadCrew } from "../src/library/load-crew.ts";
import { readScript } from "../src/prepare/read-script.ts";
import { runScenarios } from "../src/scenario/run-scenarios.ts";
import { runInTerminal } from "./in-terminal.ts";
import { printed } from "./kept-runs.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const kinds = Object.keys(crewKinds) as CrewKind[];

describe("a crew that baton init writes", () => {
  for (const kind of kinds)
    for (const tools of ["none", "typescript"] as const)
      it(`of the kind ${kind}, with tools ${tools}, passes the strict check, plays its scenarios and runs its script`, async () => {
        const folder = writeCrew({});
        const made = await printed((terminal) => init(folder, { kind, tools, yes: true }, terminal));
        expect(made).toMatchObject({ exitCode: 0, output: expect.stringContaining("✓ passes baton check --strict") });
        const { passed, failed } = await runScenarios([folder]);
        expect({ passed, failed }).toEqual({ passed: 2, failed: 0 });
        const crew = await loadCrew(folder, { strict: true });
        const script = readScript(join(folder, "demo.script.yaml"));
        const events = [];
        for await (const event of crew.stream(crewKinds[kind].input, { script })) events.push(event.type);
        expect(events.at(-1)).toBe("run.completed");
        expect(events.includes("tool.completed")).toBe(tools === "typescript");
        expect(existsSync(join(folder, "tools.ts"))).toBe(tools === "typescript");
      });

  it("leaves no placeholder and no mark of the template in a file", async () => {
    for (const kind of kinds) {
      const folder = writeCrew({});
      const { output } = await printed((terminal) => init(folder, { kind, yes: true, json: true }, terminal));
      for (const file of JSON.parse(output).files)
        expect(readFileSync(join("/", file), "utf8")).not.toMatch(/__[A-Z]+__|#tools/);
    }
  });

  it("takes the provider whose key is set, and names the variable of its key", async () => {
    const folder = writeCrew({});
    await printed((terminal) => init(folder, { yes: true }, { ...terminal, variables: { MISTRAL_API_KEY: "x" } }));
    expect(readFileSync(join(folder, "crew.yaml"), "utf8")).toContain("models: [mistral/");
    expect(readFileSync(join(folder, ".env.example"), "utf8")).toContain("MISTRAL_API_KEY=\n");
  });

  it("gets a workflow where the repository has a folder for such", async () => {
    const root = writeCrew({ ".github/CODEOWNERS": "", ".git/HEAD": "" });
    await printed((terminal) => init(join(root, "crews/desk"), { yes: true }, terminal));
    expect(readFileSync(join(root, ".github/workflows/baton.yml"), "utf8")).toContain(
      'working-directory: "crews/desk"',
    );
  });
});

describe("baton init", () => {
  it("prints three commands that work from where it was called", () => {
    const cwd = writeCrew({ "node_modules/.bin/baton": "" });
    const { exitCode, stdout } = runBaton(["init", "my desk", "--yes"], { cwd });
    expect(exitCode).toBe(0);
    const commands = [...stdout.matchAll(/^ {2}npx baton (.*)$/gm)].map(([, words = ""]) => words);
    expect(commands).toHaveLength(3);
    for (const words of commands) {
      const args = [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
      expect(runBaton(args, { cwd }), words).toMatchObject({ exitCode: 0 });
    }
  });

  it("overwrites nothing, and writes nothing where a file is in the way", async () => {
    const folder = writeCrew({ "README.md": "mine", "agents/billing.md": "mine, too" });
    const { exitCode, notes } = await printed((terminal) => init(folder, { yes: true }, terminal));
    expect(exitCode).toBe(1);
    expect(notes).toMatch(/agents\/billing\.md, .*README\.md exist already, and nothing was written/);
    expect(existsSync(join(folder, "crew.yaml"))).toBe(false);
    expect(readFileSync(join(folder, "README.md"), "utf8")).toBe("mine");
  });

  it("keeps a manifest that is there, and refuses a folder with a crew", async () => {
    const folder = writeCrew({ "package.json": "{}" });
    await printed((terminal) => init(folder, { yes: true }, terminal));
    expect(readFileSync(join(folder, "package.json"), "utf8")).toBe("{}");
    const again = await printed((terminal) => init(folder, { yes: true }, terminal));
    expect(again).toMatchObject({ exitCode: 1, notes: expect.stringContaining("has a crew already") });
  });

  it("says what to give where it can ask nobody", async () => {
    const { exitCode, notes } = await printed((terminal) => init("/nowhere", { kind: "team" }, terminal));
    expect(exitCode).toBe(2);
    expect(notes).toContain("--provider, --tools");
  });

  it("asks three questions at a terminal, and again after an answer that is none", async () => {
    const cwd = writeCrew({});
    const keys = [
      ["What is the crew for?", "nine\n"],
      ["is none of them", "2\n"],
      ["Which provider", "ollama\n"],
      ["in TypeScript?", "\n"],
    ] as const;
    const { exitCode } = await runInTerminal(["init", "texts"], { cwd, keys });
    expect(exitCode).toBe(0);
    const crew = readFileSync(join(cwd, "texts/crew.yaml"), "utf8");
    expect(crew).toContain("agents: [planner, writer, editor]");
    expect(crew).toContain("models: [ollama/llama3.2]");
  });

  it("writes nothing if the person leaves", async () => {
    const cwd = writeCrew({});
    const keys = [["What is the crew for?", "\u0003"]] as const;
    const { exitCode, written } = await runInTerminal(["init", "texts"], { cwd, keys });
    expect({ exitCode, there: existsSync(join(cwd, "texts")) }).toEqual({ exitCode: 130, there: false });
    expect(written).toContain("Nothing was written.");
  });
});

describe("baton new", () => {
  const made = async () => {
    const folder = writeCrew({});
    await printed((terminal) => init(folder, { kind: "triage", yes: true }, terminal));
    return folder;
  };

  it("adds an agent, lists it, and shows what is still missing", async () => {
    const crew = await made();
    const { exitCode, output } = await printed((terminal) => addPart("agent", "translator", { crew }, terminal));
    expect(exitCode).toBe(0);
    expect(output).toContain("agent 'translator' can never be reached");
    expect(readFileSync(join(crew, "crew.yaml"), "utf8")).toContain(
      "agents: [front-desk, billing, technical, translator]",
    );
    expect(existsSync(join(crew, "agents/translator.md"))).toBe(true);
  });

  it("adds a scenario that passes as it is", async () => {
    const crew = await made();
    const { exitCode } = await printed((terminal) =>
      addPart("scenario", "A thank you is answered!", { crew }, terminal),
    );
    expect(exitCode).toBe(0);
    expect(readFileSync(join(crew, "scenarios/a-thank-you-is-answered.scenario.yaml"), "utf8")).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/node_modules\/baton-agents\/schema\/scenario\.schema\.json\n/,
    );
    expect(await runScenarios([crew])).toMatchObject({ passed: 3, failed: 0 });
  });

  it("refuses what is there already, what cannot be a name, and a folder without a crew", async () => {
    const crew = await made();
    const refusal = async (part: "agent" | "scenario", name: string, path = crew) =>
      (await printed((terminal) => addPart(part, name, { crew: path }, terminal))).notes;
    expect(await refusal("agent", "billing")).toContain("has an agent 'billing' already");
    expect(await refusal("agent", "../x")).toContain("is no id of an agent");
    expect(await refusal("scenario", "refund")).toContain("exists already: choose another name");
    expect(await refusal("scenario", "???")).toContain("has no letter or digit");
    expect(await refusal("agent", "x", "/nowhere")).toContain("there is no crew.yaml in /nowhere");
  });
});
