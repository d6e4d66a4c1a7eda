import type { RunLog } from "../run-storage/run-log.ts";
import type { HeldServers } from "../servers/hold-servers.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { isPromise } from "../vocabulary/promise.ts";
import type { Start } from "../vocabulary/run-start.ts";
import { throwAsChange } from "./crew-changed.ts";
import { equipRun, holdBack } from "./equip-run.ts";
import { type ExecutedCrew, execute } from "./execute.ts";
import type { LiveRun } from "./live-run.ts";
import { refuseAnswer } from "./refuse-answer.ts";
import { refuseShortScript } from "./refuse-short-script.ts";
import type { Prepared, Runtime } from "./runtime.ts";
import { type RunTrace, traceRun } from "./trace-run.ts";
import { watchRequests } from "./watch-requests.ts";

/** What a run does: on which runtime, from which start, and with which events before it calls anything. */
export interface RunPlan {
  readonly runtime: Runtime;
  readonly start: Start;
  /** Events that are not stored yet: an answer, the note that somebody continues the run, or the past of a fork. */
  readonly added?: readonly BatonEvent[];
  /** Whether the run continues although its tools have changed since it began. */
  readonly acceptChanges?: boolean;
}

const none: readonly never[] = [];

/** Runs or continues a run to its end or its next pause, and waits until all of it is stored. */
export async function runCrew(run: LiveRun, log: RunLog, plan: RunPlan): Promise<void> {
  const { runtime } = plan;
  const tracing = traceRun(run.id, log, plan);
  const trace = tracing === undefined ? undefined : await tracing;
  try {
    const held = runtime.holdServers();
    const servers = isPromise(held) ? await held : held;
    try {
      await runWith(servers, trace, run, log, plan);
    } finally {
      await servers.release?.();
    }
  } finally {
    trace?.close(runtime.clock.now());
  }
}

async function runWith(
  servers: HeldServers,
  trace: RunTrace | undefined,
  run: LiveRun,
  log: RunLog,
  plan: RunPlan,
): Promise<void> {
  const { runtime } = plan;
  const { crew, clock, dayTotals } = runtime;
  const { models, tool, teamKinds } = await prepare(runtime, log);
  const { toolOf, started, added } = equipRun(plan, log, { models, tool, servers, traceparent: trace?.traceparent });
  const recorded = log.events.length + added.length === 0 ? none : [...log.events, ...added];
  const executed: ExecutedCrew = {
    crew,
    clock,
    dayTotals,
    redactor: runtime.redactor,
    signalReader: runtime.signalReader,
    rankEntries: runtime.rankEntries,
    models: trace === undefined ? models : watchRequests(models, trace.sent),
    tool: toolOf,
    teamKinds,
    external: runtime.externalFor(run.options.onExternal),
  };
  const [answer] = added;
  if (answer !== undefined) {
    await refuseAnswer(log.events, answer, crew, toolOf, clock.now());
    if (!run.control.isAborted)
      await refuseShortScript(executed, { id: run.id, start: started, recorded }, runtime).catch(throwAsChange);
  }
  run.follow(log, trace);
  log.onCancel((isGraceful) => (isGraceful ? run.control.stop() : run.control.abort()));
  const heldBack = holdBack(log, added);
  const seen = dayTotals.refresh(crew, clock.now());
  if (seen !== undefined) await seen;
  try {
    await execute(executed, {
      id: run.id,
      start: started,
      recorded,
      control: run.control,
      lease: log.lease,
      durable: () => log.durable(),
      onCaughtUp: heldBack.write,
      onEvent: (event) => {
        // Deltas are not stored, so there is nothing to wait for.
        if (event.seq === undefined) run.tell(event);
        else log.write(event);
      },
    });
  } catch (error) {
    throwAsChange(error);
  }
  heldBack.write();
  const durable = log.durable();
  if (durable !== undefined) await durable;
  const written = dayTotals.written();
  if (written !== undefined) await written;
}

async function prepare(runtime: Runtime, { events }: RunLog): Promise<Prepared> {
  try {
    return await runtime.prepare();
  } catch (error) {
    return throwAsChange(error, events.length > 0);
  }
}
