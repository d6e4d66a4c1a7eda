import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadDefinition } from "../src/definition/load-definition.ts";
import { BatonError } from "../src/errors.ts";
import type { BatonEvent, Paused, ResumeAnswer } from "../src/events.ts";
import { type CrewHandle, openCrew } from "../src/host/crew-handle.ts";
import { scriptOf } from "../src/host/script-of.ts";
import { openSqliteStore } from "../src/journal/sqlite-store.ts";
import type { Model } from "../src/models/model.ts";
import { createScriptModel } from "../src/models/script-model.ts";
import { sleep, systemClock } from "../src/run/clock.ts";
import type { Store } from "../src/run/store.ts";
import { readScenario, type Scenario } from "../src/scenario/read-scenario.ts";
import type { Tool } from "../src/tools/tool.ts";
import { resultOf } from "../src/views/run-result.ts";

/** What the process is to do: with which scenario, in which folder, and at which write it is to die. */
export interface ChildTask {
  readonly scenario: string;
  /** Holds the crew's files, the store, and the logs of the world: calls of models, effects of tools. */
  readonly folder: string;
  readonly die?: { readonly at: number; readonly when: "before" | "in" | "after" };
  /** How much later than now it is, so that the lease of a dead process has run out. */
  readonly laterMs: number;
}

/** What a process that lived tells. */
export interface ChildReport {
  readonly writes: number;
  readonly events: readonly BatonEvent[];
  readonly replayed: boolean;
}

const task: ChildTask = JSON.parse(process.argv[2] ?? "{}");
const read = readScenario(task.scenario, () => task.scenario);
if ("diagnostics" in read) throw new Error(read.diagnostics.map(({ message }) => message).join("\n"));
process.stdout.write(JSON.stringify(await work(read.scenario)));

/** Runs the scenario's crew, or goes on with the run that is in the store, to its end. */
async function work(scenario: Scenario): Promise<ChildReport> {
  const store = await openSqliteStore(join(task.folder, "journal.sqlite"), {
    clock: { now: () => Date.now() + task.laterMs },
  });
  const counted = countWrites(store);
  const crew = open(scenario, counted.store);
  const [known] = await store.list();
  const runId = known?.runId ?? (await crew.run(scenario.input ?? "")).runId;
  if (known?.status === "running") await crew.recover(runId);
  for (;;) {
    const events = await store.read(runId);
    const { paused } = resultOf(events);
    const answer = paused === undefined ? undefined : answerTo(paused, events, scenario);
    if (answer === undefined || !(await isTaken(crew.resume(runId, answer)))) break;
  }
  const { divergence } = await crew.replay(runId);
  const events = await store.read(runId);
  await store.close();
  return { writes: counted.writes(), events, replayed: divergence === undefined };
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

/** A store whose process dies at one of its writes: before it, when it is asked for, or when it is durable. */
function countWrites(store: Store): { readonly store: Store; writes(): number } {
  let writes = 0;
  const die = () => process.kill(process.pid, "SIGKILL");
  const count = async <Value>(write: () => Promise<Value>): Promise<Value> => {
    const isIt = task.die?.at === writes++;
    if (isIt && task.die?.when === "before") die();
    const writing = write();
    if (isIt && task.die?.when === "in") die();
    const value = await writing;
    if (isIt) die();
    return value;
  };
  return {
    writes: () => writes,
    store: {
      ...store,
      take: (...args) => count(() => store.take(...args)),
      append: (...args) => count(() => store.append(...args)),
      release: (...args) => count(() => store.release(...args)),
      put: (...args) => count(() => store.put(...args)),
    },
  };
}

function open(scenario: Scenario, store: Store): CrewHandle {
  const { crew } = loadDefinition(join(task.folder, "crew", scenario.run ?? "."), {
    workingDirectory: task.folder,
    root: join(task.folder, "crew"),
    tools: [...(scenario.tools?.keys() ?? [])],
  });
  if (crew === undefined) throw new Error("the crew does not load");
  const script = createScriptModel("script", scriptOf(scenario.script), (ms, signal) => sleep(systemClock, ms, signal));
  const model: Model = {
    name: "proof/model",
    call(request) {
      log("calls", { agent: request.agent, call: request.calls });
      return script.call(request);
    },
  };
  const tools = [...(scenario.tools ?? [])].map(([name, results]) => effectOf(name, [results].flat()));
  const models = { instead: [{ provider: "proof", model: "model" }], custom: new Map([["proof/model", model]]) };
  return openCrew(crew, [], { store, tools, models: { ...models, variables: {} } });
}

type Results = readonly { readonly result?: unknown; readonly error?: unknown }[];

/** A tool with an effect that the world remembers, whichever process had it. */
function effectOf(name: string, results: Results): Tool {
  return {
    name,
    description: name,
    parameters: { type: "object" },
    read: (args) => ({ value: args }),
    async execute() {
      const before = logged("effects").filter((line) => line.tool === name).length;
      log("effects", { tool: name });
      const { result, error } = results[Math.min(before, results.length - 1)] ?? {};
      if (error !== undefined) throw new Error(String(error));
      return result;
    },
    timeoutMs: undefined,
    effect: "once",
    isSequential: false,
    needsApproval: false,
  };
}

/** What the scenario answers; whether something happened, the world's log knows. */
function answerTo(paused: Paused, events: readonly BatonEvent[], scenario: Scenario): ResumeAnswer | undefined {
  if (paused.reason === "ambiguous") {
    const [tool = ""] = paused.prompt.split(" ");
    const isDone = (event: BatonEvent) => event.type === "tool.completed" && event.data.tool === tool;
    const happened = logged("effects").filter((line) => line.tool === tool).length > events.filter(isDone).length;
    const [result] = [scenario.tools?.get(tool)].flat();
    return happened ? { decision: "happened", result: result?.result } : { decision: "not_happened" };
  }
  const given = events.filter(
    (event) => event.type === "run.resumed" && event.data.decision?.includes("happened") !== true,
  );
  const answer = scenario.resume?.[given.length];
  return answer && Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined));
}

function log(name: string, line: object): void {
  appendFileSync(join(task.folder, `${name}.log`), `${JSON.stringify(line)}\n`);
}

function logged(name: string): { readonly tool?: string }[] {
  const file = join(task.folder, `${name}.log`);
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
