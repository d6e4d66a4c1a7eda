import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { readMap } from "../src/definition/agent-file.ts";
import { agentShape } from "../src/definition/agent-shape.ts";
import { crewShape } from "../src/definition/crew-shape.ts";
import { createProblemLog } from "../src/definition/problem-log.ts";
import { createSource } from "../src/definition/source.ts";
import { jsonSchemas } from "../src/scenario/json-schemas.ts";
import { scenarioShape } from "../src/scenario/scenario-shape.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const ajv = new Ajv2020({ allErrors: true, strict: false, formats: { regex: true } });
const validators = new Map(Object.entries(jsonSchemas).map(([kind, schema]) => [kind, ajv.compile(schema)]));

describe("the schemas", () => {
  const examples = filesBelow(join(root, "examples"));

  it.each(examples.filter((file) => file.endsWith("crew.yaml")))("accept the example crew %s", (file) => {
    expect(problemsOf("crew", parse(readFileSync(file, "utf8")))).toEqual([]);
  });

  it.each(examples.filter((file) => file.includes("/agents/")))("accept the example agent %s", (file) => {
    expect(problemsOf("agent", parse(frontmatterOf(readFileSync(file, "utf8"))) ?? {})).toEqual([]);
  });

  const conformance = join(root, "../shared/conformance");
  it.skipIf(!existsSync(conformance))("accept every conformance file, and the crews and agents inside them", () => {
    for (const file of filesBelow(conformance).filter((name) => name.endsWith(".scenario.yaml"))) {
      const scenario = parse(readFileSync(file, "utf8"));
      expect(problemsOf("scenario", scenario), file).toEqual([]);
      const isInvalid = scenario.expect.diagnostics !== undefined;
      for (const [name, text] of Object.entries<string>(scenario.files ?? {})) {
        if (isInvalid) continue;
        if (name.endsWith("crew.yaml")) expect(problemsOf("crew", parse(text)), `${file}: ${name}`).toEqual([]);
        else expect(problemsOf("agent", parse(frontmatterOf(text)) ?? {}), `${file}: ${name}`).toEqual([]);
      }
    }
  });

  const shapes = { crew: crewShape, agent: agentShape, scenario: scenarioShape };

  /** What the loader itself says of a value, to hold against the schema. */
  function loaderRefuses(kind: keyof typeof shapes, value: unknown): boolean {
    const log = createProblemLog();
    const reporter = log.reporter(true);
    const text = stringify(value);
    const source = createSource("file", text);
    const root = readMap(source, { start: 0, end: text.length }, reporter);
    if (root !== undefined) shapes[kind].read(root, kind, { source, reporter });
    return reporter.hasErrors();
  }

  it.each<[keyof typeof shapes, unknown]>([
    ["crew", { version: "2.0", name: "x", agents: ["a"], settings: { max_handofs: 1 } }],
    ["crew", { version: "3.0", agents: [] }],
    ["crew", { version: "2.0", agents: "a" }],
    ["crew", { version: "2.0", agents: null }],
    ["crew", { version: "2.0", agents: ["a"], sub_crews: { lab: { description: "x" } } }],
    ["crew", { version: "2.0", agents: ["a"], sub_crews: { lab: { configPath: 3 } } }],
    ["agent", { maxTurns: "ten" }],
    ["agent", { llm_timeout: "soon" }],
    ["agent", { llm_timeout: "0s" }],
    ["agent", { llm_timeout: 1e15 }],
    ["agent", { handoff: "" }],
    ["agent", { chat: "perhaps" }],
    ["agent", { handoff: { include: [] } }],
    ["scenario", { name: "x", expect: "completed" }],
  ])("refuse what the loader refuses, in a %s file: %j", (kind, value) => {
    expect({ schema: problemsOf(kind, value).length > 0, loader: loaderRefuses(kind, value) }).toEqual({
      schema: true,
      loader: true,
    });
  });

  it.each<[keyof typeof shapes, unknown]>([
    ["agent", { chat: "Yes", llm_timeout: "500", tool_timeout: "1.5s", temperature: 0 }],
    ["crew", { version: "2.0", agents: ["a"], subCrews: { lab: { configPath: "./lab" } } }],
  ])("accept what the loader accepts, in a %s file: %j", (kind, value) => {
    expect({ schema: problemsOf(kind, value), loader: loaderRefuses(kind, value) }).toEqual({
      schema: [],
      loader: false,
    });
  });

  it.each([
    ["both spellings of a key", "agent", { maxTurns: 3, llmTimeout: "30s", topP: 0.5 }],
    ["a key with nothing behind it", "agent", { tools: null, handoff: null }],
    ["a version that YAML reads as a number", "crew", { version: 2, name: "x", agents: ["a"] }],
    [
      "a list or a map of signals",
      "crew",
      { version: "1.0", agents: ["a"], signals: { "[X]": { behavior: "pause" } } },
    ],
  ])("accept %s", (_, kind, value) => {
    expect(problemsOf(kind, value)).toEqual([]);
  });

  it("stand in the header of every example file in YAML", () => {
    for (const file of examples.filter((name) => name.endsWith(".yaml") && !name.endsWith(".script.yaml"))) {
      const [header = ""] = readFileSync(file, "utf8").split("\n");
      const path = /^# yaml-language-server: \$schema=(\S+)$/.exec(header)?.[1];
      expect(path, `${file} has no header`).toBeDefined();
      expect(existsSync(join(dirname(file), path ?? "")), `${file}: ${path}`).toBe(true);
    }
  });
});

function problemsOf(kind: string, value: unknown): string[] {
  const validate = validators.get(kind);
  if (validate === undefined) throw new Error(`no schema ${kind}`);
  validate(value);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

function frontmatterOf(text: string): string {
  return text.startsWith("---\n") ? text.slice(4, text.indexOf("\n---", 3)) : text.includes("\n---") ? "" : text;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => /\.(md|ya?ml)$/.test(file) && !file.endsWith("README.md"));
}
