import type { Model, ModelRequest } from "../models/model.ts";
import type { TeamKind } from "../orchestration/patterns/team-kind.ts";
import { createEntryRanker } from "../orchestration/rank-entries.ts";
import { SignalReader } from "../orchestration/read-signals.ts";
import { fillVariables } from "../prepare/fill-variables.ts";
import { type ModelSource, prepareModels } from "../prepare/prepare-models.ts";
import { prepareTools } from "../prepare/prepare-tools.ts";
import { teamKindsOf } from "../prepare/team-kinds-of.ts";
import { createRedactor } from "../redaction/redactor.ts";
import { type Clock, systemClock } from "../run/clock.ts";
import type { KeptDayTotals } from "../run-storage/keep-day-totals.ts";
import type { KeptRun } from "../run-storage/keep-runs.ts";
import { type HeldServers, holdServers, type ServerEnvironment } from "../servers/hold-servers.ts";
import type { Tool } from "../tools/tool.ts";
import { type RunResult, resultOf } from "../views/run-result.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { Start } from "../vocabulary/run-start.ts";
import { createWatcher } from "./create-watcher.ts";
import { throwAsChange } from "./crew-changed.ts";
import { deliverExternals, type ExternalHandler, refuseUnsigned } from "./deliver-external.ts";
import { execute } from "./execute.ts";
import { refuseAnswer } from "./refuse-answer.ts";
import { refuseShortScript } from "./rehearse.ts";
import type { Release } from "./release.ts";
import { holdBack, setOut } from "./set-out.ts";
import { traced } from "./traced.ts";
import { watchRequests } from "./watch-requests.ts";

/** How a run is started, resumed or watched. */
export interface RunOptions {
  /** Stops the run at once. */
  readonly signal?: AbortSignal;
  /** Lets what is under way finish, and stops the run before its next model or tool call. */
  readonly stop?: AbortSignal;
  /**
   * Lets the run leave this process, so that another one can continue it: calls under way finish, no others begin, and the result
   * has the status `running`.
   */
  readonly release?: AbortSignal;
  /** How long the calls under way may take when the run is released: 10 s unless this says otherwise. */
  readonly graceMs?: number;
  /** Told of external signals; the `{ answer }` that it returns for one that pauses is the response. */
  readonly onExternal?: ExternalHandler;
  /** Told of every event as soon as it is durable, and of deltas, which are not kept, as they come. */
  readonly onEvent?: (event: BatonEvent) => void;
}

/** What runs need from outside; all of it has a default. */
export interface RunEnvironment {
  readonly clock?: Clock;
  /** Tools by name, besides those that the crew names. */
  readonly tools?: readonly Tool[];
  readonly models?: ModelSource;
  /** Kinds of teams by the name that `team: { kind }` gives them. */
  readonly teams?: Readonly<Record<string, TeamKind>>;
  /** The project's folder, which nothing that the crew names may leave; the working directory when absent. */
  readonly root?: string;
  /** Lets MCP servers be started that are not approved on this machine. */
  readonly approveServer?: ServerEnvironment["approveServer"];
  /** Told where an MCP server takes longer than 10 s to start. */
  readonly onWait?: ServerEnvironment["onWait"];
  /** Whether spans, where OpenTelemetry is registered, have prompts, answers, arguments and results. They do not by default. */
  readonly captureContent?: boolean;
}

/** What the runs of a crew share. */
export interface SharedByRuns {
  readonly dayTotals: KeptDayTotals;
}

/** A run to go on with: what it was started with, what is recorded of it, and what is new. */
interface Going {
  readonly runId: RunId;
  readonly start: Start;
  readonly kept: KeptRun;
  readonly release: Release;
  /** Events that are not kept yet: an answer, or what a fork begins with. */
  readonly added?: readonly BatonEvent[];
}

export type RunCrew = (going: Going, options: WatchedOptions) => Promise<RunResult>;

/** How a run is watched from within. */
interface WatchedOptions extends RunOptions {
  /** Whether a run goes on though tools are not what they were when it began. */
  readonly acceptChanges?: boolean;
  /** Sees each request before its model does. */
  readonly onRequest?: (request: ModelRequest, model: Model) => void;
}

