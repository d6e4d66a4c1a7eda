import { isDeepStrictEqual } from "node:util";
import { parseModel } from "../definition/parse-model.ts";
import { allAgents } from "../flow/all-crews.ts";
import type { Model } from "../models/model.ts";
import type { World } from "../orchestration/crew-run.ts";
import { describeModel, nameOfModel } from "../prepare/prepare-models.ts";
import { teamKindsOf } from "../prepare/team-kinds-of.ts";
import { recordedTools } from "../prepare/tool-facts.ts";
import { createRedactor } from "../redaction/redactor.ts";
import { systemClock } from "../run/clock.ts";
import { Divergence } from "../run/recording.ts";
import type { Agent, Crew } from "../vocabulary/crew.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { Start } from "../vocabulary/run-start.ts";
import type { CrewEnvironment } from "./environment.ts";
import { type ExecutedCrew, execute } from "./execute.ts";
import { RunControl } from "./run-control.ts";

/** What came of going over a run again. */
export interface Replay {
  /** How many events it has. */
  readonly events: number;
  /** The first event that is another now; absent where all are the same. */
  readonly divergence?: {
    readonly seq: number;
    readonly recorded: Pick<BatonEvent, "type" | "path" | "data"> | undefined;
    /** What the run gives now; without data where it is of another kind, or at another place. */
    readonly now: { readonly type: string; readonly path: string; readonly data?: unknown };
  };
}

/**
 * Replays a run without calling anything, and compares what follows from what is recorded. A journal is data: no tool's module is
 * imported, and no server started.
 */
export async function replayRun(
  crew: Crew,
  start: Start,
  events: readonly BatonEvent[],
  { tools = [], teams }: Pick<CrewEnvironment, "tools" | "teams">,
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
  const recorded = recordedTools(crew, start.tools, events);
  // Tools in code are there already: they are what they are now, where that is asked for or nothing else is known.
  const given = new Map(isCurrent || start.tools === undefined ? tools.map((tool) => [tool.name, tool]) : []);
  try {
    // What is new is not wanted: where the journal ends, the run ends.
    const control = new RunControl(systemClock);
    control.abort();
    const replayed: ExecutedCrew = {
      crew,
      clock: systemClock,
      models: await recordedModels(crew, start),
      tool: (name, from) => given.get(name) ?? recorded(name, from),
      external: async () => ({ failures: [] }),
      teamKinds: teamKindsOf(crew, teams),
      // What is recorded has no secrets any more.
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

/** Models by the names that the run had them under; none of them is called. */
async function recordedModels(crew: Crew, { models = {} }: Start): Promise<World["models"]> {
  const chains = new Map<Agent, Model[]>();
  for (const [id, agent] of allAgents(crew)) {
    const names = models[id] ?? agent.models.map(nameOfModel);
    const chain: Model[] = [];
    for (const name of names) {
      const parsed = parseModel(name);
      chain.push({ ...(parsed === undefined ? { name } : await describeModel(parsed)), call: neverCalled });
    }
    chains.set(agent, chain);
  }
  return (agent) => chains.get(agent) ?? [];
}

function neverCalled(): never {
  throw new Error("a run that is gone over again calls no model");
}

/** As the journal keeps it. */
function plain(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data));
}
