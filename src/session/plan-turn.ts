import type { ToolSpecification } from "../models/model.ts";
import type { Budget } from "../run/budget.ts";
import type { Charge } from "./admit-model-call.ts";
import { mustReport, offered } from "./offer-tools.ts";
import type { Unsent } from "./open-request.ts";
import type { Session } from "./session.ts";
import type { SessionTool } from "./session-tool.ts";
import { estimateInputTokens, openView } from "./session-view.ts";

/** What may be called on a turn, and what the model is told of it. */
export interface TurnPlan {
  readonly tools: readonly SessionTool[];
  readonly offered: readonly ToolSpecification[];
  readonly toolChoice: Unsent["toolChoice"];
  readonly areToolsOptional?: boolean;
}

const noTools: TurnPlan = { tools: [], offered: [], toolChoice: undefined };

/** On a last turn, what ends the session may still be called; where the turn is forced, nothing. */
export function planTurn(session: Session, isLast: boolean, isForced: boolean): TurnPlan {
  // Most agents have none, and their answers no schema.
  if (session.tools.length === 0 && session.agent.output.schema === undefined) return noTools;
  if (isForced)
    return { tools: [], offered: offered([], session), toolChoice: mustReport(session) ? "required" : undefined };
  const tools = isLast ? session.tools.filter(({ kind }) => kind === "exit") : session.tools;
  const required = tools.find((tool) => tool.kind === "exit" && tool.isRequired !== undefined);
  if (required?.kind === "exit" && required.isRequired === "now")
    return {
      tools,
      offered: offered([required], { ...session, isReportless: true }),
      toolChoice: "required",
      areToolsOptional: true,
    };
  const specifications = offered(tools, session);
  const isAlone =
    required !== undefined && specifications.length === 1 && specifications[0]?.name === readName(required);
  return { tools, offered: specifications, toolChoice: isAlone || mustReport(session) ? "required" : undefined };
}

function readName(tool: SessionTool): string | undefined {
  return tool.kind === "exit" ? tool.name : undefined;
}

/** What the model is asked: what the agent sees, and what it may call. */
export function createRequest(
  session: Session,
  { offered: tools, toolChoice, areToolsOptional = false }: TurnPlan,
): Unsent {
  const { agent, place } = session;
  const { messages, attachments } = openView(session);
  return {
    agent: agent.id,
    crew: place.crew ?? "",
    system: agent.prompt,
    messages,
    ...(attachments !== undefined && { attachments }),
    tools,
    toolChoice,
    areToolsOptional,
    sampling: agent.sampling,
    // A provider that sees to it that an answer is JSON would let no signal stand beside it.
    json: agent.output.format === "json" && session.beside === undefined ? { schema: agent.output.schema } : undefined,
  };
}

export function createCharge(session: Session, budget: Budget, request: Unsent, isLastTurn: boolean): Charge {
  return { ...session, budget, isLastTurn, inputTokens: estimateInputTokens(session, request) };
}

export function lastTurnNotice({ offered: tools }: TurnPlan): string {
  const left = tools.length === 0 ? "No more tools" : `No tools but ${tools.map(({ name }) => name).join(", ")}`;
  return `This is your last turn: answer now. ${left} can be called.`;
}
