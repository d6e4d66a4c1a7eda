import { fields, optional, required } from "../definition/fields.ts";
import { pauseTimeoutShape } from "../definition/pause-timeout-shape.ts";
import {
  asWritten,
  duration,
  flag,
  integer,
  number,
  pattern,
  text,
  word,
  wordOrNone,
} from "../definition/scalar-shapes.ts";
import { anything, choice, list, mapOf, spelled } from "../definition/shape.ts";
import { scriptShape, usageShape } from "../prepare/script-shape.ts";

const attachmentShape = spelled(
  text,
  fields({
    path: required(text, "the file, relative to this file or among `files`"),
    name: optional(text, "the name that agents see, if it is another"),
    media_type: optional(text, "which kind of text it is"),
  }),
);

const resumeShape = fields({
  input: optional(asWritten, "what the human says"),
  attachments: optional(list(attachmentShape), "files that come with it"),
  decision: optional(word, "approve, reject, redirect:<agent>, edit, happened or not_happened"),
  args: optional(anything, "the edited arguments of a tool call"),
  result: optional(anything, "what the call gave, where it happened"),
  external: optional(anything, "the response to an external signal"),
  quota: optional(anything, "the raised quota"),
  expired: optional(flag, "true: nobody answers until the pause's deadline, whose decision applies"),
});

const matcherFields = fields({
  contains: optional(asWritten, "must contain this text"),
  matches: optional(pattern, "must match this regular expression"),
  not: optional(anything, "must not fit this matcher"),
});
const matcher = spelled(asWritten, matcherFields);
const count = spelled(integer({ min: 0 }), matcherFields);

/** The result of a tool in a scenario; in a list, one result per call. */
export const toolResultShape = fields({
  result: optional(anything, "what the tool gives"),
  error: optional(anything, "the tool fails with this"),
  delay_ms: optional(number({ min: 0 }), "how long it takes, on the virtual clock"),
  needs_approval: optional(flag, "whether the call has to be approved"),
  pause_timeout: optional(pauseTimeoutShape, "how long the approval is waited for, and what follows"),
  sequential: optional(flag, "whether it waits for the others of its turn"),
  timeout: optional(duration, "how long it may take"),
  effect: optional(choice("read", "idempotent", "once"), "whether calling it again does harm"),
});

const diagnosticShape = fields({
  code: optional(matcher, "the diagnostic's code"),
  severity: optional(choice("error", "warning"), "its severity"),
  message: optional(matcher, "its message"),
  file: optional(matcher, "its file"),
  line: optional(integer({ min: 1 }), "its line"),
  column: optional(integer({ min: 1 }), "its column"),
  frame: optional(matcher, "the lines around the place"),
  suggestion: optional(matcher, "the nearest valid name"),
});

const expectShape = fields({
  status: optional(
    choice("completed", "failed", "paused", "cancelled", "invalid"),
    "how the run ended; invalid: loading failed",
  ),
  stop_reason: optional(matcher, "why it ended"),
  output: optional(matcher, "its output"),
  final_agent: optional(spelled(wordOrNone, matcherFields), "who spoke last; empty where nobody did"),
  path: optional(list(spelled(word, matcherFields)), "who answered, in order"),
  handoffs: optional(count, "how many handoffs there were"),
  rounds: optional(count, "how many answers there were"),
  usage: optional(usageShape, "tokens used, at least these"),
  cost: optional(anything, "what it cost, at least this"),
  inputs: optional(mapOf(list(matcher)), "the user messages given to each agent, in order"),
  events: optional(list(anything), "events that happened, in order, each at least this"),
  no_events: optional(list(anything), "events that did not happen"),
  diagnostics: optional(list(diagnosticShape), "what loading reported, at least"),
  no_diagnostics: optional(list(diagnosticShape), "what loading did not report"),
  error: optional(anything, "the run's error, at least this"),
  paused: optional(anything, "the pause, at least this"),
});

/** A `*.scenario.yaml` file. */
export const scenarioShape = fields({
  name: optional(text, "a sentence that says what must happen"),
  unfilled: optional(
    flag,
    "true: a skeleton that `--suggest` wrote; it counts towards no coverage until its words are filled in and this line is deleted",
  ),
  run: optional(text, "the crew, relative to this file or among `files`"),
  files: optional(mapOf(text), "a crew inline: file names and their texts"),
  input: optional(asWritten, "the run's input"),
  attachments: optional(
    list(attachmentShape),
    "files that come with the input, relative to this file or among `files`",
  ),
  script: optional(scriptShape, "the models' replies, per agent or <crew>/<agent>"),
  tools: optional(mapOf(spelled(toolResultShape, list(toolResultShape))), "what tools give, per tool"),
  resume: optional(list(resumeShape), "one answer per pause"),
  expect: optional(expectShape, "what must happen; `baton test --update` writes it where it is missing"),
});
