import type { Tool } from "../tools/tool.ts";
import type { EventPlace } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import type { ToolCall } from "../vocabulary/messages.ts";
import type { ToolCalling } from "./tool-calling.ts";

/** The call as a human lets it pass, perhaps with other arguments; or why it is not made. */
export async function askApproval(
  tool: Tool,
  call: ToolCall,
  place: EventPlace,
  { run, agent, scope }: Pick<ToolCalling, "run" | "agent" | "scope">,
): Promise<ToolCall | string> {
  const prompt = `Agent '${agent.id}' wants to call ${tool.name} with ${JSON.stringify(call.args)}`;
  const question = {
    agent: nameSpeaker({ agent: agent.id, crew: place.crew }),
    reason: "approval" as const,
    prompt,
    options: ["approve", "edit", "reject"],
    tool: tool.name,
  };
  const at = { ...place, path: `${place.path}/ask` };
  const { decision, args, input, by } = await run.ask(at, scope, question, tool.pauseTimeout);
  if (decision === "edit") return { ...call, args };
  if (decision === "reject" && by === "deadline") return "not called: nobody approved it in time";
  return decision === "approve" ? call : `not called: a human rejected it${input === undefined ? "" : `: ${input}`}`;
}
