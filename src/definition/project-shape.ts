import { USUAL_PRIORITY } from "../vocabulary/queue-rule.ts";
import { fields, optional, required, withDefault } from "./fields.ts";
import { duration, flag, integer, text, webAddress, word, wordOrFlag } from "./scalar-shapes.ts";
import { choice, list } from "./shape.ts";

const notifyShape = fields({
  url: required(
    webAddress,
    "where the messages are posted; `$` and a name in braces stand for an environment variable",
  ),
  secret_env: optional(word, "the environment variable with the secret that signs them"),
  on: withDefault(
    list(choice("paused", "completed", "failed", "cancelled")),
    ["paused", "completed", "failed"],
    "the states of a run that are told",
  ),
  crews: optional(list(word), "the crews whose runs are told; all when absent"),
});

const scheduleShape = fields({
  name: required(word, "what the schedule is called; it stays the same when the schedule is changed"),
  crew: required(word, "the crew that runs"),
  cron: required(text, "when: minute, hour, day of month, month, day of week, such as `0 7 * * 1-5`"),
  timezone: withDefault(word, "UTC", "the time zone of `cron`, such as Europe/Berlin"),
  input: required(text, "the input of each run"),
  user: optional(word, "for whom the runs are"),
  skip_if_running: withDefault(flag, true, "whether a time is left out while the run before has not ended"),
  catch_up: withDefault(
    wordOrFlag(["none", "last", "all"], "last", "none"),
    "none",
    "which times that were missed while no server ran are made up for: `none`, the `last` one (or true), or `all`, up to 100",
  ),
});

const rateShape = fields({
  limit: required(integer({ min: 1 }), "how many runs begin"),
  period: required(duration, "within this time: `1s`, `5m` or milliseconds"),
});

const queueShape = fields({
  name: required(word, "what crews call it in `settings.queue`; `default` is the queue of all others"),
  concurrency: optional(integer({ min: 1 }), "runs under way at once, in all workers together"),
  per_worker: optional(integer({ min: 1 }), "runs under way at once in each worker"),
  rate: optional(rateShape, "how fast runs begin"),
  partition_by: optional(
    word,
    "divides it into parts, whose `concurrency` and `rate` count by themselves: `session`, `token` or a variable of the run",
  ),
  priority: withDefault(
    integer({ min: 0 }),
    USUAL_PRIORITY,
    "of runs that are started without one; 0 is the most urgent",
  ),
});

/** The keys of a project's baton.yaml, which also marks the project's folder. */
export const projectShape = fields({
  prompt_variables: withDefault(
    list(word),
    [],
    "environment variables that prompts and models of `.ai` files may refer to; secrets cannot be among them",
  ),
  webhook_secrets: withDefault(
    list(word),
    [],
    "environment variables that crews of the project may sign webhooks with, besides those called *_WEBHOOK_SECRET",
  ),
  notify: withDefault(
    list(notifyShape),
    [],
    "whom to tell when a run pauses or ends: signed webhooks, sent until they are taken",
  ),
  queues: withDefault(list(queueShape), [], "where runs wait for a worker, if several machines share a database"),
  schedules: withDefault(list(scheduleShape), [], "runs that `baton serve` starts by itself, at set times"),
});
