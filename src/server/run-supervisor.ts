import type { StoredRun } from "../journal/store.ts";
import type { BeginOptions } from "../library/begin-stored.ts";
import { cancelAnywhere } from "../library/cancel-anywhere.ts";
import type { GivenAnswer } from "../library/continue-runs.ts";
import type { CrewHandle } from "../library/crew-handle.ts";
import type { CrewInput } from "../runtime/bring-files.ts";
import type { ResumeOptions, RunOptions } from "../runtime/environment.ts";
import type { Fork } from "../runtime/fork-run.ts";
import type { RunHandle } from "../runtime/live-run.ts";
import { BatonError, describeThrown } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { USUAL_PRIORITY } from "../vocabulary/queue-rule.ts";
import { PauseDeadlines } from "./pause-deadlines.ts";
import { Refusal } from "./problem.ts";
import { RunQueue } from "./run-queue.ts";
import { type AcceptedRun, refuseMore, type Supervisor, type SupervisorOptions } from "./supervisor.ts";

/** How often the store is searched for runs that nobody has, and for pauses whose deadline has passed. */
const BEAT_MS = 5000;
/** A run that could not be continued is tried again after this time. */
const REFUSED_MS = 60_000;
/** Runs that were interrupted come before queued ones. */
const INTERRUPTED = -1;

/** A run of this process. */
interface ActiveRun {
  readonly handle: RunHandle;
  readonly by: string | undefined;
}