/** Gives what runs a crew, with its models, tools and signals made ready once for many runs. */
export function createCrewRunner(
  definition: Crew,
  prompts: Readonly<Record<string, string>>,
  environment: RunEnvironment & SharedByRuns & { readonly isIdle?: boolean },
): RunCrew {
  const clock = environment.clock ?? systemClock;
  const crew = fillVariables(definition, prompts);
  const { dayTotals } = environment;
  const variables = environment.models?.variables ?? process.env;
  const redactor = createRedactor(variables);
  const [signalReader, rankEntries] = [new SignalReader(), createEntryRanker()];
  const shared = { clock, redactor, dayTotals, signalReader, rankEntries };
  const given = environment.tools ?? [];
  const names = new Set(given.map(({ name }) => name));
  const { approveServer, onWait, captureContent, isIdle = false } = environment;
  const hold = holdServers(crew, names, { variables, approveServer, onWait, isIdle });
  const modelsOn = (own: Clock) => prepareModels(crew, { ...environment.models, variables }, own);
  const prepare = once(async () => {
    if (!isIdle) refuseUnsigned(crew, variables);
    const tool = isIdle ? undefined : await prepareTools(crew, given, environment.root ?? process.cwd());
    const models = await modelsOn(clock);
    return { models, tool, teamKinds: teamKindsOf(crew, environment.teams) };
  });

  const runWith = async (servers: HeldServers, going: Going, options: WatchedOptions): Promise<RunResult> => {
    const { runId, start, kept, release } = going;
    const { teamKinds, ...prepared } = await prepare().catch((error) => throwAsChange(error, kept.events.length > 0));
    const isCurrent = isIdle || options.acceptChanges === true;
    const { toolOf, started, added } = setOut(going, crew, { ...prepared, servers, redactor, isCurrent });
    if (added.length > 0) await refuseAnswer(kept.events, added[0], crew, toolOf, clock.now());
    const recorded = [...kept.events, ...added];
    const known = { runId, recorded, tool: toolOf, teamKinds };
    const rehearsed = { ...known, redactor, models: prepared.models, modelsOn, now: clock.now() };
    if (added.length > 0 && options.signal?.aborted !== true)
      await refuseShortScript(crew, start, rehearsed).catch(throwAsChange);
    const watcher = createWatcher(options.onEvent);
    const ending = endingOf(kept, options);
    kept.onDurable(watcher.tell);
    const heldBack = holdBack(kept, added);
    const seen = dayTotals.refresh(crew, clock.now());
    if (seen !== undefined) await seen;
    const stopListening = release.listen(options.release, options.graceMs);
    const executing = execute(crew, started, {
      ...shared,
      ...known,
      release,
      models: watchRequests(prepared.models, options.onRequest),
      external: deliverExternals(crew, options.onExternal, { variables, clock }),
      onCaughtUp: heldBack.write,
      durable: kept.durable,
      lease: kept.lease,
      ...ending,
      hasFailed: watcher.hasFailed,
      onEvent: (event) => {
        // Deltas are not kept, so there is nothing to wait for.
        if (event.seq === undefined) watcher.tell(event);
        else kept.write(event);
      },
    });
    await follow(executing, stopListening);
    heldBack.write();
    await kept.durable();
    const written = dayTotals.written();
    if (written !== undefined) await written;
    watcher.close();
    return resultOf(kept.events);
  };
  return traced(crew, { clock, redactor, variables, captureContent }, (going, options) => {
    const held = hold();
    const run = (servers: HeldServers) => runWith(servers, going, options);
    return held instanceof Promise ? whileHeld(held, run) : run(held);
  });
}

async function follow(executing: Promise<void>, stopListening: () => void): Promise<void> {
  try {
    await executing;
  } catch (error) {
    throwAsChange(error);
  } finally {
    stopListening();
  }
}

async function whileHeld<Result>(
  held: Promise<HeldServers>,
  run: (servers: HeldServers) => Promise<Result>,
): Promise<Result> {
  const servers = await held;
  try {
    return await run(servers);
  } finally {
    await servers.release?.();
  }
}

/** Ended by the caller, or by somebody in another process. */
function endingOf(kept: KeptRun, { signal, stop }: RunOptions): Pick<RunOptions, "signal" | "stop"> {
  if (!kept.isShared) return { ...(signal !== undefined && { signal }), ...(stop !== undefined && { stop }) };
  const [now, soon] = [new AbortController(), new AbortController()];
  kept.onCancel((isGraceful) => (isGraceful ? soon : now).abort());
  return {
    signal: signal === undefined ? now.signal : AbortSignal.any([signal, now.signal]),
    stop: stop === undefined ? soon.signal : AbortSignal.any([stop, soon.signal]),
  };
}

/** Does something when it is first asked for, and again only if that failed. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
