import type { ToolSpecification } from "../models/model.ts";
import type { Agent } from "../vocabulary/crew.ts";
import type { EventData } from "../vocabulary/events.ts";
import type { SessionTool } from "./session-tool.ts";

/** What decides what is offered. */
interface Offering {
  readonly agent: Agent;
  readonly turns: number;
  readonly isReportless?: boolean | undefined;
}

const none: readonly never[] = [];

/** What the model may call on its next turn, as it is told. */
export function offered(tools: readonly SessionTool[], session: Offering): readonly ToolSpecification[] {
  const { agent, isReportless } = session;
  if (tools.length === 0 && agent.output.schema === undefined) return none;
  const reports = isReportless ? none : specifyFinalReport(agent);
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

/** Offered where the answer has a schema: models fill in arguments more reliably than they write JSON. */
function specifyFinalReport({ output }: Agent): ToolSpecification[] {
  if (output.schema === undefined) return [];
  return [{ name: REPORT, description: "Gives the final answer.", parameters: output.schema }];
}

/** The content of a call of final_report, which is understood whether it was offered or not; a malformed one is a tool call. */
export function finalReportIn(
  { toolCalls }: Pick<EventData["model.completed"], "toolCalls">,
  { output }: Agent,
): string | undefined {
  const call = toolCalls.find(({ name }) => name === REPORT || name === `agent__${REPORT}`);
  if (call === undefined || call.malformed !== undefined) return undefined;
  const { args } = call;
  const content = typeof args === "object" && args !== null && "content" in args ? args.content : undefined;
  if (output.schema === undefined && content === undefined) return undefined;
  // A schema may have a `content` of its own: then the arguments are the answer.
  const report = content === undefined || hasContent(output.schema) ? (args ?? "") : content;
  return typeof report === "string" ? report : JSON.stringify(report);
}

function hasContent(schema: unknown): boolean {
  const properties =
    typeof schema === "object" && schema !== null && "properties" in schema ? schema.properties : undefined;
  return typeof properties === "object" && properties !== null && "content" in properties;
}
