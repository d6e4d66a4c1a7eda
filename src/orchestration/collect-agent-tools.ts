import type { SessionTool } from "../session/session-tool.ts";
import { isServerPattern } from "../tools/server-pattern.ts";
import type { Agent } from "../vocabulary/crew.ts";
import { isTodoTool } from "../vocabulary/tool-set.ts";
import type { Question } from "./agent-call.ts";
import type { CrewRun } from "./crew-run.ts";
import type { Children } from "./patterns/clarification.ts";
import { composeTool } from "./patterns/compose.ts";
import { delegateTool } from "./patterns/delegate.ts";
import { mayTransfer } from "./patterns/handoff.ts";
import { createMemoryTools } from "./patterns/remember.ts";
import { routerTools } from "./patterns/router.ts";
import { subAgentTools } from "./patterns/sub-agents.ts";
import type { TeamTalk } from "./patterns/team-talk.ts";
import { transferTools } from "./patterns/transfer.ts";
import { memoryTools } from "./shared-memory.ts";
import { signalTool } from "./signal-tool.ts";
import { todoTool } from "./todo-tools.ts";

const none: readonly never[] = [];

/** All that an agent may call: its own tools, and those that its patterns bring. */
export function collectAgentTools(
  question: Question,
  children: Children | undefined,
  talk: TeamTalk | undefined,
  crewRun: CrewRun,
): readonly SessionTool[] {
  const { agent, membership } = question;
  const { crew, world } = crewRun;
  // A member that supervises a team of its own speaks in that one.
  const broadcast = talk?.tool ?? membership?.tool;
  const isAmongCrews = crew.subCrews.size > 0 || crewRun.depth > 0;
  const memory = isAmongCrews ? memoryTools(crewRun) : none;
  const mayChoose = agent.router !== undefined || agent.collaborations.length > 0;
  const mayCall =
    agent.tools.length > 0 ||
    agent.memory !== undefined ||
    children !== undefined ||
    agent.delegate.length > 0 ||
    agent.compose;
  const isBare = !mayCall && !mayChoose && memory.length === 0;
  if (isBare && broadcast === undefined && crew.settings.emit === "text" && !question.isReminder) return none;
  return [
    ...listTools(agent, crewRun).map(
      (name): SessionTool =>
        isTodoTool(crew.toolSets, name) ? todoTool(name, crewRun) : { kind: "effect", tool: world.tool(name, crew) },
    ),
    ...(children === undefined ? none : [...subAgentTools(question, children, crewRun), ...children.tools()]),
    ...memory,
    ...(agent.memory === undefined ? none : createMemoryTools(question, crewRun)),
    ...delegateTool(question, crewRun),
    ...(agent.compose ? composeTool(question, crewRun) : none),
    ...routerTools(question, crewRun),
    ...(mayTransfer(agent, crew) ? transferTools(question, crewRun) : none),
    ...(broadcast === undefined ? none : [broadcast]),
    ...signalTool(question, crewRun),
  ];
}

/** The agent's own tools by name, each once. */
function listTools({ tools }: Agent, { crew, world }: CrewRun): readonly string[] {
  if (!tools.some(isServerPattern)) return tools;
  return [...new Set(tools.flatMap((name) => (isServerPattern(name) ? world.serverTools(name, crew) : name)))];
}
