import { fields, optional, withDefault } from "./fields.ts";
import { flag, integer, linearPattern, text, word } from "./scalar-shapes.ts";
import { anything, choice, list, spelled, type ValueOf } from "./shape.ts";

const guardShape = spelled(
  text,
  fields({
    max_chars: optional(integer({ min: 1 }), "trips on a longer text"),
    matches: optional(linearPattern, "trips on a text that this regular expression does not match"),
    forbids: optional(list(text), "trips on a text with one of these words or phrases, whatever their case"),
    json: optional(anything, "trips on a text that is not JSON, or does not fit this JSON Schema; `true` for any JSON"),
    language: optional(
      choice("en", "de", "fr", "es", "it", "nl", "pt", "vi", "zh", "ja", "ko", "ru", "ar"),
      "trips on a text that is plainly in another language",
    ),
    no_secrets: optional(flag, "trips on a text with a secret"),
    grounded: optional(
      fields({ in: optional(choice("tool results"), "what counts as given: tool results") }),
      "trips on a number or quoted phrase that the agent was not given",
    ),
    module: optional(text, "a function that judges, `./guards.ts#onTopic`"),
    agent: optional(word, "an agent that judges: its answer is JSON"),
    on_trip: optional(
      choice("block", "rewrite", "ask", "retry"),
      "what follows when it trips; when absent, block, or what the function or agent decides",
    ),
    message: optional(text, "what the user is told when it blocks"),
    max: withDefault(integer({ min: 1, max: 10 }), 2, "with retry: how often the agent answers again"),
    first: optional(flag, "true: it runs before the first model call instead of beside it"),
  }),
);

export const guardsShape = fields({
  input: withDefault(list(guardShape), [], "guards of what comes in"),
  output: withDefault(list(guardShape), [], "guards of the answer"),
  stream: optional(
    choice("passed", "early"),
    "when text is streamed: once it passed, or early, so that it may be retracted; passed when absent",
  ),
});

export type GuardKeys = Exclude<ValueOf<typeof guardShape>, string>;
export type GuardsKeys = ValueOf<typeof guardsShape>;
