import { fields, optional, required } from "../definition/fields.ts";
import { asWritten, integer, number, word } from "../definition/scalar-shapes.ts";
import { anything, choice, list, mapOf, spelled } from "../definition/shape.ts";

export const usageShape = fields({
  input: optional(integer({ min: 0 }), "input tokens"),
  output: optional(integer({ min: 0 }), "output tokens"),
  cache_read: optional(integer({ min: 0 }), "input tokens read from a cache"),
  cache_write: optional(integer({ min: 0 }), "input tokens written to a cache"),
  reasoning: optional(integer({ min: 0 }), "output tokens spent on reasoning"),
  total: optional(integer({ min: 0 }), "all tokens"),
});

const errorShape = fields({
  status: optional(integer({ min: 100, max: 599 }), "the HTTP status"),
  message: optional(asWritten, "what the provider says"),
  retry_after: optional(number({ min: 0 }), "seconds to wait before a retry"),
});

const toolCallShape = fields({
  name: required(word, "the tool"),
  args: optional(anything, "its arguments; text is the raw argument text"),
});

const replyShape = spelled(
  asWritten,
  fields({
    text: optional(asWritten, "what the model writes"),
    reasoning: optional(asWritten, "what the model thinks"),
    tools: optional(list(toolCallShape), "tools the model calls"),
    finish: optional(choice("length", "content-filter"), "why it ends early: at the length limit, by a content filter"),
    usage: optional(usageShape, "tokens it reports"),
    latency_ms: optional(number({ min: 0 }), "how long it takes, on the virtual clock"),
    error: optional(errorShape, "the call fails with this; the next reply answers the retry"),
  }),
);

/** Replies in order, per agent or `<crew>/<agent>`. */
export const scriptShape = mapOf(list(replyShape));
