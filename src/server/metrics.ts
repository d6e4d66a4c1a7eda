import { Gauge, Histogram, Registry } from "prom-client";
import type { Store } from "../journal/store.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { createEventCounter } from "./event-counter.ts";

/** What `/metrics` tells, in the text form of Prometheus. */
export interface Metrics {
  /** Tells of the queues that workers share, too. */
  addQueues(read: () => Promise<QueueStanding>): void;
  /** Counts an event of a run of this process. */
  see(event: BatonEvent): void;
  /** The same store. Its commits are timed. */
  observe(store: Store): Store;
  text(): Promise<string>;
}

/** How the queues stand that workers share. */
interface QueueStanding {
  readonly queues: readonly {
    readonly queue: string;
    readonly waiting: number;
    readonly running: number;
    readonly oldestWaitS: number;
    readonly medianWaitS: number | undefined;
  }[];
  /** How many runs were handed on from workers that were gone. */
  readonly recovered: number;
  readonly workers: number;
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
    addQueues: (read) => addQueueGauges(registry, read),
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

/** One question to the database fills all of these. */
function addQueueGauges(registry: Registry, read: () => Promise<QueueStanding>): void {
  let asked: Promise<QueueStanding> | undefined;
  const readOnce = (): Promise<QueueStanding> => {
    asked ??= read().finally(() => {
      asked = undefined;
    });
    return asked;
  };
  const ofQueue = (
    name: string,
    help: string,
    measure: (queue: QueueStanding["queues"][number]) => number | undefined,
  ) =>
    new Gauge({
      name: `baton_queue_${name}`,
      help,
      labelNames: ["queue"],
      registers: [registry],
      async collect() {
        const { queues } = await readOnce();
        this.reset();
        for (const each of queues) {
          const value = measure(each);
          if (value !== undefined) this.set({ queue: each.queue }, value);
        }
      },
    });
  const ofAll = (name: string, help: string, measure: (standing: QueueStanding) => number) =>
    new Gauge({
      name: `baton_${name}`,
      help,
      registers: [registry],
      async collect() {
        this.set(measure(await readOnce()));
      },
    });
  ofQueue("depth", "Runs of the queue that wait for a worker", ({ waiting }) => waiting);
  ofQueue("running", "Runs of the queue that workers have under way", ({ running }) => running);
  ofQueue("oldest_wait_seconds", "How long the oldest run that is due has waited", ({ oldestWaitS }) => oldestWaitS);
  ofQueue(
    "wait_seconds_median",
    "How long runs waited that began within five minutes",
    ({ medianWaitS }) => medianWaitS,
  );
  ofAll("workers", "Workers that run", ({ workers }) => workers);
  ofAll("runs_recovered", "Runs that were handed on from workers that were gone", ({ recovered }) => recovered);
}
