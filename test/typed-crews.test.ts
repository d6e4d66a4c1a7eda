import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import {
  type CrewDefinition,
  type CrewHandle,
  type CrewInput,
  defineAgent,
  defineCrew,
  defineTool,
  type RunResult,
  script,
  type ToolContext,
} from "../src/index.ts";

const invoice = z.object({ total: z.number() });
const note = z.object({ text: z.string() });
type Invoice = { total: number };
type Note = { text: string };
const reader = defineAgent({ id: "reader", prompt: "Read.", output: invoice });
const writer = defineAgent({ id: "writer", prompt: "Write.", output: note });
const plain = defineAgent({ id: "plain", prompt: "Talk." });

/** What `result.object` of a crew's runs is when they completed. */
type ObjectOf<Handle> = Handle extends CrewHandle<infer Types> ? Types["object"] : never;

describe("the object of a result", () => {
  it("has the type of the only agent's output, once the result is known to be complete", async () => {
    const crew = defineCrew({ name: "books", agents: [reader] });
    const result = await crew.run("go", { script: script({ reader: ['{ "total": 5 }'] }) });
    expectTypeOf(result).toEqualTypeOf<RunResult<Invoice>>();
    expectTypeOf(result.object).toEqualTypeOf<Invoice | undefined>();
    if (result.status !== "completed" || result.error !== undefined) expect.fail("the run is not complete");
    expectTypeOf(result.object).toEqualTypeOf<Invoice>();
    expect(result.object.total).toBe(5);
    expectTypeOf(crew.start).returns.toHaveProperty("result").resolves.toEqualTypeOf<RunResult<Invoice>>();
    expectTypeOf(crew.conversation("t").run).returns.resolves.toEqualTypeOf<RunResult<Invoice>>();
    expectTypeOf(crew.resume).returns.toHaveProperty("result").resolves.toEqualTypeOf<RunResult<Invoice>>();
  });

  it("has the type of those agents that may end a run", () => {
    const last = defineCrew({ name: "x", agents: [plain, reader] });
    expectTypeOf<ObjectOf<typeof last>>().toEqualTypeOf<Invoice>();
    const text = defineCrew({ name: "x", agents: [reader, plain] });
    expectTypeOf<ObjectOf<typeof text>>().toEqualTypeOf<undefined>();
    const passed = defineCrew({ name: "x", agents: [{ id: "a", prompt: "Pass.", handoff: "reader" }, reader] });
    expectTypeOf<ObjectOf<typeof passed>>().toEqualTypeOf<Invoice>();
    const called = defineCrew({
      name: "x",
      agents: [
        { ...reader, agents: ["helper"] },
        { id: "helper", description: "helps", prompt: "Help." },
      ],
    });
    expectTypeOf<ObjectOf<typeof called>>().toEqualTypeOf<Invoice>();
  });

  it("is a union where several may end it, with undefined where one of them answers text", () => {
    const signals = { reader: [{ signal: "[END]", target: "" }] } as const;
    const two = defineCrew({ name: "x", agents: [reader, writer], routing: { signals } });
    expectTypeOf<ObjectOf<typeof two>>().toEqualTypeOf<Invoice | Note>();
    const described = [
      { ...reader, description: "reads" },
      { ...writer, description: "writes" },
    ] as const;
    const routed = defineCrew({ name: "x", agents: [{ ...plain, router: ["reader", "writer"] }, ...described] });
    expectTypeOf<ObjectOf<typeof routed>>().toEqualTypeOf<Invoice | Note | undefined>();
    const mixed = defineCrew({ name: "x", agents: [plain, reader], settings: { onNoSignal: "stop" } });
    expectTypeOf<ObjectOf<typeof mixed>>().toEqualTypeOf<Invoice | undefined>();
    const repaired = defineCrew({ name: "x", agents: [plain, reader], settings: { on_no_signal: "repair" } });
    expectTypeOf<ObjectOf<typeof repaired>>().toEqualTypeOf<Invoice>();
    const joined = defineCrew({
      name: "x",
      agents: [plain, { ...reader, isTerminal: true }],
      routing: {
        signals: { plain: [{ signal: "[ALL]", target: "all" }] },
        parallel_groups: { all: { agents: ["plain", "reader"], wait_for_all: true } },
        defaults: { plain: "reader" },
      },
    });
    expectTypeOf<ObjectOf<typeof joined>>().toEqualTypeOf<Invoice | undefined>();
  });

  it("is unknown where the compiler does not know", () => {
    const json = defineCrew({ name: "x", agents: [{ id: "a", prompt: "Work.", output: "json" }] });
    expectTypeOf<ObjectOf<typeof json>>().toEqualTypeOf<unknown>();
    const schema = defineCrew({ name: "x", agents: [{ id: "a", prompt: "Work.", output: { type: "object" } }] });
    expectTypeOf<ObjectOf<typeof schema>>().toEqualTypeOf<unknown>();
    const definition: CrewDefinition = { name: "x", agents: [{ id: "a", prompt: "Work." }] };
    const wide = defineCrew(definition);
    expectTypeOf<ObjectOf<typeof wide>>().toEqualTypeOf<unknown>();
  });
});

