import type { InnerTool } from "../../session/session-tool.ts";
import type { Question } from "../agent-call.ts";
import type { CrewRun } from "../crew-run.ts";
import { OwnQuota } from "../own-quota.ts";
import type { Children } from "./clarification.ts";

/** Sub-agents as tools: the callee answers on its own, with its own patterns, and the caller keeps the conversation. */
export function subAgentTools(
  { agent, budget, callPath }: Question,
  children: Children,
  crewRun: CrewRun,
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
          const childId = children.nextId(id);
          const question: Question = {
            agent: callee,
            input: prompt,
            history: crewRun.broadcasts.get(id),
            scope: scope.open(),
            place: { ...place, path: `${place.path}/a`, agent: id },
            original: prompt,
            callPath: `${callPath}/${childId}`,
            budget,
            ownQuota: new OwnQuota(),
          };
          const asked = await crewRun.world.callAgent(question, crewRun);
          question.scope.close("done");
          if (asked.type === "failed") return { problem: asked.failure.message };
          return { result: asked.text + children.keep(childId, callee, question, asked) };
        },
      },
    ];
  });
}
