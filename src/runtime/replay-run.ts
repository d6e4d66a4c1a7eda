import { isDeepStrictEqual } from "node:util";
import { parseModel } from "../definition/parse-model.ts";
import { listAgents } from "../flow/list-crews.ts";
import type { Model, ModelRequest } from "../models/model.ts";
import type { World } from "../orchestration/crew-run.ts";
import { collectTeamKinds } from "../prepare/collect-team-kinds.ts";
import { createAbsentFunction } from "../prepare/prepare-functions.ts";
import { describeModel, formatModelName } from "../prepare/prepare-models.ts";
import { createRecordedServerTools, createRecordedTools } from "../prepare/tool-facts.ts";
import { createRedactor } from "../redaction/redactor.ts";
import { systemClock } from "../run/clock.ts";
import { Divergence } from "../run/recording.ts";
import type { Agent, Crew } from "../vocabulary/crew.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { Start } from "../vocabulary/run-start.ts";
import type { CrewSetup } from "./environment.ts";
import { type ExecutedCrew, execute } from "./execute.ts";
import { absentMemory } from "./open-memory.ts";
import { RunControl } from "./run-control.ts";

/** The result of a replay. */
export interface Replay {
  /** How many events the run has. */
  readonly events: number;
  /** The first event that differs; absent if all are the same. */
  readonly divergence?: {
    readonly seq: number;
    readonly recorded: Pick<BatonEvent, "type" | "path" | "data"> | undefined;
    /** What the replay gives. It has no data if it is another type of event, or at another place. */
    readonly now: { readonly type: string; readonly path: string; readonly data?: unknown };
  };
}

/**
 * Replays a run and compares its events with the journal. No model and no tool is called, no tool's module is imported and no server
 * is started, because a journal is data.
 */
export async function replayRun(
  crew: Crew,
  start: Start,
  events: readonly BatonEvent[],
  { tools = [], teams }: Pick<CrewSetup, "tools" | "teams">,
  isCurrent: boolean,
): Promise<Replay> {
  const [first] = events;
  if (first === undefined) throw new Error("a run has at least one event");
  let differs: Replay["divergence"];
  const onRepeated = (recorded: BatonEvent, data: unknown) => {
    if (differs !== undefined || isDeepStrictEqual(plain(recorded.data), plain(data))) return;
    const { seq = 0, type, path } = recorded;
    differs = { seq, recorded: { type, path, data: recorded.data }, now: { type, path, data } };
  };
  const recorded = createRecordedTools(crew, start.tools, events);
  // Tools from code need no import. They are used if the current crew is asked for, or if the journal does not describe its tools.
  const given = new Map(isCurrent || start.tools === undefined ? tools.map((tool) => [tool.name, tool]) : []);
  try {
    // The replay ends where the journal ends, and adds nothing.
    const control = new RunControl(systemClock);
    control.abort();
    const replayed: ExecutedCrew = {
      crew,
      clock: systemClock,
      models: await recordedModels(crew, start, neverCalled),
      findFunction: createAbsentFunction,
      memory: absentMemory,
      prompts: start.variables ?? {},
      tool: (name, from) => given.get(name) ?? recorded(name, from),
      serverTools: createRecordedServerTools(crew, start.tools),
      external: async () => ({ failures: [] }),
      teamKinds: collectTeamKinds(crew, teams),
      // Secrets were removed before the events were stored.
      redactor: createRedactor({}),
    };
    await execute(replayed, { id: first.runId, start, recorded: events, onRepeated, control, onEvent: () => {} });
  } catch (error) {
    if (!(error instanceof Divergence)) throw error;
    const { expected, actual = { type: "nothing", path: "" } } = error;
    differs ??= { seq: expected?.seq ?? events.length, recorded: expected, now: actual };
  }
  return { events: events.length, ...(differs !== undefined && { divergence: differs }) };
}

/** The run's models by their recorded names. */
export async function recordedModels(
  crew: Crew,
  { models = {} }: Start,
  onCall: (model: Pick<Model, "name">, request: ModelRequest) => ReturnType<Model["call"]>,
): Promise<World["models"]> {
  const chains = new Map<Agent, Model[]>();
  for (const [id, agent] of listAgents(crew)) {
    const names = models[id] ?? agent.models.map(formatModelName);
    const chain: Model[] = [];
    for (const name of names) {
      const parsed = parseModel(name);
      const model = parsed === undefined ? { name } : await describeModel(parsed);
      chain.push({ ...model, call: (request) => onCall(model, request) });
    }
    chains.set(agent, chain);
  }
  return (agent) => chains.get(agent) ?? [];
}

function neverCalled(): never {
  throw new Error("a replay calls no model");
}

/** The data as it is read back from the journal. */
function plain(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data));
}
