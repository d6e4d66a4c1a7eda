import { fields, optional, required, withDefault } from "./fields.ts";
import { flag, text, webAddress, word } from "./scalar-shapes.ts";
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
  catch_up: withDefault(flag, false, "whether times that were missed while no server ran are made up for by one run"),
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
  schedules: withDefault(list(scheduleShape), [], "runs that `baton serve` starts by itself, at set times"),
});
