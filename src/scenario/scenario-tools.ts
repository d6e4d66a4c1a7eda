import { buildPauseTimeout } from "../definition/pause-timeout-shape.ts";
import type { World } from "../orchestration/crew-run.ts";
import type { Tool } from "../tools/tool.ts";
import { findSetTool, needsApproval } from "../vocabulary/tool-set.ts";
import type { Scenario } from "./read-scenario.ts";
import { toolResultShape } from "./scenario-shape.ts";

/** Creates the tools of a scenario. Each returns the written results, call after call, and then repeats the last one. */
export function createScenarioTools(
  keys: Scenario["tools"],
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  readFiles: (result: unknown) => unknown = (result) => result,
): World["tool"] {
  const read = (results: readonly ResultKeys[]) => results.map((each) => ({ ...each, result: readFiles(each.result) }));
  const tools = new Map(
    [...(keys ?? [])].map(([name, results]) => [name, createTool(name, read([results].flat()), sleep)]),
  );
  return (name, { toolSets }) => {
    const tool = tools.get(name) ?? createTool(name, [explainMissing(name)], sleep);
    // What a human approves in a real run is approved here.
    const found = findSetTool(toolSets, name);
    const isHeld = found !== undefined && needsApproval(found.set, found.tool);
    return isHeld ? { ...tool, needsApproval: true } : tool;
  };
}

/** Lists the tools that wait for a human's approval. */
export function listApprovals(keys: Scenario["tools"]): string[] {
  return [...(keys ?? [])].flatMap(([name, results]) =>
    [results].flat().some(({ needs_approval }) => needs_approval === true) ? [name] : [],
  );
}

type ResultKeys = Exclude<
  NonNullable<Scenario["tools"]> extends ReadonlyMap<string, infer Result> ? Result : never,
  readonly unknown[]
>;

/** A tool that the crew declares but the scenario does not: nothing real is called. */
function explainMissing(name: string): ResultKeys {
  const error = `the scenario does not say what '${name}' gives`;
  return { ...toolResultShape.absent, error };
}

function createTool(
  name: string,
  results: readonly ResultKeys[],
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
): Tool {
  let calls = 0;
  return {
    name,
    description: `the scenario's ${name}`,
    parameters: { type: "object" },
    read: (args) => ({ value: args }),
    async execute(_, { signal }) {
      const result = results[Math.min(calls++, results.length - 1)];
      if (result?.delay_ms !== undefined) await sleep(result.delay_ms, signal);
      if (result?.error !== undefined)
        throw new Error(typeof result.error === "string" ? result.error : JSON.stringify(result.error));
      return result?.result;
    },
    timeoutMs: results.find(({ timeout }) => timeout !== undefined)?.timeout,
    effect: results.find(({ effect }) => effect !== undefined)?.effect ?? "once",
    isSequential: results.some(({ sequential }) => sequential === true),
    pauseTimeout: buildPauseTimeout(results.find(({ pause_timeout: limit }) => limit !== undefined)?.pause_timeout),
    needsApproval: results.some(({ needs_approval }) => needs_approval === true),
  };
}
