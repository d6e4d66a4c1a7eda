import { Gauge, Histogram, Registry } from "prom-client";
import type { Store } from "../journal/store.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { createEventCounter } from "./event-counter.ts";

/** What `/metrics` tells, in the text form of Prometheus. */
export interface Metrics {
  /** Counts an event of a run of this process. */
  see(event: BatonEvent): void;
  /** The same store. Its commits are timed. */
  observe(store: Store): Store;
  text(): Promise<string>;
}

interface Standing {
  readonly running: () => number;
  readonly queued: () => number;
  readonly readers: () => number;
  readonly dropped: () => number;
  readonly paused: () => Promise<number>;
}

export function createMetrics(standing: Standing): Metrics {
  const registry = new Registry();
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name: `baton_${name}`,
      help,
      registers: [registry],
      async collect() {
        this.set(await read());
      },
    });
  gauge("runs_running", "Runs under way in this process", standing.running);
  gauge("runs_queued", "Runs that wait for their turn", standing.queued);
  gauge("runs_paused", "Runs that wait for an answer", standing.paused);
  gauge("sse_readers", "Readers of event streams", standing.readers);
  gauge("sse_readers_dropped", "Readers whose streams ended because they were too slow", standing.dropped);
  const commits = new Histogram({
    name: "baton_journal_commit_seconds",
    help: "How long the journal took to store events",
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  const see = createEventCounter(registry);
  return {
    see,
    observe(store) {
      const append: Store["append"] = async (...given) => {
        const stop = commits.startTimer();
        await store.append(...given);
        stop();
      };
      return new Proxy(store, {
        get(target, key) {
          if (key === "append") return append;
          const value: unknown = Reflect.get(target, key, target);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    },
    text: () => registry.metrics(),
  };
}
