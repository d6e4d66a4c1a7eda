import { append } from "../../context/history.ts";
import type { InnerTool } from "../../session/session-tool.ts";
import { isBlank } from "../../vocabulary/wording.ts";
import type { Question } from "../agent-call.ts";
import type { CrewRun } from "../crew-run.ts";
import { enterCrew } from "../enter-crew.ts";
import { historyForCrew } from "../history-for.ts";
import { subCrewFailure } from "../sub-crew-failure.ts";

/** Sub-crews as a tool: the crew works on its own, and its output is the tool's result. */
export function delegateTool(question: Question, crewRun: CrewRun): InnerTool[] {
  const { agent, history, input: ownInput, budget } = question;
  if (agent.delegate.length === 0) return [];
  const { subCrews, settings } = crewRun.crew;
  const abouts = agent.delegate.map((name) => `${name}: ${subCrews.get(name)?.description ?? "no description"}`);
  return [
    {
      kind: "inner",
      name: "crew__delegate",
      description: `Has a crew do something, and gives its result. There are\n${abouts.join("\n")}`,
      parameters: {
        type: "object",
        properties: {
          crew: { type: "string", enum: agent.delegate },
          input: { type: "string", description: "What the crew is to do, with all it needs to know." },
        },
        required: ["crew", "input"],
        additionalProperties: false,
      },
      run: async ({ crew: name, input }, place, scope) => {
        if (typeof name !== "string" || !agent.delegate.includes(name))
          return { problem: `sub-crew ${name} not found` };
        if (typeof input !== "string") return { problem: "'input' must be text" };
        const said = append(history, { role: "user", text: ownInput });
        const own = scope.open();
        const seen = await historyForCrew(crewRun, { input, history: said, budget }, own, place);
        const left = await enterCrew(crewRun, {
          name,
          input,
          history: seen,
          scope: own,
          place: { path: `${place.path}/k0`, crew: place.crew },
          budget,
          timeoutMs: settings.subCrewTimeoutMs,
        });
        own.close("done");
        if (left.type === "completed") return { result: left.output };
        const problem = subCrewFailure(crewRun, name, left.failure).message;
        return { problem: isBlank(left.lastAnswer.text) ? problem : `${problem}\n\n${left.lastAnswer.text}` };
      },
    },
  ];
}
