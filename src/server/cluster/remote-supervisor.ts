import type { Dispatch } from "../../dispatch/open-dispatch.ts";
import { countQueued, countStarted } from "../../dispatch/queue-figures.ts";
import type { Store } from "../../journal/store.ts";
import type { BeginOptions } from "../../library/begin-stored.ts";
import { cancelAnywhere } from "../../library/cancel-anywhere.ts";
import type { GivenAnswer } from "../../library/continue-runs.ts";
import type { CrewHandle } from "../../library/crew-handle.ts";
import type { CrewInput } from "../../runtime/bring-files.ts";
import type { ResumeOptions, RunOptions } from "../../runtime/environment.ts";
import type { Fork } from "../../runtime/fork-run.ts";
import type { RunHandle } from "../../runtime/live-run.ts";
import { BatonError } from "../../vocabulary/errors.ts";
import type { RunId } from "../../vocabulary/ids.ts";
import { Refusal } from "../problem.ts";
import type { ServedCrews } from "../served-crews.ts";
import { type AcceptedRun, refuseMore, type Supervisor } from "../supervisor.ts";

/** Runs that are under way in this process, where it is a worker, too. */
export interface LocalRuns {
  readonly active: number;
  has(runId: RunId): boolean;
}

const LET_GO_MS = 50;
const LET_GO_TRIES = 20;

interface RemoteOptions {
  readonly store: Store;
  readonly dispatch: Dispatch;
  readonly crews: ServedCrews;
  readonly local: LocalRuns | undefined;
}

/** Queues runs for workers, and runs nothing itself. */
export class RemoteSupervisor implements Supervisor {
  readonly #options: RemoteOptions;
  /** Runs of tokens that were admitted and are not stored yet. */
  readonly #arriving = new Map<string, number>();
  #turn: Promise<unknown> = Promise.resolve();
  #isStopping = false;
  readonly queued = 0;
  readonly accepts = "queued";

  constructor(options: RemoteOptions) {
    this.#options = options;
  }

  get active(): number {
    return this.#options.local?.active ?? 0;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  isOurs(runId: RunId): boolean {
    return this.#options.local?.has(runId) ?? false;
  }

  handleOf(): undefined {}

  admit(by: string, maxRuns: number): Promise<void> {
    const turn = this.#turn.then(async () => {
      const arriving = this.#arriving.get(by) ?? 0;
      refuseMore(by, arriving + (await countStarted(this.#options.dispatch, by)), maxRuns);
      this.#arriving.set(by, arriving + 1);
    });
    // Whoever comes next is counted after this one, whatever becomes of it.
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async begin(): Promise<void> {}

  async start(
    crew: Pick<CrewHandle, "begin">,
    _name: string,
    input: CrewInput,
    options: BeginOptions,
  ): Promise<AcceptedRun> {
    const { by, queue = {} } = options;
    return this.#accept(by, async () => {
      const begun = await crew.begin(input, { ...options, queue, isServed: true });
      return { ...begun, isQueued: true };
    });
  }

  resume(crew: CrewHandle, runId: RunId, answer: GivenAnswer, options: ResumeOptions): Promise<RunHandle> {
    return this.#accept(undefined, () =>
      onceLetGo(() => waitUntilQueued(crew.resume(runId, answer, { ...options, queue: {} }))),
    );
  }

  recover(crew: CrewHandle, runId: RunId, options: ResumeOptions): Promise<RunHandle> {
    return this.#accept(undefined, () => waitUntilQueued(crew.recover(runId, { ...options, queue: {} })));
  }

  expire(crew: CrewHandle, runId: RunId, options: ResumeOptions): Promise<RunHandle> {
    return this.#accept(undefined, () => waitUntilQueued(crew.expire(runId, { ...options, queue: {} })));
  }

  fork(crew: CrewHandle, runId: RunId, change: Fork, options: RunOptions): Promise<RunHandle> {
    return this.#accept(options.by, () => waitUntilQueued(crew.fork(runId, change, { ...options, queue: {} })));
  }

  cancel(crew: CrewHandle, runId: RunId, isGraceful: boolean): Promise<"cancelled" | "cancelling"> {
    return cancelAnywhere(crew, this.#options.store, runId, isGraceful);
  }

  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    await this.#options.crews.close(graceMs);
  }

  /** How many runs wait for a worker. */
  depth(): Promise<number> {
    return countQueued(this.#options.dispatch);
  }

  async #accept<Result>(by: string | undefined, go: () => Promise<Result>): Promise<Result> {
    try {
      if (this.#isStopping)
        throw new Refusal("stopping", "the server is stopping: try again, or ask another one", {
          headers: { "Retry-After": "5" },
        });
      return await go();
    } finally {
      if (by !== undefined) this.#arriving.set(by, Math.max(0, (this.#arriving.get(by) ?? 0) - 1));
    }
  }
}

/** A worker tells that a run paused a moment before it lets the run go. */
async function onceLetGo<Result>(go: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await go();
    } catch (error) {
      if (!(error instanceof BatonError) || error.code !== "run-active" || attempt >= LET_GO_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, LET_GO_MS));
    }
  }
}

async function waitUntilQueued(handle: RunHandle): Promise<RunHandle> {
  await handle.result;
  return handle;
}