describe("names in a crew in code", () => {
  it("may be any where the compiler does not know them", () => {
    const agents = ["a", "b"].map((id) => ({ id, prompt: "Work.", tools: ["look"].map((name) => name) }));
    const look = defineTool({ name: "look", description: "looks", execute: () => "seen" });
    const crew = defineCrew({ name: "x", agents, tools: [look], routing: { defaults: { a: "b" } } });
    expectTypeOf(crew.run).parameter(0).toEqualTypeOf<CrewInput>();
    const name: string = "b";
    expect(() => defineCrew({ name: "x", agents: [{ id: "a" }, { id: "b" }], entryPoint: name })).not.toThrow();
  });

  it("are those of tools in a list or record, and of tools of MCP servers, which the compiler does not know", () => {
    const look = defineTool({ name: "look", description: "looks", execute: () => "seen" });
    const of = (tool: "look" | "watch") => tool;
    expect(() =>
      defineCrew({ name: "x", agents: [{ id: "a", tools: [of("look")] }], tools: { watch: look, look } }),
    ).not.toThrow();
    const servers = { files: { command: "files" } };
    expect(() =>
      defineCrew({ name: "x", agents: [{ id: "a", tools: ["files__read"] }], mcpServers: servers }),
    ).not.toThrow();
  });

  it("of collaborators may be written as in a prompt", () => {
    const billing = defineAgent({ id: "billing", name: "Billing Agent", description: "bills", prompt: "Bill." });
    expect(() =>
      defineCrew({
        name: "x",
        agents: [
          { id: "front", prompt: "Greet.", collaborations: ["billing", "BILLING agent", { agent: "Billing" }] },
          billing,
        ],
      }),
    ).not.toThrow();
  });

  it("add up the context that functions and tools need", () => {
    const run = (_: string, { context }: ToolContext<{ db: string }>) => context.db;
    const look = defineTool({
      name: "look",
      description: "looks",
      execute: (_, { context }: ToolContext<{ customer: string }>) => context.customer,
    });
    const crew = defineCrew({
      name: "x",
      agents: [
        { id: "a", run, description: "steps" },
        { id: "b", tools: ["look"] },
      ],
      tools: [look],
    });
    const calls = [
      () => crew.run("go", { context: { db: "x", customer: "y" } }),
      // @ts-expect-error the customer is missing
      () => crew.run("go", { context: { db: "x" } }),
    ];
    expect(calls).toHaveLength(2);
  });
});

/** What the compiler says of a program in a strict project, a line for each error. */
function compile(program: string): string[] {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), "baton-types-"));
  const compilerOptions = {
    typeRoots: [join(root, "node_modules/@types")],
    noEmit: true,
    rewriteRelativeImportExtensions: false,
  };
  const options = { ...compilerOptions, allowImportingTsExtensions: true };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions: options, include: ["*.mts"] }),
  );
  writeFileSync(
    join(folder, "program.mts"),
    program.replace('"baton-agents"', JSON.stringify(join(root, "src/index.ts"))),
  );
  const { stdout } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", folder], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.includes("error TS"));
}

