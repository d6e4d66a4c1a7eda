import { join } from "node:path";
import { loadDefinition } from "../src/definition/load-definition.ts";
import { listAgents } from "../src/flow/list-crews.ts";
import { openPostgresStore } from "../src/journal/open-postgres-store.ts";
import { openSqliteStore } from "../src/journal/open-sqlite-store.ts";
import type { Store } from "../src/journal/store.ts";
import { type CrewHandle, openCrew } from "../src/library/crew-handle.ts";
import type { Model } from "../src/models/model.ts";
import { createScriptModel } from "../src/models/script-model.ts";
import { buildScript } from "../src/prepare/build-script.ts";
import { type Clock, sleep, systemClock } from "../src/run/clock.ts";
import type { CrewInput } from "../src/runtime/bring-files.ts";
import { readScenario, type Scenario } from "../src/scenario/read-scenario.ts";
import type { AgentFunction } from "../src/tools/agent-function.ts";
import { importFunction } from "../src/tools/import-function.ts";
import type { Tool } from "../src/tools/tool.ts";
import { buildResult } from "../src/views/run-result.ts";
import type { Crew } from "../src/vocabulary/crew.ts";
import { BatonError } from "../src/vocabulary/errors.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { type Answering, answerTo } from "./answers.ts";
import { type Death, openKillingStore } from "./killing-store.ts";
import { nameFunction, noteInWorld, readWorld } from "./world.ts";

/** What the process is to do: with which scenario, in which folder, and at which write it is to die. */
export interface ChildTask {
  readonly scenario: string;
  /** The store of the run: a file, or the address of a database. */
  readonly store: string;
  /** Holds the crew's files, and the logs of the world: calls of models, effects of tools, answers to questions. */
  readonly folder: string;
  readonly answering: Answering;
  readonly death?: Death | undefined;
  /** How much later than now it is, so that the lease of a dead process has run out. */
  readonly laterMs: number;
}

/** What a process that lived tells. */
export interface ChildReport {
  readonly writes: number;
  /** How many writes there were before the first answer that is chosen (see `Answering`); undefined if there was none. */
  readonly writesBeforeAnswer?: number | undefined;
  readonly events: readonly BatonEvent[];
  readonly replayed: boolean;
  /** What agents have stored for other runs. */
  readonly memories: readonly string[];
}

const task: ChildTask = JSON.parse(process.argv[2] ?? "{}");
/** The run began in another folder, of which this one is a copy, and servers are started in the folder of their crew. */
const inCopy = { acceptChanges: true };
const clock: Clock = { ...systemClock, now: () => Date.now() + task.laterMs };
const read = readScenario(task.scenario, () => task.scenario);
if ("diagnostics" in read) throw new Error(read.diagnostics.map(({ message }) => message).join("\n"));
process.stdout.write(JSON.stringify(await work(read.scenario)));

/** Runs the scenario's crew, or continues the run that is in the store, to its end. */
async function work(scenario: Scenario): Promise<ChildReport> {
  const store = await openStore(task.store);
  const killing = await openKillingStore(store, task.death);
  const crew = open(scenario, killing.store);
  const [known] = await store.list();
  const runId = known?.runId ?? (await crew.run(addFiles(scenario))).runId;
  if (known?.status === "running") await crew.recover(runId, inCopy).result;
  let writesBeforeAnswer: number | undefined;
  const onAnswer = () => {
    writesBeforeAnswer ??= killing.writes();
  };
  while (await goesOn(crew, store, runId, scenario, onAnswer)) {}
  const { divergence } = await crew.replay(runId);
  const events = await store.read(runId);
  const memories = (await store.memories()).map(({ text }) => text).sort();
  await store.close();
  return { writes: killing.writes(), writesBeforeAnswer, events, replayed: divergence === undefined, memories };
}

/** The input with the files that the scenario names, which are among the crew's. */
function addFiles({ input: text = "", attachments = [] }: Scenario): CrewInput {
  const paths = attachments.map((each) => (typeof each === "string" ? each : (each.path ?? "")));
  return { text, attachments: paths.map((path) => ({ path: join(task.folder, "crew", path) })) };
}

