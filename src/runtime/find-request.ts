import type { Model, ModelReply, ModelRequest } from "../models/model.ts";
import type { World } from "../orchestration/crew-run.ts";
import { collectTeamKinds } from "../prepare/collect-team-kinds.ts";
import { createAbsentFunction } from "../prepare/prepare-functions.ts";
import { prepareTools } from "../prepare/prepare-tools.ts";
import { createRecordedServerTools, createRecordedTools } from "../prepare/tool-facts.ts";
import { createRedactor } from "../redaction/redactor.ts";
import { systemClock } from "../run/clock.ts";
import type { Tool } from "../tools/tool.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { Message } from "../vocabulary/messages.ts";
import type { Start } from "../vocabulary/run-start.ts";
import { continuationEvent } from "./continuation-events.ts";
import type { CrewSetup } from "./environment.ts";
import { type ExecutedCrew, execute } from "./execute.ts";
import { absentMemory } from "./open-memory.ts";
import { recordedModels } from "./replay-run.ts";
import { RunControl } from "./run-control.ts";

/** A request to a model, as it was sent. */
export interface SentRequest extends Pick<ModelRequest, "agent" | "crew" | "system" | "tools" | "sampling"> {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly toolChoice?: "required";
  /** The form of the answer, if it must be JSON. */
  readonly schema?: unknown;
}

/**
 * Finds the request of the model call that is event `seq`. The journal has no prompts, so the run is replayed up to the call, which
 * ends the replay: nothing is called. `crew` is the crew as it was.
 */
export async function findRequest(
  crew: ExecutedCrew["crew"],
  start: Start,
  events: readonly BatonEvent[],
  seq: number,
  { tools = [], teams, root = process.cwd() }: Pick<CrewSetup, "tools" | "teams" | "root">,
): Promise<SentRequest> {
  const call = events[seq];
  if (call?.type !== "model.called") {
    const is = call === undefined ? "does not exist" : `is '${call.type}'`;
    throw new BatonError("bad-option", `give the number of a 'model.called' event: event ${seq} ${is}`);
  }
  const control = new RunControl(systemClock);
  const { promise, resolve } = Promise.withResolvers<SentRequest>();
  const onCall = (model: Pick<Model, "name">, request: ModelRequest): Promise<ModelReply> => {
    if (request.path === call.path) {
      resolve(readRequest(model, request));
      control.abort();
    }
    return new Promise(() => {});
  };
  const tool = await describeTools(crew, createRecordedTools(crew, start.tools, events), tools, root);
  const { waitMs = 0 } = call.data;
  const replayed: ExecutedCrew = {
    crew,
    // An attempt that waited before it was made is not waited for again.
    clock: { ...systemClock, after: (ms, onTime) => systemClock.after(ms === waitMs ? 0 : ms, onTime) },
    models: await recordedModels(crew, start, onCall),
    findFunction: createAbsentFunction,
    memory: absentMemory,
    prompts: start.variables ?? {},
    tool: (name, from) => ({ ...tool(name, from), execute: () => new Promise(() => {}) }),
    serverTools: createRecordedServerTools(crew, start.tools),
    external: () => new Promise(() => {}),
    teamKinds: collectTeamKinds(crew, teams),
    redactor: createRedactor({}),
  };
  const recorded = [...events.slice(0, seq + 1), continuationEvent(call, "forked", systemClock)];
  const executed = execute(replayed, { id: call.runId, start, recorded, control, onEvent: () => {} });
  const isOver = executed.then((): never => {
    throw new BatonError("crew-changed", `the run does not reach event ${seq} again, so its request is not known`);
  });
  return Promise.race([promise, isOver]);
}

/** The crew's tools, as far as they are there: what only the journal knows of is shown without its arguments. */
async function describeTools(
  crew: Crew,
  recorded: World["tool"],
  given: readonly Tool[],
  root: string,
): Promise<World["tool"]> {
  const known = await prepareTools(crew, given, { root, variables: {} }).catch((error: unknown) => {
    if (error instanceof BatonError) return recorded;
    throw error;
  });
  return (name, from) => {
    try {
      return known(name, from);
    } catch {
      return recorded(name, from);
    }
  };
}

function readRequest({ name }: Pick<Model, "name">, request: ModelRequest): SentRequest {
  const { agent, crew, system, messages, tools, toolChoice, sampling, json } = request;
  return {
    model: name,
    agent,
    crew,
    system,
    messages: messages(),
    tools,
    ...(toolChoice !== undefined && { toolChoice }),
    sampling,
    ...(json !== undefined && { schema: json.schema }),
  };
}
