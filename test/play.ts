import { createScriptModel } from "../src/models/script-model.ts";
import type { World } from "../src/orchestration/crew-run.ts";
import { buildScript } from "../src/prepare/build-script.ts";
import { prepareFunctions } from "../src/prepare/prepare-functions.ts";
import { createRedactor } from "../src/redaction/redactor.ts";
import { sleep } from "../src/run/clock.ts";
import { createVirtualClock } from "../src/run/virtual-clock.ts";
import { execute } from "../src/runtime/execute.ts";
import { RunControl } from "../src/runtime/run-control.ts";
import type { Scenario } from "../src/scenario/read-scenario.ts";
import { createScenarioTools } from "../src/scenario/scenario-tools.ts";
import type { Crew } from "../src/vocabulary/crew.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { toRunId } from "../src/vocabulary/ids.ts";

export interface Playing {
  readonly script: NonNullable<Scenario["script"]>;
  readonly tools?: Scenario["tools"];
  /** Tools whose calls a human must approve. */
  readonly needApproval?: readonly string[];
  readonly teamKinds?: World["teamKinds"];
  readonly recorded?: readonly BatonEvent[];
  readonly signal?: AbortSignal;
  readonly stop?: AbortSignal;
  readonly onEvent?: (event: BatonEvent) => void;
  /** Told of every call of a model or tool that is really made. */
  readonly onCall?: (what: string) => void;
}

/** Runs a crew on a script, from what is recorded, and gives all events of the run, recorded ones first. */
export async function play(crew: Crew, input: string, playing: Playing): Promise<BatonEvent[]> {
  const clock = createVirtualClock();
  const wait = (ms: number, signal: AbortSignal) => sleep(clock, ms, signal);
  const scripted = createScriptModel("script", buildScript(playing.script), wait);
  const tools = createScenarioTools(playing.tools, wait);
  const recorded = playing.recorded ?? [];
  const events = [...recorded];
  const { signal, stop } = playing;
  const prepared = await prepareFunctions(crew, { script: buildScript(playing.script) }, clock);
  const findFunction: World["findFunction"] = (agent) => {
    const callable = prepared(agent);
    return (
      callable && {
        ...callable,
        effect: "idempotent",
        call: (request, context) => {
          playing.onCall?.(`function of ${request.agent}`);
          return callable.call(request, context);
        },
      }
    );
  };
  const control = new RunControl(clock);
  control.listen({ ...(signal !== undefined && { signal }), ...(stop !== undefined && { stop }) });
  await execute(
    {
      crew,
      redactor: createRedactor({}),
      clock,
      models: () => [
        {
          ...scripted,
          call: (request) => {
            playing.onCall?.(`model of ${request.agent}`);
            return scripted.call(request);
          },
        },
      ],
      tool: (name, of) => {
        const tool = tools(name, of);
        return {
          ...tool,
          // What a process died over is called again, and nobody has to be asked.
          effect: "idempotent",
          needsApproval: playing.needApproval?.includes(name) ?? false,
          execute: (args, context) => {
            playing.onCall?.(`tool ${name}`);
            return tool.execute(args, context);
          },
        };
      },
      findFunction,
      teamKinds: playing.teamKinds,
      external: async () => ({ failures: [] }),
    },
    {
      id: toRunId("run_test"),
      start: { input },
      recorded,
      control,
      onEvent: (event) => {
        if (event.seq !== undefined) events.push(event);
        playing.onEvent?.(event);
      },
    },
  );
  return events;
}
