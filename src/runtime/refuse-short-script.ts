import { listAgents } from "../flow/list-crews.ts";
import { type Model, ModelError } from "../models/model.ts";
import type { World } from "../orchestration/crew-run.ts";
import { createVirtualClock } from "../run/virtual-clock.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { type ExecutedCrew, type ExecutedRun, execute } from "./execute.ts";
import { absentMemory } from "./open-memory.ts";
import type { Runtime } from "./runtime.ts";

/**
 * Refuses to continue a run with a script that is too short. It executes the run to its next pause or its end on the script, without
 * calling tools or storing anything. It does nothing if a model of the crew is not scripted, because that model may reply anything.
 */
export async function refuseShortScript(
  crew: ExecutedCrew,
  run: Pick<ExecutedRun, "id" | "start" | "recorded">,
  runtime: Pick<Runtime, "modelsOn">,
): Promise<void> {
  const { models, findFunction, tool } = crew;
  const agents = listAgents(crew.crew).map(([, agent]) => agent);
  // A function may return anything, as a model that is not scripted may reply anything.
  if (agents.some((agent) => agent.function !== undefined)) return;
  const chains = agents.map((agent) => models(agent));
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
  // The models get a virtual clock, so that no latency is waited for.
  const clock = createVirtualClock(crew.clock.now());
  const instant = await runtime.modelsOn(clock);
  const rehearsed: ExecutedCrew = {
    crew: crew.crew,
    redactor: crew.redactor,
    teamKinds: crew.teamKinds,
    clock,
    // An agent has no reply only if the last model of its chain has none.
    models: (agent) => instant(agent).map((model, index, { length }) => (index === length - 1 ? watch(model) : model)),
    findFunction,
    memory: absentMemory,
    tool: (name, from) => silent(tool(name, from)),
    serverTools: crew.serverTools,
    external: async () => ({ failures: [] }),
  };
  await execute(rehearsed, { ...run, onEvent: () => undefined });
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