function openStore(name: string): Promise<Store> {
  return name.startsWith("postgres://") ? openPostgresStore(name, { clock }) : openSqliteStore(name, { clock });
}

/** Says what a paused run is told; false where it is not paused, or nothing is said. */
async function goesOn(
  crew: CrewHandle,
  store: Store,
  runId: BatonEvent["runId"],
  scenario: Scenario,
  onAnswer: () => void,
): Promise<boolean> {
  const events = await store.read(runId);
  const { paused } = buildResult(events);
  if (paused === undefined) return false;
  if (paused.reason === "ambiguous" || task.answering === "cancel") onAnswer();
  if (task.answering === "cancel") return (await crew.cancel(runId)).paused !== undefined;
  const answer = answerTo(paused, events, { ...task, scenario });
  return answer !== undefined && (await isTaken(crew.resume(runId, answer, inCopy).result));
}

/** An answer that does not fit leaves the run as it is. */
async function isTaken(resuming: Promise<unknown>): Promise<boolean> {
  try {
    await resuming;
    return true;
  } catch (error) {
    if (error instanceof BatonError && error.code === "bad-answer") return false;
    throw error;
  }
}

function open(scenario: Scenario, store: Store): CrewHandle {
  const { crew } = loadDefinition(join(task.folder, "crew", scenario.run ?? "."), {
    workingDirectory: task.folder,
    root: join(task.folder, "crew"),
    tools: [...(scenario.tools?.keys() ?? [])],
  });
  if (crew === undefined) throw new Error("the crew does not load");
  const script = createScriptModel("script", buildScript(scenario.script), (ms, signal) =>
    sleep(systemClock, ms, signal),
  );
  const model: Model = {
    name: "script/proof",
    call(request) {
      noteInWorld(task.folder, "calls", { agent: request.agent, call: request.calls });
      return script.call(request);
    },
  };
  // Those of MCP servers and those that are built in are really called.
  const isReal = (name: string) =>
    [crew.mcpServers, crew.toolSets].some((sets) => sets?.has(name.split("__")[0] ?? "") === true);
  const own = [...(scenario.tools ?? [])].filter(([name]) => !isReal(name));
  const tools = own.map(([name, results]) => effectOf(name, [results].flat()));
  // Of a script there is no price to look up, and the table of prices takes long to load.
  const models = { instead: [{ provider: "script", model: "proof" }], custom: { [model.name]: model } };
  const approveServer = () => true;
  const given = {
    store,
    clock,
    tools,
    approveServer,
    root: join(task.folder, "crew"),
    models: { ...models, variables: process.env },
  };
  return openCrew(crew, [], { ...given, functions: watchFunctions(crew) });
}

/** Functions that must not be called twice, each with an effect that the world remembers. */
function watchFunctions(crew: Crew): Record<string, AgentFunction> {
  const watched = listAgents(crew).flatMap(([name, { id, function: own }]) => {
    if (own?.module === undefined || own.effect !== "once") return [];
    const { module } = own;
    const run: AgentFunction = async (input, context) => {
      const words = String(await (await importFunction(id, module))(input, context));
      noteInWorld(task.folder, "effects", { tool: nameFunction(id), args: input, words });
      return words;
    };
    return [[name, run] as const];
  });
  return Object.fromEntries(watched);
}

interface Result {
  readonly result?: unknown;
  readonly error?: unknown;
  readonly needs_approval?: boolean | undefined;
}

/** A tool with an effect that the world remembers, whichever process had it. */
function effectOf(name: string, results: readonly Result[]): Tool {
  return {
    name,
    description: name,
    parameters: { type: "object" },
    read: (args) => ({ value: args }),
    async execute(args, { callId, idempotencyKey, attempt }) {
      const before = readWorld(task.folder, "effects").filter((line) => line.tool === name).length;
      noteInWorld(task.folder, "effects", { tool: name, args, callId, idempotencyKey, attempt });
      const { result, error } = results[Math.min(before, results.length - 1)] ?? {};
      if (error !== undefined) throw new Error(String(error));
      return result;
    },
    timeoutMs: undefined,
    effect: "once",
    isSequential: false,
    needsApproval: results.some(({ needs_approval }) => needs_approval === true),
  };
}
