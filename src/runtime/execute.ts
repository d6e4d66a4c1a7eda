import { createHash } from "node:crypto";
import { beginCrew } from "../orchestration/begin-crew.ts";
import type { CrewOutcome, World } from "../orchestration/crew-run.ts";
import { inputProblem } from "../orchestration/input-problem.ts";
import { openCrewRun } from "../orchestration/open-crew-run.ts";
import { callAgent } from "../orchestration/patterns/chain.ts";
import { createEntryRanker } from "../orchestration/rank-entries.ts";
import { SignalReader } from "../orchestration/read-signals.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { RunPaused } from "../run/ask.ts";
import type { Clock } from "../run/clock.ts";
import { Run } from "../run/run.ts";
import { absentBlobs, type Blobs, RunAttachments } from "../run/run-attachments.ts";
import type { RunLease } from "../run/run-core.ts";
import { ScopeClosed } from "../run/scope.ts";
import { listCrewsAround } from "../views/find-agent-crew.ts";
import { addReferences } from "../vocabulary/attachment.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { BatonEvent, EventData } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { Start } from "../vocabulary/run-start.ts";
import { beginRun } from "./begin-run.ts";
import { RunControl, RunReleased } from "./run-control.ts";

/** A crew with what its runs act on. */
export interface ExecutedCrew {
  readonly crew: Crew;
  /** What `{{name}}` stands for in the agents' prompts. */
  readonly prompts?: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly models: World["models"];
  readonly findFunction: World["findFunction"];
  readonly memory?: World["memory"];
  readonly findOutputCheck?: World["findOutputCheck"];
  readonly tool: World["tool"];
  /** Absent where no agent has all tools of a server. */
  readonly serverTools?: World["serverTools"] | undefined;
  readonly external: World["external"];
  /** Reads signals; shared by several runs where it is given. */
  readonly signalReader?: World["signalReader"];
  /** Ranks agents that may begin; shared likewise. */
  readonly rankEntries?: World["rankEntries"];
  readonly teamKinds?: World["teamKinds"] | undefined;
  /** What other runs took of the quotas of a day, where somebody counts. */
  readonly dayTotals?: World["dayTotals"];
  /** Takes secrets out, unless the crew's settings say otherwise. */
  readonly redactor: Redactor;
}

/** One run: how it started, what is in its journal already, and who hears of what follows. */
export interface ExecutedRun {
  readonly id: RunId;
  readonly start: Start;
  readonly recorded: readonly BatonEvent[];
  /** When the run is to begin, if it is only stored for now. */
  readonly queue?: EventData["run.queued"] | undefined;
  readonly onEvent: (event: BatonEvent) => void;
  /** Resolves when all events so far are stored; undefined where they are. */
  readonly durable?: (() => Promise<void> | undefined) | undefined;
  /** Called when the replay has reached the end of what is recorded. */
  readonly onCaughtUp?: (() => void) | undefined;
  /** Called with every recorded event that the replay reaches, and the data the run gives now. */
  readonly onRepeated?: ((recorded: BatonEvent, data: unknown) => void) | undefined;
  readonly lease?: RunLease | undefined;
  /** The bytes of the run's attachments; none where nothing is called. */
  readonly blobs?: Blobs | undefined;
  /** The folder that files which tools name must be in. */
  readonly root?: string | undefined;
  /** What the caller gave for tools and functions. It is never stored. */
  readonly context?: object | undefined;
  /** Ends or releases the run from outside. */
  readonly control?: RunControl | undefined;
}

const top = { path: "" };

