import type { Clock } from "../run/clock.ts";
import type { RunLog } from "../run-storage/run-log.ts";
import type { HeldServers } from "../servers/hold-servers.ts";
import type { BatonEvent, EventData } from "../vocabulary/events.ts";
import { isPromise } from "../vocabulary/promise.ts";
import { queuedEvent } from "./continuation-events.ts";
import { throwAsChange } from "./crew-changed.ts";
import { equipRun, holdBack } from "./equip-run.ts";
import { type ExecutedCrew, type ExecutedRun, execute } from "./execute.ts";
import type { LiveRun } from "./live-run.ts";
import { refuseAnswer } from "./refuse-answer.ts";
import { refuseShortScript } from "./refuse-short-script.ts";
import type { RunPlan } from "./run-plan.ts";
import type { Prepared, Runtime } from "./runtime.ts";
import { type RunTrace, traceRun } from "./trace-run.ts";
import { watchRequests } from "./watch-requests.ts";

const none: readonly never[] = [];

/** Takes a run's log, plans with it what to do, and does that until the run ends or pauses. Lets the log go however it ends. */
export async function runCrew(
  run: LiveRun,
  take: () => Promise<RunLog> | RunLog,
  plan: (log: RunLog) => Promise<RunPlan> | RunPlan,
): Promise<void> {
  const taken = take();
  const log = isPromise(taken) ? await taken : taken;
  try {
    const planned = plan(log);
    await runPlan(run, log, isPromise(planned) ? await planned : planned);
  } finally {
    const closed = log.close();
    if (closed !== undefined) await closed;
  }
}

/** Runs or continues a run while its MCP servers and its spans are open, and waits until all of it is stored. */
async function runPlan(run: LiveRun, log: RunLog, plan: RunPlan): Promise<void> {
  const { runtime } = plan;
  const { clock, dayTotals } = runtime;
  const tracing = traceRun(run.id, log, plan, run.options.traceparent);
  const trace = tracing === undefined ? undefined : await tracing;
  try {
    const ready = runtime.prepare();
    const prepared = isPromise(ready) ? await ready.catch((error) => throwUnprepared(error, log)) : ready;
    const held = runtime.holdServers(run.control, plan.start.tools);
    const servers = isPromise(held) ? await held.catch((error) => throwUnprepared(error, log)) : held;
    try {
      const given = findContext(run, log, plan);
      const context = given === undefined ? undefined : await given;
      const { crew, executed, added } = equip(run, log, plan, { prepared, servers, trace, context });
      const [answer] = added;
      if (answer !== undefined) await refuseUnfit(answer, crew, executed, run, log, runtime);
      run.follow(log, trace);
      if (answer !== undefined && plan.queue !== undefined) return await queueRun(log, added, plan.queue, clock);
      log.onCancel((isGraceful) => (isGraceful ? run.control.stop() : run.control.abort()));
      const seen = dayTotals.refresh(crew.crew, clock.now());
      if (seen !== undefined) await seen;
      await execute(crew, executed).catch(throwAsChange);
      executed.onCaughtUp?.();
      const durable = log.durable();
      if (durable !== undefined) await durable;
      const written = dayTotals.written();
      if (written !== undefined) await written;
    } finally {
      if (servers.release !== undefined) await servers.release();
    }
  } finally {
    trace?.close(clock.now());
  }
}

/** What was made ready for a run. */
interface Ready {
  readonly prepared: Prepared;
  readonly servers: HeldServers;
  readonly trace: RunTrace | undefined;
  readonly context: object | undefined;
}

/** What the tools of the run find in their context. Nothing is waited for where nobody gives anything. */
function findContext(
  run: LiveRun,
  log: RunLog,
  { runtime, start, added = none }: RunPlan,
): Promise<object> | undefined {
  const { crew, prompts } = runtime;
  return runtime.contextFor(run.options.context, {
    runId: run.id,
    crew: crew.name,
    user: start.user,
    conversation: start.session?.id,
    variables: prompts,
    isContinued: log.events.length + added.length > 0,
  });
}

/** What a plan executes, and the answer that it adds to the run, if it does. */
interface Equipped {
  readonly crew: ExecutedCrew;
  readonly executed: ExecutedRun;
  /** The events of the plan as they are stored. */
  readonly added: readonly BatonEvent[];
}

/** Stores the events of a plan, and that the run waits for somebody to continue it. */
async function queueRun(
  log: RunLog,
  added: readonly BatonEvent[],
  queue: EventData["run.queued"],
  clock: Clock,
): Promise<void> {
  for (const event of added) log.write(event);
  const last = log.events.at(-1);
  if (last === undefined) throw new Error("a run has at least one event");
  log.write(queuedEvent(last, queue, clock));
  await log.durable();
}

function equip(run: LiveRun, log: RunLog, plan: RunPlan, { prepared, servers, trace, context }: Ready): Equipped {
  const { runtime } = plan;
  const { models, findFunction, findOutputCheck, tool, teamKinds } = prepared;
  const equipment = { models, tool, servers, traceparent: trace?.traceparent };
  const { findTool, serverTools, started, added } = equipRun(plan, log, equipment);
  const crew: ExecutedCrew = {
    crew: runtime.crew,
    prompts: runtime.prompts,
    clock: runtime.clock,
    dayTotals: runtime.dayTotals,
    redactor: runtime.redactor,
    signalReader: runtime.signalReader,
    rankEntries: runtime.rankEntries,
    models: trace === undefined ? models : watchRequests(models, trace.sent),
    findFunction,
    memory: runtime.memory(),
    findOutputCheck,
    tool: findTool,
    serverTools,
    teamKinds,
    external: runtime.externalFor(run.options.onExternal),
  };
  const executed: ExecutedRun = {
    id: run.id,
    start: started,
    recorded: log.events.length + added.length === 0 ? none : [...log.events, ...added],
    queue: plan.queue,
    control: run.control,
    lease: log.lease,
    blobs: log.blobs,
    root: runtime.root,
    context,
    durable: () => log.durable(),
    onCaughtUp: holdBack(log, added),
    onEvent: (event) => {
      // Deltas are not stored, so there is nothing to wait for.
      if (event.seq === undefined) run.tell(event);
      else log.write(event);
    },
  };
  return { crew, executed, added };
}

/** Refuses an answer that does not fit the run, and a script that is too short for what follows it, before any of it is stored. */
async function refuseUnfit(
  answer: BatonEvent,
  crew: ExecutedCrew,
  executed: ExecutedRun,
  run: LiveRun,
  log: RunLog,
  runtime: Runtime,
): Promise<void> {
  await refuseAnswer(log.events, answer, crew.crew, crew.tool, crew.clock.now());
  if (run.control.isAborted || runtime.isIdle) return;
  const { id, start, recorded } = executed;
  await refuseShortScript(crew, { id, start, recorded }, runtime).catch(throwAsChange);
}

function throwUnprepared(error: unknown, { events }: RunLog): never {
  return throwAsChange(error, events.length > 0);
}
