import { z } from "zod";

/** The shapes of requests and answers. Requests are checked by them, and the OpenAPI document is made of them. */

const text = (max: number) => z.string().min(1).max(max);

/** Deltas are shown and never stored; everything else has a number. */
export const eventSchema = z
  .looseObject({
    id: z.string(),
    runId: z.string(),
    seq: z.int().optional(),
    ts: z.number(),
    type: z.string(),
    path: z.string(),
    agent: z.string().optional(),
    crew: z.string().optional(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "Event", description: "Something that happened in a run. Its data depend on its type." });

const fileSchema = z
  .strictObject({
    bytes: z.base64().optional().meta({ description: "The content in base64." }),
    url: z.string().max(4096).optional().meta({ description: "An address on a host that the crew allows." }),
    name: text(1000).optional(),
    mediaType: text(256)
      .optional()
      .meta({ description: "Which kind of text it is; all other types are read from the content." }),
  })
  .refine(({ bytes, url }) => (bytes === undefined) !== (url === undefined), "give 'bytes' or 'url'")
  .meta({ id: "Attachment", description: "A file. Large files are sent as parts of a form, after its fields." });

const filesSchema = z.array(fileSchema).max(100).optional();

export const startSchema = z
  .strictObject({
    input: z.string().default("").meta({ description: "The task. It may be empty if a file comes along." }),
    attachments: filesSchema,
    conversation: text(128).optional().meta({ description: "The conversation that the run continues or begins." }),
    history: z
      .array(
        z.strictObject({
          role: z.enum(["user", "assistant"]),
          text: z.string(),
          agent: text(256).optional(),
        }),
      )
      .max(10_000)
      .optional()
      .meta({ description: "What was said before, oldest first, where the caller keeps the thread itself." }),
    variables: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: "What {{name}} stands for in prompts." }),
    user: text(256)
      .optional()
      .meta({ description: "For whom the run is. Naming another than oneself needs `act_as`." }),
    priority: z
      .int()
      .min(0)
      .max(1_000_000)
      .optional()
      .meta({ description: "0 is the most urgent; the default is 100." }),
    delay: z
      .union([z.number().min(0), z.string().regex(/^\d+(\.\d+)?(ms|s|m|h|d)$/)])
      .optional()
      .meta({ description: "How long to wait before the run begins: milliseconds, or text such as 30s, 5m, 1h." }),
  })
  .meta({ id: "StartRun" });

export const startedSchema = z
  .strictObject({ runId: z.string(), status: z.enum(["queued", "running"]) })
  .meta({ id: "StartedRun" });

export const answerSchema = z
  .strictObject({
    input: z.string().optional(),
    attachments: filesSchema,
    decision: z
      .string()
      .optional()
      .meta({ description: "approve, reject, edit, redirect:<agent>, happened, not_happened" }),
    args: z.unknown().optional(),
    result: z.unknown().optional(),
    external: z.unknown().optional(),
    quota: z.unknown().optional(),
    acceptChanges: z.boolean().optional().meta({ description: "Continue with the crew as it is now." }),
  })
  .meta({ id: "Answer", description: "The answer to a paused run. `paused.options` says which parts it takes." });

const runStatus = z.enum(["queued", "running", "paused", "completed", "failed", "cancelled"]);

export const pausedSchema = z
  .looseObject({ agent: z.string(), reason: z.string(), prompt: z.string(), options: z.array(z.string()) })
  .meta({ id: "Paused", description: "What a paused run waits for." });

export const resultSchema = z
  .looseObject({
    runId: z.string(),
    status: runStatus,
    stopReason: z.string().optional(),
    output: z.string(),
    finalAgent: z.string(),
    path: z.array(z.string()),
    handoffs: z.int(),
    handoffChain: z.array(z.looseObject({ from: z.string(), to: z.string(), via: z.string(), reason: z.string() })),
    rounds: z.int(),
    usage: z.looseObject({ input: z.number(), output: z.number(), total: z.number() }),
    cost: z.strictObject({ usd: z.number().nullable(), unknownCalls: z.int() }),
    object: z.unknown().optional(),
    paused: pausedSchema.optional(),
    error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
    startedAt: z.string(),
    endedAt: z.string().optional(),
  })
  .meta({ id: "RunResult" });

export const storedRunSchema = z
  .looseObject({
    runId: z.string(),
    crew: z.string(),
    status: runStatus,
    input: z.string().meta({ description: "The beginning of its input." }),
    user: z.string().optional(),
    conversation: z.string().optional(),
    startedAt: z.number(),
    updatedAt: z.number(),
    events: z.int(),
    isOwned: z.boolean(),
  })
  .meta({ id: "StoredRun" });

export const runListSchema = z
  .strictObject({ runs: z.array(storedRunSchema), next: z.string().optional() })
  .meta({ id: "RunList" });

export const deletionSchema = z
  .strictObject({
    what: z.enum(["run", "conversation", "user"]),
    id: z.string(),
    runs: z.int(),
    memories: z.int().optional(),
    at: z.string(),
    by: z.string().optional(),
  })
  .meta({ id: "Deletion" });

export const problemSchema = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
  })
  .meta({ id: "Problem", description: "An RFC 9457 problem document." });

/** Anything that the commands print as JSON too. */
export const anyObject = z.record(z.string(), z.unknown());

export const limitSchema = z.coerce.number().int().min(1).max(1000).optional();
export const flagSchema = z.enum(["true", "false"]).optional();