/** Executes a run from its start, or from where its journal ends, to its end or its next pause. */
export async function execute(runtime: ExecutedCrew, executed: ExecutedRun): Promise<void> {
  const { crew, clock } = runtime;
  const { start, control = new RunControl(clock) } = executed;
  const redactor = crew.settings.redact ? runtime.redactor : undefined;
  const input = redactor === undefined ? start.input : redactor.redact(start.input);
  const run = new Run({
    id: executed.id,
    clock,
    redactor,
    attachments: openAttachments(executed),
    facts: {
      crew: crew.name,
      conversation: start.session?.id,
      user: start.user,
      variables: runtime.prompts ?? {},
      context: executed.context ?? {},
      makeKey: createKeySource(executed.id),
    },
    recorded: executed.recorded,
    onEvent: executed.onEvent,
    durable: executed.durable,
    onCaughtUp: executed.onCaughtUp,
    lease: executed.lease,
    pauseTimeouts: (agent) => listCrewsAround(agent, crew).flatMap(({ settings }) => settings.pauseTimeout ?? []),
    onRepeated: executed.onRepeated,
    control,
  });
  run.emit(top, "run.started", { crew: crew.name, ...start, input });
  const tooLarge = inputProblem(input, crew);
  if (tooLarge !== undefined) {
    end(run, { type: "failed", stopReason: "error", failure: tooLarge }, "", "");
    return;
  }
  if (executed.queue !== undefined) {
    run.emit(top, "run.queued", executed.queue);
    return;
  }
  const { timeoutMs } = crew.settings;
  const deadline = run.deadline({ place: top, scope: run.scope, ms: timeoutMs, what: "run" }, () => {
    run.failure = { code: "timeout", message: `the run took longer than ${timeoutMs / 1000} s` };
    run.scope.close("timeout", run.failure);
  });
  const crewRun = openCrewRun(crew, createWorld(run, runtime, executed), run.scope, top);
  try {
    const outcome = await control.watch(run, () => beginRun(crewRun, addReferences(input, start.attachments), start));
    deadline.callOff();
    end(run, outcome, crewRun.shown, crewRun.finalAgent);
  } catch (error) {
    deadline.callOff();
    if (error instanceof RunPaused || error instanceof RunReleased) return;
    if (!(error instanceof ScopeClosed)) throw error;
    const { stopped, shared } = crewRun;
    if (shared.ended !== undefined) end(run, shared.ended, crewRun.shown, crewRun.finalAgent);
    else if (stopped !== undefined)
      end(run, { type: "failed", stopReason: "quota", failure: stopped }, crewRun.shown, crewRun.finalAgent);
    else if (run.failure === undefined) run.emit(top, "run.cancelled", { reason: error.message });
    else end(run, { type: "failed", stopReason: "timeout", failure: run.failure }, crewRun.shown, crewRun.finalAgent);
  } finally {
    run.leave();
    run.scope.dispose();
    control.unwatch();
  }
}

/** What the run knows of files when it begins. */
function openAttachments({ start, blobs = absentBlobs, root }: ExecutedRun): RunAttachments {
  const attachments = new RunAttachments(blobs, root);
  attachments.note(start.session?.attachments);
  attachments.note(start.attachments);
  return attachments;
}

function createWorld(run: Run, runtime: ExecutedCrew, { id, start }: ExecutedRun): World {
  const {
    clock,
    models,
    findFunction,
    memory,
    findOutputCheck,
    tool,
    serverTools = () => [],
    external,
    teamKinds,
    dayTotals,
  } = runtime;
  const { began, learned } = start;
  const signalReader = runtime.signalReader ?? new SignalReader();
  const rankEntries = runtime.rankEntries ?? createEntryRanker();
  const drawNonce = createNonceSource(id);
  return {
    run,
    clock,
    models,
    findFunction,
    memory,
    findOutputCheck,
    tool,
    serverTools,
    external,
    signalReader,
    rankEntries,
    teamKinds,
    dayTotals,
    drawNonce,
    began,
    learned,
    callAgent,
    beginCrew,
  };
}

/** Derives idempotency keys from the run's random id and the place of a call, so that every attempt has the same. */
function createKeySource(runId: RunId): (path: string) => string {
  return (path) => `${runId}.${createHash("sha256").update(path).digest("hex").slice(0, 16)}`;
}

/** Derives nonces from the run's random id. No model ever sees that id. */
function createNonceSource(runId: RunId): (place: string) => string {
  return (place) => createHash("sha256").update(`${runId} ${place}`).digest("hex").slice(0, 12);
}

function end(run: Run, outcome: CrewOutcome, output: string, finalAgent: string): void {
  const { stopReason } = outcome;
  if (outcome.type === "completed") {
    const { signal, error } = outcome;
    const why = { ...(signal !== undefined && { signal }), ...(error !== undefined && { error }) };
    run.emit(top, "run.completed", { stopReason, output, finalAgent, ...why });
  } else run.emit(top, "run.failed", { stopReason, output, finalAgent, error: outcome.failure });
}
