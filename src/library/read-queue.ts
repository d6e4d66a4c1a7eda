import type { Project } from "../definition/read-project.ts";
import type { Clock } from "../run/clock.ts";
import type { StartOptions } from "../runtime/environment.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { EventData } from "../vocabulary/events.ts";
import { DEFAULT_QUEUE, type QueueRule, USUAL_PRIORITY } from "../vocabulary/queue-rule.ts";

/** The queues that a project's baton.yaml names. */
export function readQueues(project: Project | undefined): readonly QueueRule[] {
  return (project?.queues ?? []).flatMap(({ name, concurrency, per_worker, rate, partition_by, priority }) => {
    if (name === undefined) return [];
    const { limit, period } = rate ?? {};
    return {
      name,
      concurrency,
      perWorker: per_worker,
      rate: limit === undefined || typeof period !== "number" ? undefined : { limit, periodMs: period },
      partitionBy: partition_by,
      priority,
    };
  });
}

/** What a run that is queued is known by. */
interface Queued extends Pick<StartOptions, "queue" | "by" | "variables"> {
  readonly conversation?: string | undefined;
  readonly acceptChanges?: boolean | undefined;
}

/** What a queued run records of its turn. */
export function readQueue(
  { queue, by, variables, conversation, acceptChanges }: Queued,
  { settings }: Crew,
  queues: readonly QueueRule[],
  clock: Clock,
): EventData["run.queued"] | undefined {
  if (queue === undefined) return undefined;
  const name = settings.queue ?? DEFAULT_QUEUE;
  const rule = queues.find((each) => each.name === name);
  const { priority = rule?.priority ?? USUAL_PRIORITY, delayMs = 0 } = queue;
  const partition = findPartition(rule?.partitionBy, { session: conversation, token: by }, variables);
  return {
    priority,
    ...(delayMs > 0 && { dueAt: new Date(clock.now() + delayMs).toISOString() }),
    ...(name !== DEFAULT_QUEUE && { queue: name }),
    ...(partition !== undefined && { partition }),
    ...(acceptChanges && { acceptChanges }),
  };
}

function findPartition(
  by: string | undefined,
  known: Readonly<Record<string, string | undefined>>,
  variables: Readonly<Record<string, string>> = {},
): string | undefined {
  if (by === undefined) return undefined;
  return Object.hasOwn(known, by) ? known[by] : variables[by];
}
