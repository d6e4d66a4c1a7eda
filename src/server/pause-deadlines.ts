import type { Store } from "../journal/store.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";

/** Other processes pause runs, too; the store is searched this often for their deadlines. */
const SEARCH_MS = 60_000;

/** A pause as it was read: how many events the run had then, and when its deadline passes. */
interface KnownPause {
  readonly events: number;
  readonly until: number | undefined;
}

/** When the pauses of a store end, without reading each paused run again and again. */
export class PauseDeadlines {
  readonly #store: Pick<Store, "list" | "read">;
  #known = new Map<RunId, KnownPause>();
  #searchedAt = Number.NEGATIVE_INFINITY;

  constructor(store: Pick<Store, "list" | "read">) {
    this.#store = store;
  }

  /** Takes an event of a run of this process. */
  see({ type, runId, seq, data }: BatonEvent): void {
    if (type === "run.paused") this.#known.set(runId, { events: (seq ?? 0) + 1, until: readTime(data.expiresAt) });
    else if (type === "run.resumed" || type === "run.cancelled") this.#known.delete(runId);
  }

  /** The runs whose deadline has passed, as far as this process knows. */
  async listPassed(now: number): Promise<readonly RunId[]> {
    if (now - this.#searchedAt >= SEARCH_MS) await this.#search(now);
    return [...this.#known].flatMap(([runId, { until }]) => (until !== undefined && until <= now ? [runId] : []));
  }

  async #search(now: number): Promise<void> {
    const found = new Map<RunId, KnownPause>();
    for (const { runId, events } of await this.#store.list({ status: "paused" })) {
      const before = this.#known.get(runId);
      found.set(runId, before?.events === events ? before : { events, until: await this.#read(runId, events) });
    }
    this.#known = found;
    this.#searchedAt = now;
  }

  async #read(runId: RunId, events: number): Promise<number | undefined> {
    const last = (await this.#store.read(runId, events - 1)).at(-1);
    return last?.type === "run.paused" ? readTime(last.data.expiresAt) : undefined;
  }
}

function readTime(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}
