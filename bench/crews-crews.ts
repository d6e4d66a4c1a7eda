import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CrewHandle, loadCrew, type Model, type ModelRequest } from "../src/index.ts";

const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 15 };

/** Leads call so often before they are done; workers answer at once. */
export function callingModel(calls: number): Model {
  const reply = ({ agent, calls: made }: ModelRequest) => {
    const isDone = made > calls;
    const text = agent === "worker" ? "Here you are. [BACK]" : isDone ? "All done. [DONE]" : "Please. [GO]";
    return { text, toolCalls: [], usage, finish: "stop" as const };
  };
  return { name: "fake/instant", call: async (request) => reply(request) };
}

/** The lead hands to a worker, who hands back, so often. */
export function handingCrew(folder: string, calls: number): Promise<CrewHandle> {
  writeCrew(folder, { go: "target: worker", others: ["worker"], calls });
  return open(folder, calls);
}

/** The lead calls a crew of one worker, so often. */
export function callingCrew(folder: string, calls: number): Promise<CrewHandle> {
  writeCrew(folder, { go: "target_crew: lab", crews: ["lab"], calls });
  writeWorker(join(folder, "lab"));
  return open(folder, calls);
}

/** Crews of one lead each within each other, so deep; the innermost is a worker. */
export function nestedCrew(folder: string, depth: number): Promise<CrewHandle> {
  let at = folder;
  for (let level = 0; level < depth; level++) {
    // Each level has what the one above it has left.
    writeCrew(at, { go: "target_crew: inner", crews: ["inner"], calls: 2 * depth });
    at = join(at, "inner");
  }
  writeWorker(at);
  return open(folder, 1);
}

/** A crew with so many others below it, each in a folder of its own. */
export function writeCrews(folder: string, count: number): string {
  const crews = Array.from({ length: count }, (_, index) => `team-${index}`);
  writeCrew(folder, { go: `target_crews: [${crews.join(", ")}]`, crews, calls: 1 });
  for (const crew of crews) writeWorker(join(folder, crew));
  return folder;
}

interface Written {
  /** What `[GO]` does. */
  readonly go: string;
  readonly others?: readonly string[];
  readonly crews?: readonly string[];
  readonly calls: number;
}

function writeCrew(folder: string, { go, others = [], crews = [], calls }: Written): void {
  write(join(folder, "crew.yaml"), [
    'version: "2.0"',
    "name: master",
    "entry_point: lead",
    `agents: [${["lead", ...others].join(", ")}]`,
    "models: [fake/instant]",
    "sub_crews:",
    ...crews.map((name) => `  ${name}: { config_path: ./${name}, description: works }`),
    "routing:",
    "  signals:",
    `    lead: [{ signal: "[GO]", ${go} }, { signal: "[DONE]", target: "" }]`,
    ...others.map((id) => `    ${id}: [{ signal: "[BACK]", target: lead }]`),
    `settings: { max_handoffs: ${2 * calls}, max_rounds: ${2 * calls + 20}, timeout_seconds: 3600, max_crew_depth: 100 }`,
  ]);
  write(join(folder, "agents/lead.md"), ["---", "description: leads", "---", "Say [GO], and at the end [DONE]."]);
  for (const id of others) write(join(folder, `agents/${id}.md`), ["---", "description: works", "---", "Say [BACK]."]);
}

function writeWorker(folder: string): void {
  const crew = ['version: "2.0"', "name: lab", "entry_point: worker", "agents: [worker]", "models: [fake/instant]"];
  write(join(folder, "crew.yaml"), crew);
  write(join(folder, "agents/worker.md"), ["---", "description: works", "---", "Work."]);
}

function write(file: string, lines: readonly string[]): void {
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, `${lines.join("\n")}\n`);
}

function open(folder: string, calls: number): Promise<CrewHandle> {
  return loadCrew(folder, { root: folder, models: { "fake/instant": callingModel(calls) }, env: {} });
}