/** Starts and continues the runs of a server: at most so many at once, the others in order, also after a restart. */
export class RunSupervisor implements Supervisor {
  readonly #options: SupervisorOptions;
  readonly #active = new Map<RunId, ActiveRun>();
  readonly #queue = new RunQueue();
  readonly #deadlines: PauseDeadlines;
  readonly accepts = "running";
  readonly #refusedAt = new Map<RunId, number>();
  #starting = 0;
  /** Runs that are being stored or continued, and are neither active nor queued meanwhile. */
  readonly #arriving = new Set<{ readonly by?: string | undefined }>();
  #order = 0;
  #beat: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#deadlines = new PauseDeadlines(options.store);
  }

  get active(): number {
    return this.#active.size;
  }

  get queued(): number {
    return this.#queue.size;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  isOurs(runId: RunId): boolean {
    return this.#active.has(runId);
  }

  handleOf(runId: RunId): RunHandle | undefined {
    return this.#active.get(runId)?.handle;
  }

  admit(by: string, maxRuns: number): undefined {
    const present = [...this.#active.values(), ...this.#arriving];
    refuseMore(by, present.filter((run) => run.by === by).length + this.#queue.countOf(by), maxRuns);
  }

  /** Takes up what waits in the store, now and again later. */
  async begin(): Promise<void> {
    await this.#lookAround();
    this.#beat = setInterval(() => void this.#lookAround().catch(this.#noteFailure), BEAT_MS);
    this.#beat.unref();
  }

  /** Starts a run if there is room, or queues it. Resolves when it is stored. */
  async start(
    crew: Pick<CrewHandle, "begin">,
    name: string,
    input: CrewInput,
    options: BeginOptions,
  ): Promise<AcceptedRun> {
    this.#admit();
    const { priority = USUAL_PRIORITY, delayMs = 0 } = options.queue ?? {};
    const isQueued = delayMs > 0 || !this.#hasRoom() || !this.#queue.isFirst(priority, Date.now());
    const { queue: _, ...now } = options;
    const arriving = { by: options.by };
    this.#arriving.add(arriving);
    if (!isQueued) this.#starting++;
    try {
      const given = isQueued ? { ...now, queue: { priority, delayMs } } : { ...now, ...this.#watching };
      const begun = await crew.begin(input, { ...given, isServed: true });
      const { id, handle } = begun;
      if (handle === undefined) return { ...begun, isQueued: false };
      if (isQueued) this.#enqueue(id, name, priority, Date.now() + delayMs, options.by);
      else this.#track(handle, options.by);
      return { ...begun, isQueued };
    } finally {
      this.#arriving.delete(arriving);
      if (!isQueued) this.#starting--;
      this.#pump();
    }
  }

  /** Continues a run with what `go` does, and resolves when that is accepted. */
  async #accept(by: string | undefined, go: (watching: RunOptions) => RunHandle): Promise<RunHandle> {
    const arriving = { by };
    this.#arriving.add(arriving);
    try {
      return await this.#continue(by, go);
    } finally {
      this.#arriving.delete(arriving);
    }
  }

  async #continue(by: string | undefined, go: (watching: RunOptions) => RunHandle): Promise<RunHandle> {
    this.#admit();
    const handle = go(this.#watching);
    const accepted = handle.events[Symbol.asyncIterator]();
    await accepted.next();
    await accepted.return?.();
    this.#track(handle, by);
    return handle;
  }

  resume(crew: CrewHandle, runId: RunId, answer: GivenAnswer, options: ResumeOptions): Promise<RunHandle> {
    return this.#accept(options.by, (watching) =>
      crew.resume(runId, answer, { original: options.acceptChanges !== true, ...options, ...watching }),
    );
  }

  recover(crew: CrewHandle, runId: RunId, options: ResumeOptions): Promise<RunHandle> {
    return this.#accept(options.by, (watching) => crew.recover(runId, { original: true, ...options, ...watching }));
  }

  expire(crew: CrewHandle, runId: RunId, options: ResumeOptions): Promise<RunHandle> {
    return this.#accept(options.by, (watching) => crew.expire(runId, { original: true, ...options, ...watching }));
  }

  fork(crew: CrewHandle, runId: RunId, change: Fork, options: RunOptions): Promise<RunHandle> {
    return this.#accept(options.by, (watching) => crew.fork(runId, change, { ...options, ...watching }));
  }

  async cancel(crew: CrewHandle, runId: RunId, isGraceful: boolean): Promise<"cancelled" | "cancelling"> {
    const ours = this.#active.get(runId);
    if (ours !== undefined && !isGraceful) {
      await ours.handle.cancel();
      return "cancelled";
    }
    const status = await cancelAnywhere(crew, this.#options.store, runId, isGraceful);
    this.#queue.remove(runId);
    return status;
  }

  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#beat);
    clearTimeout(this.#timer);
    await this.#options.crews.close(graceMs);
  }

  get #watching(): Pick<RunOptions, "onEvent"> {
    return { onEvent: this.#see };
  }

  readonly #see = (event: BatonEvent): void => {
    this.#deadlines.see(event);
    this.#options.onEvent(event);
  };

  #admit(): void {
    if (this.#isStopping)
      throw new Refusal("stopping", "the server is stopping: try again, or ask another one", {
        headers: { "Retry-After": "5" },
      });
  }

  #hasRoom(): boolean {
    return this.#active.size + this.#starting < this.#options.maxRuns;
  }

  #enqueue(runId: RunId, crew: string, priority: number, dueAt: number, by: string | undefined): void {
    this.#queue.add({ runId, crew, priority, order: this.#order++, dueAt, by });
  }

  #track(handle: RunHandle, by: string | undefined): void {
    this.#active.set(handle.id, { handle, by });
    handle.result
      .then(
        (result) => this.#options.onResult(result, by),
        (error: unknown) => this.#options.note(`run ${handle.id} left this server: ${describeThrown(error)}`),
      )
      .finally(() => {
        this.#active.delete(handle.id);
        this.#pump();
      })
      .catch(this.#noteFailure);
  }

  /** Begins what waits, as long as there is room. */
  #pump(): void {
    if (this.#isStopping) return;
    while (this.#hasRoom()) {
      const next = this.#queue.take(Date.now());
      if (next === undefined) break;
      this.#starting++;
      this.#arriving.add(next);
      void this.#recover(next.runId, next.crew).finally(() => {
        this.#arriving.delete(next);
        this.#starting--;
        this.#pump();
      });
    }
    const due = this.#queue.nextDue(Date.now());
    clearTimeout(this.#timer);
    if (due !== undefined)
      this.#timer = setTimeout(() => this.#pump(), Math.min(due - Date.now(), 2 ** 31 - 1)).unref();
  }

  async #recover(runId: RunId, name: string): Promise<void> {
    const crew = this.#options.crews.get(name)?.crew;
    if (crew === undefined) return;
    try {
      const { by } = await this.#readStart(runId);
      // A crew that has changed since is continued as it was: nobody is here to decide.
      await this.#continue(by, (watching) => crew.recover(runId, { original: true, ...watching }));
    } catch (error) {
      if (error instanceof BatonError && skipped.has(error.code)) return;
      this.#refusedAt.set(runId, Date.now());
      this.#options.note(`run ${runId} could not be continued: ${describeThrown(error)}`);
    }
  }

  /** Finds queued and interrupted runs in the store, and pauses whose deadline has passed. */
  async #lookAround(): Promise<void> {
    const { store, crews, recovers } = this.#options;
    const names = crews.list().map(({ name }) => name);
    const queued = await store.list({ status: "queued", crew: names });
    for (const run of queued.toReversed()) await this.#enqueueStored(run);
    if (recovers) {
      const interrupted = await store.list({ status: "running", crew: names });
      for (const run of interrupted.toReversed())
        if (await this.#isInterrupted(run)) this.#enqueue(run.runId, run.crew, INTERRUPTED, 0, undefined);
      await this.#expire(new Set(names));
    }
    this.#pump();
  }

  async #enqueueStored({ runId, crew, isOwned }: StoredRun): Promise<void> {
    if (isOwned || this.#active.has(runId) || this.#queue.has(runId)) return;
    const [started, queued] = await this.#options.store.read(runId, 0, 2);
    if (started?.type !== "run.started" || queued?.type !== "run.queued") return;
    const { priority, dueAt } = queued.data;
    this.#enqueue(runId, crew, priority, dueAt === undefined ? 0 : Date.parse(dueAt), started.data.by);
  }

  async #isInterrupted({ runId, isOwned }: StoredRun): Promise<boolean> {
    if (isOwned || this.#active.has(runId) || this.#queue.has(runId)) return false;
    if (Date.now() - (this.#refusedAt.get(runId) ?? 0) < REFUSED_MS) return false;
    return (await this.#readStart(runId)).isServed === true;
  }

  async #readStart(runId: RunId): Promise<{ readonly by?: string; readonly isServed?: true }> {
    const [started] = await this.#options.store.read(runId, 0, 1);
    return started?.type === "run.started" ? started.data : {};
  }

  /** Applies the decision of every pause that nobody answered in time. */
  async #expire(names: ReadonlySet<string>): Promise<void> {
    const { store, crews } = this.#options;
    for (const runId of await this.#deadlines.listPassed(Date.now())) {
      const [started] = await store.read(runId, 0, 1);
      if (started?.type !== "run.started" || !names.has(started.data.crew) || started.data.isServed !== true) continue;
      const crew = crews.get(started.data.crew)?.crew;
      if (crew === undefined || this.#active.has(runId)) continue;
      await this.#accept(started.data.by, (watching) => crew.expire(runId, { original: true, ...watching })).catch(
        this.#noteFailure,
      );
    }
  }

  readonly #noteFailure = (error: unknown): void => {
    if (error instanceof BatonError && skipped.has(error.code)) return;
    this.#options.note(`looking for runs to continue failed: ${describeThrown(error)}`);
  };
}

/** Somebody else was first. */
const skipped: ReadonlySet<string> = new Set(["run-active", "not-broken", "not-paused", "not-expired", "unknown-run"]);
