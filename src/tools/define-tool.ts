import { parseDuration } from "../vocabulary/duration.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { findSchemaProblem } from "./find-schema-problem.ts";
import type { Tool, ToolArguments, ToolContext } from "./tool.ts";

/** The part of the Standard Schema interface that Baton uses. Zod, Valibot, ArkType and others implement it. */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => Record<string, unknown> };
    readonly types?: { readonly output: Output } | undefined;
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] };

export interface ToolDefinition<Input> {
  readonly name: string;
  readonly description: string;
  /** A Standard Schema of the arguments. */
  readonly input?: StandardSchema<Input>;
  /** A JSON Schema of the arguments for the model, if `input` cannot produce one. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  execute(input: Input, context: ToolContext): unknown;
  readonly timeoutMs?: number;
  /** The spelling of crew files. */
  readonly timeout?: number;
  readonly effect?: Tool["effect"];
  readonly sequential?: boolean;
  readonly needsApproval?: boolean;
  /** The spelling of crew files. */
  readonly needs_approval?: boolean;
  /** How long to wait for an approval, and what to decide then. If there is only a duration, the run fails. */
  readonly pauseTimeout?: ToolPauseTimeout;
  /** The spelling of crew files. */
  readonly pause_timeout?: ToolPauseTimeout;
}

/** Milliseconds or a duration such as `2h`. */
type ToolPauseTimeout =
  | number
  | string
  | { readonly after: number | string; readonly then: "approve" | "reject" | "fail" };

/** Defines a tool that agents may call: a function with a schema of its arguments. */
export function defineTool<Input = Readonly<Record<string, unknown>>>(definition: ToolDefinition<Input>): Tool {
  const { name, description, input } = definition ?? {};
  if (typeof name !== "string" || name.trim() === "")
    throw new BatonError("bad-tool-name", 'a tool must have a name: write defineTool({ name: "lookup", … })');
  refuseSlips(definition);
  return {
    name,
    description,
    parameters: definition.parameters ??
      input?.["~standard"].jsonSchema?.input({ target: "draft-2020-12" }) ?? { type: "object" },
    read: (args) => (input === undefined ? checkBySchema(args, definition.parameters) : validate(input, args)),
    // `read` has validated the arguments; a tool without a schema takes any.
    execute: (args, context) => definition.execute(args as Input, context),
    timeoutMs: definition.timeoutMs ?? definition.timeout,
    effect: definition.effect ?? "once",
    isSequential: definition.sequential ?? false,
    needsApproval: definition.needsApproval ?? definition.needs_approval ?? false,
    pauseTimeout: readPauseTimeout(definition),
  };
}

/** `undefined` marks keys of several types, which are checked elsewhere. */
const types: Readonly<Record<keyof ToolDefinition<unknown>, string | undefined>> = {
  name: "string",
  description: "string",
  input: "object",
  parameters: "object",
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
    if (value !== undefined && type !== undefined && typeof value !== type && key !== "input")
      refuse(`has '${key}' that is no ${type}`);
  }
  const twice = spellings.find((each) => each.every((key) => Reflect.get(definition, key) !== undefined));
  if (twice !== undefined) refuse(`has both '${twice[0]}' and '${twice[1]}', which are the same: write one`);
  if (!effects.has(definition.effect)) refuse(`has the effect '${definition.effect}': it is read, idempotent or once`);
  if (definition.execute === undefined) refuse("has no 'execute'");
}

/** Only a tool that waits for approval has a limit, and its decision must be one that an approval accepts. */
function readPauseTimeout(definition: Omit<ToolDefinition<never>, "input" | "execute">): Tool["pauseTimeout"] {
  const { name, needsApproval = definition.needs_approval, pauseTimeout = definition.pause_timeout } = definition;
  if (pauseTimeout === undefined) return undefined;
  const refuse = (problem: string): never => {
    throw new BatonError("bad-tool", `tool '${name}' has 'pauseTimeout' ${problem}`);
  };
  if (needsApproval !== true) return refuse("and does not need approval: set needsApproval, or leave it out");
  const isLong = typeof pauseTimeout === "object" && pauseTimeout !== null;
  const afterMs = parseDuration(isLong ? pauseTimeout.after : pauseTimeout);
  const decision = isLong ? pauseTimeout.then : "fail";
  if (afterMs === undefined) return refuse(`that is no duration: write 2h, or { after: "2h", then: "reject" }`);
  if (!["approve", "reject", "fail"].includes(decision))
    return refuse(`whose 'then' is '${decision}': it is approve, reject or fail`);
  return { afterMs, decision };
}

function checkBySchema(args: unknown, schema: unknown): ToolArguments {
  const problem = findSchemaProblem(args, schema);
  return problem === undefined ? { value: args } : { problem: `the argument ${problem}` };
}

async function validate(schema: StandardSchema, args: unknown): Promise<ToolArguments> {
  const result = await schema["~standard"].validate(args);
  if (result.issues === undefined) return { value: result.value };
  const problems = result.issues.map(({ message, path }) =>
    path === undefined || path.length === 0 ? message : `${path.join(".")}: ${message}`,
  );
  return { problem: `the arguments do not fit: ${problems.join("; ")}` };
}
