import { parseDuration } from "../vocabulary/duration.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { findSchemaProblem } from "./find-schema-problem.ts";
import { type JsonSchema, readBySchema, type StandardSchema, toJsonSchema } from "./standard-schema.ts";
import type { Tool, ToolArguments, ToolContext } from "./tool.ts";

/** A tool as `defineTool` takes it. */
export interface ToolDefinition<
  Input = Readonly<Record<string, unknown>>,
  Context extends object = Readonly<Record<string, unknown>>,
  Result = unknown,
  Name extends string = string,
> {
  /** The name that agents list and models call. */
  readonly name: Name;
  /** What the tool does, for the model. */
  readonly description: string;
  /** A Standard Schema of the arguments, such as one of Zod. */
  readonly input?: StandardSchema<Input> | undefined;
  /** A JSON Schema of the arguments for the model, if `input` cannot produce one. */
  readonly parameters?: JsonSchema | undefined;
  /** A Standard Schema or JSON Schema of the result. The model is told of a result that does not fit as of an error. */
  readonly output?: StandardSchema<unknown, Result> | JsonSchema | undefined;
  /** Does the work, and returns text or plain data. What it throws is told to the model. */
  execute(input: Input, context: ToolContext<Context>): NoInfer<Result> | Promise<NoInfer<Result>>;
  /** How long a call may take, in milliseconds; the agent's `tool_timeout` when absent. */
  readonly timeoutMs?: number | undefined;
  /** The same as `timeoutMs`, in the spelling of crew files. */
  readonly timeout?: number | undefined;
  /** Whether a second execution does harm: `read`, `idempotent`, or `once`, which is the default. */
  readonly effect?: Tool["effect"] | undefined;
  /** Whether the tool never runs at the same time as other calls of the same turn. */
  readonly sequential?: boolean | undefined;
  /** Whether the run pauses with each call until a human approves it. */
  readonly needsApproval?: boolean | undefined;
  /** The same as `needsApproval`, in the spelling of crew files. */
  readonly needs_approval?: boolean | undefined;
  /** How long to wait for an approval, and what to decide then. If there is only a duration, the run fails. */
  readonly pauseTimeout?: ToolPauseTimeout | undefined;
  /** The same as `pauseTimeout`, in the spelling of crew files. */
  readonly pause_timeout?: ToolPauseTimeout | undefined;
}

/** How long a tool waits for an approval: milliseconds or a duration such as `2h`, perhaps with what is decided then. */
export type ToolPauseTimeout =
  | number
  | string
  | { readonly after: number | string; readonly then: "approve" | "reject" | "fail" };

/**
 * Defines a tool that agents may call: a function with a schema of its arguments. What the tool needs of the context is said where
 * it is used, and then the crew's runs must be given it:
 *
 * ```ts
 * const lookup = defineTool({
 *   name: "lookup",
 *   description: "finds an order by its number",
 *   input: z.object({ order: z.string() }),
 *   effect: "read",
 *   execute: ({ order }, { context }: ToolContext<{ db: Database }>) => context.db.find(order),
 * });
 * ```
 * Throws a `BatonError` with the code `bad-tool` or `bad-tool-name` if the definition is malformed.
 */
export function defineTool<
  Input = Readonly<Record<string, unknown>>,
  Context extends object = Readonly<Record<string, unknown>>,
  Result = unknown,
  const Name extends string = string,
>(definition: ToolDefinition<Input, Context, Result, Name>): Tool<Name, Context> {
  const { name, description, input, output } = definition ?? {};
  if (typeof name !== "string" || name.trim() === "")
    throw new BatonError("bad-tool-name", 'a tool must have a name: write defineTool({ name: "lookup", … })');
  refuseSlips(definition);
  return {
    name,
    description,
    parameters: definition.parameters ?? (input && toJsonSchema(input)) ?? { type: "object" },
    read: (args) => readArguments(args, input, definition.parameters),
    execute(args, context) {
      // `read` has validated the arguments; a tool without a schema takes any.
      const result: unknown = definition.execute(args as Input, context);
      return output === undefined ? result : checkResult(result, output);
    },
    timeoutMs: definition.timeoutMs ?? definition.timeout,
    effect: definition.effect ?? "once",
    isSequential: definition.sequential ?? false,
    needsApproval: definition.needsApproval ?? definition.needs_approval ?? false,
    pauseTimeout: readPauseTimeout(definition),
  };
}

