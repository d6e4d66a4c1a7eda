import { diagnose } from "../diagnosis/diagnose.ts";
import type { Store, StoredRun } from "../journal/store.ts";
import { readCrewCopy } from "../run-storage/crew-copy.ts";
import { measureRun } from "../views/run-figures.ts";
import {
  addUpRuns,
  type CountedRun,
  type GroupStatistics,
  type StatisticsGroup,
} from "../views/statistics-over-time.ts";
import type { RunId } from "../vocabulary/ids.ts";

/** Which runs statistics count. */
export interface RunStatisticsQuery {
  readonly by: StatisticsGroup;
  /** The name of a crew, or several names; all if absent. */
  readonly crew?: string | readonly string[];
  /** Only runs that began at this time (milliseconds since 1970) or later. */
  readonly since?: number;
  /** At most this many runs, the newest. */
  readonly limit?: number;
}

/** Statistics of runs by day, crew or agent. */
export interface RunStatistics {
  readonly groups: readonly GroupStatistics[];
  readonly runs: number;
  /** Whether there are more runs than were counted. */
  readonly isCut: boolean;
}

const MAX_RUNS = 5000;
const PAGE = 200;
/** Ended runs do not change, so what was counted of them is remembered for the next question. */
const MAX_REMEMBERED = 20_000;

/** Counts the runs of a store, and remembers what it counted of runs that have ended. */
export class RunStatisticsReader {
  readonly #store: Pick<Store, "list" | "read" | "get">;
  readonly #counted = new Map<RunId, CountedRun>();

  constructor(store: Pick<Store, "list" | "read" | "get">) {
    this.#store = store;
  }

  /** Rejects with a `BatonError` whose code is a `StoreErrorCode`. */
  async read({ by, crew, since = 0, limit = MAX_RUNS }: RunStatisticsQuery): Promise<RunStatistics> {
    const counted: CountedRun[] = [];
    let isCut = false;
    for await (const run of this.#list(crew, since)) {
      isCut = counted.length === limit;
      if (isCut) break;
      const figures = await this.#count(run);
      if (figures !== undefined) counted.push(figures);
    }
    return { groups: addUpRuns(counted, by), runs: counted.length, isCut };
  }

  /** Runs that began since a time, page by page, so that others have their turn in between. */
  async *#list(crew: RunStatisticsQuery["crew"], since: number): AsyncGenerator<StoredRun> {
    let after: RunId | undefined;
    for (;;) {
      const query = { ...(crew !== undefined && { crew }), ...(after !== undefined && { after }), limit: PAGE };
      const page = await this.#store.list(query);
      for (const run of page) {
        if (run.startedAt < since) return;
        yield run;
      }
      after = page.at(-1)?.runId;
      if (page.length < PAGE) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #count({ runId, status }: StoredRun): Promise<CountedRun | undefined> {
    const known = this.#counted.get(runId);
    if (known !== undefined && known.status === status) return known;
    const events = await this.#store.read(runId);
    const [started] = events;
    // It may have been deleted since it was listed.
    if (started?.type !== "run.started") return undefined;
    const { findings } = diagnose(events, await readCrewCopy(this.#store, started.data.fingerprint));
    const counted = { ...measureRun(events), findings: findings.map(({ code, agents }) => ({ code, agents })) };
    if (counted.ms !== undefined) this.#remember(runId, counted);
    return counted;
  }

  #remember(runId: RunId, counted: CountedRun): void {
    this.#counted.set(runId, counted);
    const [oldest] = this.#counted.keys();
    if (this.#counted.size > MAX_REMEMBERED && oldest !== undefined) this.#counted.delete(oldest);
  }
}
