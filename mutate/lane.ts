import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createVitest, type TestModule } from "vitest/node";

/** Tests of one file to run: all of them, or those with these ids. */
export interface LaneTask {
  readonly file: string;
  readonly testIds?: readonly string[];
  readonly mutant?: number;
  /** Where to record which mutants are reached. */
  readonly record?: string;
}

export interface LaneResult {
  readonly tests: readonly { readonly id: string; readonly name: string; readonly ms: number }[];
  /** How long the whole took, with the start of the process and the loading of its sources. */
  readonly ms: number;
  /** The first test that failed; its file, where that could not even be loaded. */
  readonly failed?: { readonly id?: string; readonly name: string };
}

/**
 * A process that runs test files on request and keeps what it has compiled: each file gets a process of its own, with the
 * mutant in its environment. Whoever started it ends it by closing the channel.
 */
process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"));
const root = process.cwd();
const vitest = await createVitest(
  "test",
  { root, watch: false, reporters: [{}], maxWorkers: 1, isolate: true, bail: 1, hideSkippedTests: true },
  { test: { setupFiles: [fileURLToPath(new URL("./record-tests.ts", import.meta.url))] } },
);
await vitest.standalone();
process.on("message", (task: LaneTask) => void runTests(task).then((result) => process.send?.(result)));
process.send?.("ready");

async function runTests({ file, testIds, mutant, record }: LaneTask): Promise<LaneResult> {
  setVariable("BATON_MUTANT", mutant?.toString());
  setVariable("BATON_MUTANT_RECORD", record);
  const start = performance.now();
  const path = join(root, file);
  const options = testIds === undefined ? undefined : { testIds: [...testIds] };
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([
    vitest.getRootProject().createSpecification(path, options),
  ]);
  const module = testModules.find(({ moduleId }) => moduleId === path);
  const failed = module === undefined ? { name: file } : (findFailed(module) ?? undefined);
  const isBroken = unhandledErrors.length > 0 || module?.ok() !== true;
  return {
    tests: module === undefined ? [] : testsOf(module),
    ms: Math.ceil(performance.now() - start),
    ...(failed !== undefined ? { failed } : isBroken && { failed: { name: file } }),
  };
}

function setVariable(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

function testsOf(module: TestModule): LaneResult["tests"] {
  return [...module.children.allTests()]
    .filter((test) => test.result().state !== "skipped")
    .map((test) => ({ id: test.id, name: test.fullName, ms: Math.ceil(test.diagnostic()?.duration ?? 0) }));
}

function findFailed(module: TestModule): LaneResult["failed"] {
  const [test] = module.children.allTests("failed");
  return test && { id: test.id, name: `${module.relativeModuleId}: ${test.fullName}` };
}
