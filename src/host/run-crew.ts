import type { Crew } from "../crew.ts";
import type { BatonEvent, ResumeAnswer } from "../events.ts";
import type { RunId } from "../ids.ts";
import type { Model, ModelRequest } from "../models/model.ts";
import type { World } from "../orchestration/crew-run.ts";
import type { TeamKind } from "../orchestration/patterns/team-kind.ts";
import { createEntryRanker } from "../orchestration/rank-entries.ts";
import { SignalReader } from "../orchestration/read-signals.ts";
import { createRedactor, type Redactor } from "../redaction/redactor.ts";
import { type Clock, systemClock } from "../run/clock.ts";
import type { Tool } from "../tools/tool.ts";
import { type RunResult, resultOf } from "../views/run-result.ts";
import { allAgents } from "./all-crews.ts";
import { refuseUnfitArguments } from "./check-answer.ts";
import { createWatcher } from "./create-watcher.ts";
import { deliverExternals, type ExternalHandler, refuseUnsigned } from "./deliver-external.ts";
import { execute, type Start } from "./execute.ts";
import { fillVariables } from "./fill-variables.ts";
import { type HeldServers, holdServers, type ServerEnvironment } from "./hold-servers.ts";
import type { KeptDayTotals } from "./keep-day-totals.ts";
import type { KeptRun } from "./keep-runs.ts";
import { type ModelSource, nameOfModel, prepareModels } from "./prepare-models.ts";
import { prepareTools } from "./prepare-tools.ts";
import { refuseShortScript } from "./rehearse.ts";
import type { Release } from "./release.ts";
import { teamKindsOf } from "./team-kinds-of.ts";
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
    refuseUnsigned(crew, variables);
    const models = await modelsOn(clock);
    return { models, tool: await prepareTools(crew, given), teamKinds: teamKindsOf(crew, environment.teams) };
  });

  const runWith = async (servers: HeldServers, going: Going, options: WatchedOptions): Promise<RunResult> => {
    const { runId, start, kept, release, added: fresh = [] } = going;
    const added = crew.settings.redact ? fresh.map((event) => withoutSecrets(event, redactor)) : fresh;
    const { models, tool, teamKinds } = await prepare();
    const started =
      kept.events.length + added.length === 0 && kept.isShared ? { ...start, ...otherModels(crew, models) } : start;
    const toolOf: World["tool"] = (name, from) => servers.tool(name, from) ?? tool(name, from);
    if (added.length > 0) await refuseUnfitArguments(kept.events.at(-1), added[0], crew, toolOf);
    const recorded = [...kept.events, ...added];
    const known = { runId, recorded, tool: toolOf, teamKinds };
    if (added.length > 0 && options.signal?.aborted !== true)
      await refuseShortScript(crew, start, { ...known, redactor, models, modelsOn, now: clock.now() });
    const watcher = createWatcher(options.onEvent);
    const ending = endingOf(kept, options);
    kept.onDurable(watcher.tell);
    for (const event of added) kept.write(event);
    const seen = dayTotals.refresh(crew, clock.now());
    if (seen !== undefined) await seen;
    const stopListening = release.listen(options.release, options.graceMs);
    await execute(crew, started, {
      ...shared,
      ...known,
      release,
      models: watchRequests(models, options.onRequest),
      external: deliverExternals(crew, options.onExternal, { variables, clock }),
      durable: kept.durable,
      ...ending,
      hasFailed: watcher.hasFailed,
      onEvent: (event) => {
        // Deltas are not kept, so there is nothing to wait for.
        if (event.seq === undefined) watcher.tell(event);
        else kept.write(event);
      },
    }).finally(stopListening);
    const durable = kept.durable();
    if (durable !== undefined) await durable;
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

/** An answer enters the run as everything else does. */
function withoutSecrets(event: BatonEvent, redactor: Redactor): BatonEvent {
  if (event.type !== "run.resumed") return event;
  // What is redacted has the form that it had.
  return { ...event, data: redactor.redactValue(event.data) as ResumeAnswer };
}

/** The models that agents have in the place of those that the crew names. */
function otherModels(crew: Crew, models: World["models"]): Pick<Start, "models"> {
  const others = allAgents(crew).flatMap(([id, agent]) => {
    const names = models(agent).map(({ name }) => name);
    const own = agent.models.map(nameOfModel);
    return names.join() === own.join() ? [] : [[id, names] as const];
  });
  return others.length === 0 ? {} : { models: Object.fromEntries(others) };
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
