import type { Store } from "../journal/store.ts";
import type { EventType } from "../vocabulary/events.ts";

type Listener = () => void;

/** What changes how a run stands in a list. */
const standings: ReadonlySet<EventType> = new Set([
  ...(["run.started", "run.queued", "run.continued", "run.resumed", "run.paused"] as const),
  ...(["run.completed", "run.failed", "run.cancelled"] as const),
]);

/** Tells lists that follow a store of what this process writes to it. */
export class StoreChanges {
  readonly #listeners = new Set<Listener>();

  /** The same store. Whoever listens is told when a run begins, ends, pauses, goes on or is removed. */
  observe(store: Store): Store {
    const append: Store["append"] = async (lease, events, ...others) => {
      await store.append(lease, events, ...others);
      if (events.some(({ type }) => standings.has(type))) this.#tell();
    };
    const remove: Store["remove"] = async (runId) => {
      const wasThere = await store.remove(runId);
      this.#tell();
      return wasThere;
    };
    return new Proxy(store, {
      get(target, key) {
        if (key === "append") return append;
        if (key === "remove") return remove;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }

  /** Calls back at each change, until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
