import { z } from "zod";

/** Parts of a message that are text. Others are refused in words of their own. */
const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() });
const contentSchema = z.union([z.string(), z.array(partSchema), z.null()]);

const common = {
  model: z.string().min(1).meta({ description: "The name of a crew." }),
  stream: z.boolean().nullish(),
  metadata: z
    .record(z.string(), z.string())
    .nullish()
    .meta({ description: "`conversation`: the server keeps the thread; `run_id`: the paused run that is answered." }),
  tools: z.array(z.unknown()).nullish(),
  user: z.string().max(256).nullish().meta({ description: "For whom the run is, with a token that has `act_as`." }),
};

export const chatSchema = z
  .looseObject({
    ...common,
    messages: z
      .array(z.looseObject({ role: z.string(), content: contentSchema.optional() }))
      .min(1)
      .max(10_000),
    stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
    n: z.int().nullish(),
    functions: z.array(z.unknown()).nullish(),
  })
  .meta({
    id: "ChatCompletionRequest",
    description: "As in OpenAI's API. What cannot act is named in `baton-ignored`.",
  });

export const responsesSchema = z
  .looseObject({
    ...common,
    input: z.union([
      z.string(),
      z.array(
        z.looseObject({ type: z.string().optional(), role: z.string().optional(), content: contentSchema.optional() }),
      ),
    ]),
    instructions: z.string().nullish(),
    previous_response_id: z.string().nullish(),
    conversation: z.union([z.string(), z.looseObject({ id: z.string() })]).nullish(),
  })
  .meta({ id: "ResponseRequest", description: "As in OpenAI's API. What cannot act is named in `baton-ignored`." });

export const conversationSchema = z
  .strictObject({ items: z.array(z.unknown()).nullish(), metadata: z.record(z.string(), z.string()).nullish() })
  .meta({ id: "ConversationRequest", description: "As in OpenAI's API." });
