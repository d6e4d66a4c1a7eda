import { allAgents } from "../flow/all-crews.ts";
import { type Model, ModelError } from "../models/model.ts";
import type { World } from "../orchestration/crew-run.ts";
import type { Clock } from "../run/clock.ts";
import { createVirtualClock } from "../run/virtual-clock.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { Start } from "../vocabulary/run-start.ts";
import { type ExecuteOptions, execute } from "./execute.ts";
import { Release } from "./release.ts";

interface Rehearsed extends Pick<ExecuteOptions, "runId" | "tool" | "recorded" | "redactor" | "teamKinds"> {
  readonly models: World["models"];
  /** The same models on a clock of their own, so that nothing is waited for. */
  readonly modelsOn: (clock: Clock) => Promise<World["models"]>;
  readonly now: number;
}

/**
 * Refuses to continue a run on a script that is too short for it: plays on to the next pause or the end without calling tools or
 * storing anything. Where a model is not scripted nobody can know what it will say, and nothing is refused.
 */
export async function refuseShortScript(crew: Crew, start: Start, rehearsed: Rehearsed): Promise<void> {
  const { now, models, modelsOn, tool, ...others } = rehearsed;
  const chains = allAgents(crew).map(([, agent]) => models(agent));
  if (!chains.every((chain) => chain.every(({ isScripted }) => isScripted === true))) return;
  let missing: string | undefined;
  const watch = (model: Model): Model => ({
    ...model,
    async call(request) {
      try {
        return await model.call(request);
      } catch (error) {
        if (error instanceof ModelError && error.code === "script_exhausted") missing ??= error.message;
        throw error;
      }
    },
  });
  const clock = createVirtualClock(now);
  const instant = await modelsOn(clock);
  await execute(crew, start, {
    ...others,
    clock,
    release: new Release(clock),
    // Only where the last model of a chain has no reply does an agent go without one.
    models: (agent) => instant(agent).map((model, index, { length }) => (index === length - 1 ? watch(model) : model)),
    tool: (name, from) => silent(tool(name, from)),
    external: async () => ({ failures: [] }),
    onEvent: () => undefined,
  });
  if (missing !== undefined)
    throw new BatonError(
      "script-too-short",
      `${missing}; nothing was done. A script counts the replies of a run from its beginning: give a longer one (--script)`,
    );
}

function silent(tool: ReturnType<World["tool"]>): ReturnType<World["tool"]> {
  return {
    name: tool.name,
    description: tool.description,
    parameters: tool.parameters,
    read: (args) => tool.read(args),
    execute: () => "",
    timeoutMs: tool.timeoutMs,
    effect: tool.effect,
    isSequential: tool.isSequential,
    needsApproval: tool.needsApproval,
  };
}