/** `undefined` marks keys of several types, which are checked elsewhere. */
const types: Readonly<Record<keyof ToolDefinition, string | undefined>> = {
  name: "string",
  description: "string",
  input: "object",
  parameters: "object",
  output: "object",
  execute: "function",
  timeoutMs: "number",
  timeout: "number",
  effect: "string",
  sequential: "boolean",
  needsApproval: "boolean",
  needs_approval: "boolean",
  pauseTimeout: undefined,
  pause_timeout: undefined,
};
const spellings = [
  ["timeoutMs", "timeout"],
  ["needsApproval", "needs_approval"],
  ["pauseTimeout", "pause_timeout"],
] as const;
const effects: ReadonlySet<unknown> = new Set(["read", "idempotent", "once", undefined]);

/** Checks for JavaScript what the compiler checks for TypeScript. A typo in `needsApproval` must not go unnoticed. */
function refuseSlips(definition: {
  readonly name: string;
  readonly effect?: unknown;
  readonly execute?: unknown;
}): void {
  const known = Object.entries(types);
  const unknown = Object.keys(definition).find((key) => !Object.hasOwn(types, key));
  const refuse = (problem: string): never => {
    throw new BatonError("bad-tool", `tool '${definition.name}' ${problem}`);
  };
  if (unknown !== undefined)
    refuse(`has a key '${unknown}', which means nothing: there are ${known.map(([key]) => key).join(", ")}`);
  for (const [key, type] of known) {
    const value: unknown = Reflect.get(definition, key);
    // Schemas may be functions, too.
    if (value !== undefined && type !== undefined && typeof value !== type && key !== "input" && key !== "output")
      refuse(`has a '${key}' that is not a ${type}`);
  }
  const twice = spellings.find((each) => each.every((key) => Reflect.get(definition, key) !== undefined));
  if (twice !== undefined) refuse(`has both '${twice[0]}' and '${twice[1]}', which are the same: write one`);
  if (!effects.has(definition.effect)) refuse(`has the effect '${definition.effect}': it is read, idempotent or once`);
  if (definition.execute === undefined) refuse("has no 'execute'");
}

/** Only a tool that waits for approval has a limit, and its decision must be one that an approval accepts. */
function readPauseTimeout(definition: Omit<ToolDefinition, "input" | "output" | "execute">): Tool["pauseTimeout"] {
  const { name, needsApproval = definition.needs_approval, pauseTimeout = definition.pause_timeout } = definition;
  if (pauseTimeout === undefined) return undefined;
  const refuse = (problem: string): never => {
    throw new BatonError("bad-tool", `tool '${name}' has 'pauseTimeout' ${problem}`);
  };
  if (needsApproval !== true) return refuse("and does not need approval: set needsApproval, or leave it out");
  const isLong = typeof pauseTimeout === "object" && pauseTimeout !== null;
  const afterMs = parseDuration(isLong ? pauseTimeout.after : pauseTimeout);
  const decision = isLong ? pauseTimeout.then : "fail";
  if (afterMs === undefined) return refuse(`that is not a duration: write 2h, or { after: "2h", then: "reject" }`);
  if (!["approve", "reject", "fail"].includes(decision))
    return refuse(`whose 'then' is ${JSON.stringify(decision)}: write approve, reject or fail`);
  return { afterMs, decision };
}

function readArguments(
  args: unknown,
  input: StandardSchema | undefined,
  parameters: unknown,
): ToolArguments | Promise<ToolArguments> {
  if (input === undefined) {
    const problem = findSchemaProblem(args, parameters);
    return problem === undefined ? { value: args } : { problem: `the argument ${problem}` };
  }
  return readBySchema(args, input).then((read) =>
    "problem" in read ? { problem: `the arguments do not fit: ${read.problem}` } : read,
  );
}

async function checkResult(result: unknown, schema: unknown): Promise<unknown> {
  const read = await readBySchema(await result, schema);
  if ("problem" in read) throw new Error(`it was done, but its result does not fit its output: ${read.problem}`);
  return read.value;
}
