import type { Agent } from "../../crew.ts";
import type { Budget } from "../../run/budget.ts";
import type { InnerTool } from "../../session/session-tool.ts";
import type { Asked, Question } from "../ask-agent.ts";
import type { CrewRun } from "../crew-run.ts";

/** Sub-agents as tools: the callee answers on its own, and the caller keeps the conversation. */
export function subAgentTools(
  agent: Agent,
  crewRun: CrewRun,
  budget: Budget | undefined,
  ask: (question: Question, crewRun: CrewRun) => Promise<Asked>,
): InnerTool[] {
  return agent.subAgents.flatMap((id) => {
    const callee = crewRun.crew.agents.get(id);
    if (callee === undefined) return [];
    return [
      {
        kind: "inner",
        name: `agent__${id}`,
        description: callee.description ?? id,
        parameters: {
          type: "object",
          properties: {
            prompt: { type: "string", description: "What the agent is to do, with all it needs to know." },
            reason: { type: "string", description: "Why it is asked." },
          },
          required: ["prompt"],
          additionalProperties: false,
        },
        run: async ({ prompt }, place, scope) => {
          if (typeof prompt !== "string") return { problem: "'prompt' must be text" };
          const inner = { ...place, path: `${place.path}/a`, agent: id };
          const own = scope.open();
          const history = crewRun.broadcasts.get(id);
          const asked = await ask({ agent: callee, input: prompt, history, scope: own, place: inner, budget }, crewRun);
          own.close("done");
          return asked.type === "answer" ? { result: asked.text } : { problem: asked.failure.message };
        },
      },
    ];
  });
}
