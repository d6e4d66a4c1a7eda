import type { ToolSpecification } from "../models/model.ts";
import { findSchemaProblem } from "../tools/find-schema-problem.ts";
import type { Agent } from "../vocabulary/crew.ts";
import type { EventData } from "../vocabulary/events.ts";
import type { BesideJson } from "./beside-json.ts";
import type { SessionTool } from "./session-tool.ts";

/** What decides what is offered. */
interface Offering {
  readonly agent: Agent;
  readonly turns: number;
  readonly isReportless?: boolean | undefined;
  readonly beside?: BesideJson | undefined;
}

const none: readonly never[] = [];

/** What the model may call on its next turn, as it is told. */
export function offered(tools: readonly SessionTool[], session: Offering): readonly ToolSpecification[] {
  const { agent, isReportless } = session;
  if (tools.length === 0 && agent.output.schema === undefined) return none;
  const reports = isReportless ? none : specifyFinalReport(agent, session.beside);
  return [...tools.flatMap((tool) => specifyTool(tool, session.turns) ?? []), ...reports];
}

/** Whether the model is told of a tool; others may be called all the same. */
export function isOffered(tool: SessionTool, turns: number): boolean {
  return specifyTool(tool, turns) !== undefined;
}

function specifyTool(tool: SessionTool, turns: number): ToolSpecification | undefined {
  if (tool.kind === "effect" || tool.parametersAfter === undefined) {
    const { name, description, parameters } = tool.kind === "effect" ? tool.tool : tool;
    return { name, description, parameters };
  }
  const parameters = tool.parametersAfter(turns);
  return parameters === undefined ? undefined : { name: tool.name, description: tool.description, parameters };
}

const REPORT = "final_report";

/**
 * Whether the model must call a tool on every turn: an agent whose answer has a schema and who may write signals gives both as
 * arguments, since a provider that holds a text to a schema leaves no room for signals.
 */
export function mustReport({ agent, isReportless, beside }: Omit<Offering, "turns">): boolean {
  return agent.output.schema !== undefined && beside !== undefined && !isReportless;
}

/** Offered where the answer has a schema: models fill in arguments more reliably than they write JSON. */
function specifyFinalReport({ output }: Agent, beside: BesideJson | undefined): ToolSpecification[] {
  if (output.schema === undefined) return [];
  const parameters = beside === undefined ? output.schema : withSignal(output.schema, beside);
  return [{ name: REPORT, description: "Gives the final answer.", parameters }];
}

function withSignal(schema: unknown, { signals }: BesideJson): object {
  return {
    type: "object",
    properties: {
      answer: schema,
      signal: { type: "string", enum: signals, description: "The signal to end the answer with, if you emit one." },
    },
    required: ["answer"],
    additionalProperties: false,
  };
}

/** The content of a call of final_report, which is understood whether it was offered or not; a malformed one is a tool call. */
export function findFinalReport(
  { toolCalls }: Pick<EventData["model.completed"], "toolCalls">,
  { agent: { output }, beside }: Pick<Offering, "agent" | "beside">,
): string | undefined {
  const call = toolCalls.find(({ name }) => name === REPORT || name === `agent__${REPORT}`);
  if (call === undefined || call.malformed !== undefined) return undefined;
  const { args } = call;
  const signalled = beside && findSignalled(args, output.schema);
  if (signalled !== undefined) return signalled;
  const content = typeof args === "object" && args !== null && "content" in args ? args.content : undefined;
  if (output.schema === undefined && content === undefined) return undefined;
  // A schema may have a `content` of its own: then the arguments are the answer.
  const report = content === undefined || hasProperty(output.schema, "content") ? args : content;
  // Arguments that are missing are no answer, but null is one where the schema takes it.
  return report === undefined ? "" : formatReport(report);
}

/** An answer with its signal, as an agent would write it. A schema may have an `answer` of its own: then that is part of the answer. */
function findSignalled(args: unknown, schema: unknown): string | undefined {
  if (typeof args !== "object" || args === null || !("answer" in args)) return undefined;
  if (hasProperty(schema, "answer") && findSchemaProblem(args, schema) === undefined) return undefined;
  const answer = formatReport(args.answer);
  const signal = "signal" in args && typeof args.signal === "string" ? args.signal.trim() : "";
  if (signal === "") return answer;
  // Models leave out the brackets.
  return `${answer}\n${signal.startsWith("[") ? signal : `[${signal}]`}`;
}

function formatReport(report: unknown): string {
  return typeof report === "string" ? report : JSON.stringify(report);
}

function hasProperty(schema: unknown, name: string): boolean {
  const properties =
    typeof schema === "object" && schema !== null && "properties" in schema ? schema.properties : undefined;
  return typeof properties === "object" && properties !== null && name in properties;
}
