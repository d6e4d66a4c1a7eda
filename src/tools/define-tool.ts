import { BatonError } from "../errors.ts";
import { schemaProblem } from "./schema-problem.ts";
import type { Tool, ToolArguments, ToolContext } from "./tool.ts";

/** The part of the Standard Schema interface that is used; Zod, Valibot, ArkType and others implement it. */
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
  /** A JSON Schema of the arguments for the model, where `input` cannot give its own. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  execute(input: Input, context: ToolContext): unknown;
  readonly timeoutMs?: number;
  readonly effect?: Tool["effect"];
  readonly sequential?: boolean;
  readonly needsApproval?: boolean;
}

/** A tool that agents may call: a function, with a schema of what it takes. */
export function defineTool<Input = Readonly<Record<string, unknown>>>(definition: ToolDefinition<Input>): Tool {
  const { name, description, input } = definition;
  if (typeof name !== "string" || name.trim() === "")
    throw new BatonError("bad-tool-name", 'a tool must have a name: write defineTool({ name: "lookup", … })');
  return {
    name,
    description,
    parameters: definition.parameters ??
      input?.["~standard"].jsonSchema?.input({ target: "draft-2020-12" }) ?? { type: "object" },
    read: (args) => (input === undefined ? checkBySchema(args, definition.parameters) : validate(input, args)),
    // What `read` let through is an Input; a tool without a schema takes what comes.
    execute: (args, context) => definition.execute(args as Input, context),
    timeoutMs: definition.timeoutMs,
    effect: definition.effect ?? "once",
    isSequential: definition.sequential ?? false,
    needsApproval: definition.needsApproval ?? false,
  };
}

function checkBySchema(args: unknown, schema: unknown): ToolArguments {
  const problem = schemaProblem(args, schema);
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