describe("what the compiler says of a crew in code", () => {
  it("is where the mistake is, and what there is instead", () => {
    const errors = compile(`import { defineAgent, defineCrew } from "baton-agents";
const fixer = defineAgent({ id: "fixer", prompt: "Repair." });
const base = { name: "desk" } as const;
const triage = { id: "triage", prompt: "Read." } as const;
defineCrew({ ...base, agents: [triage, fixer], entryPoint: "triag" });
defineCrew({ ...base, agents: [triage, fixer], routing: { signals: { triage: [{ signal: "[FIX]", target: "fixr" }] } } });
defineCrew({ ...base, agents: [triage, fixer], routing: { signals: { triag: [{ signal: "[FIX]", target: "fixer" }] } } });
defineCrew({ ...base, agents: [triage, fixer], routing: { defaults: { triage: "fixr" } } });
defineCrew({ ...base, agents: [triage, fixer], routing: { parallelGroups: { all: { agents: ["fixer", "fixr"] } } } });
defineCrew({ ...base, agents: [{ ...triage, router: ["fixr"] }, fixer] });
defineCrew({ ...base, agents: [{ ...triage, router: { destinations: [{ agent: "fixr" }] } }, fixer] });
defineCrew({ ...base, agents: [{ ...triage, team: { members: ["fixr"], supervisor: "triage" } }, fixer] });
defineCrew({ ...base, agents: [{ ...triage, collaborations: ["somebody"] }, fixer] });
defineCrew({ ...base, agents: [{ ...triage, delegate: ["lab"] }, fixer] });
defineCrew({ ...base, agents: [triage, fixer], routing: { signals: { triage: [{ signal: "[GO]", targetCrew: "lab" }] } } });
defineCrew({ ...base, agents: [{ ...triage, tools: ["saw"] }, fixer] });
defineCrew({ ...base, agents: [triage, fixer], settings: { maxHandoffs: 3, max_handoffs: 4 } });
defineAgent({ id: "a", maxTurns: 3, max_turns: 4 });
defineAgent({ id: "a", maxTruns: 3 });
defineCrew({ ...base, agents: [triage, fixer], entrypoint: "triage" });
defineCrew({ ...base, agents: [triage, fixer], subCrews: { lab: { configPath: "./lab", config_path: "./lab" } } });
defineCrew({ ...base, agents: [triage, fixer], settings: { quotas: [{ maxTokens: 3, max_tokens: 4 }] } });
defineCrew({ ...base, agents: [{ ...triage, router: [{ agent: "fixer", when: { turnsOver: 1, turns_over: 2 } }] }, fixer] });
`);
    const at = (line: number) => errors.filter((error) => error.includes(`(${line},`)).join();
    const near = `is not assignable to type '"" | "fixer" | "triage" | undefined'. Did you mean '"fixer"'?`;
    expect(at(5)).toContain(
      `is not assignable to type '"auto" | "fixer" | "triage" | undefined'. Did you mean '"triage"'?`,
    );
    expect(at(6)).toContain(near);
    expect(at(7)).toContain("Problem<\"there is no agent 'triag'\">");
    expect(at(8)).toContain(`Did you mean '"fixer"'?`);
    for (const line of [9, 10, 11, 12])
      expect(at(line)).toContain(`Type '"fixr"' is not assignable to type '"fixer" | "triage"`);
    expect(at(13)).toContain(`Type '"somebody"' is not assignable to type`);
    for (const line of [14, 15]) expect(at(line)).toContain("the crew has no sub-crews");
    expect(at(16)).toContain("the crew has no tools");
    expect(at(17)).toContain("'maxHandoffs' and 'max_handoffs' are the same key: write one of them");
    expect(at(18)).toContain("'maxTurns' and 'max_turns' are the same key: write one of them");
    expect(at(19)).toContain("Did you mean to write 'maxTurns'?");
    expect(at(20)).toContain("Did you mean to write 'entryPoint'?");
    for (const [line, key] of [
      [21, "configPath"],
      [22, "maxTokens"],
      [23, "turnsOver"],
    ] as const)
      expect(at(line)).toContain(`Problem<"'${key}' and`);
    expect(errors).toHaveLength(19);
  });
});
