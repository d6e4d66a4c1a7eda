import { append } from "../../context/history.ts";
import type { InnerTool } from "../../session/session-tool.ts";
import type { Crew } from "../../vocabulary/crew.ts";
import type { Question } from "../agent-call.ts";
import type { CrewRun } from "../crew-run.ts";
import { enterCrew } from "../enter-crew.ts";
import { historyForCrew } from "../history-for.ts";
import { conductComposition } from "./conduct-composition.ts";
import { MAX_STEPS, readComposition } from "./read-composition.ts";

/** Crews put together in the middle of the work, out of the crew's own agents: its result is the tool's result. */
export function composeTool(question: Question, crewRun: CrewRun): InnerTool[] {
  const { agent, history, input: ownInput, budget } = question;
  const { agents, settings } = crewRun.crew;
  const candidates = [...agents.values()].filter(({ id }) => id !== agent.id);
  if (candidates.length === 0) return [];
  const abouts = candidates.map(({ id, description }) => `${id}: ${description ?? "no description"}`);
  return [
    {
      kind: "inner",
      name: "crew__compose",
      description:
        "Puts a crew together out of agents, a task each, and gives its result. In sequence each also gets the answer " +
        `of the one before, and the last answer is the result; in parallel all work at once. There are\n${abouts.join("\n")}`,
      parameters: parametersFor(candidates.map(({ id }) => id)),
      run: async (args, place, scope) => {
        const read = readComposition(args, agent.id, candidates, crewRun);
        if ("problems" in read) return { problem: read.problems.join("\n") };
        const { composition } = read;
        crewRun.shared.composed += composition.steps.length;
        const input = composition.steps.map(({ step, task }) => `${step}: ${task}`).join("\n");
        const said = append(history, { role: "user", text: ownInput });
        const own = scope.open();
        const seen = await historyForCrew(crewRun, { input, history: said, budget }, own, place);
        const left = await enterCrew(crewRun, {
          name: nameIn(crewRun.crew),
          input,
          history: seen,
          scope: own,
          place: { path: `${place.path}/k0`, crew: place.crew },
          budget,
          timeoutMs: settings.subCrewTimeoutMs,
          composed: {
            composition,
            conduct: (composed) => conductComposition(composition, seen, composed),
          },
        });
        own.close("done");
        if (left.type === "completed") return { result: left.output };
        return { problem: `the composed crew failed: ${left.failure.message}` };
      },
    },
  ];
}

function parametersFor(ids: readonly string[]): unknown {
  return {
    type: "object",
    properties: {
      mode: { type: "string", enum: ["sequence", "parallel"] },
      agents: {
        type: "array",
        minItems: 1,
        maxItems: MAX_STEPS,
        items: {
          type: "object",
          properties: {
            agent: { type: "string", enum: ids },
            task: { type: "string", description: "What this agent is to do, with all it needs to know." },
          },
          required: ["agent", "task"],
          additionalProperties: false,
        },
      },
    },
    required: ["mode", "agents"],
    additionalProperties: false,
  };
}

/** What composed crews are called in events; never the name of a sub-crew. */
function nameIn({ subCrews }: Crew): string {
  let name = "composed";
  for (let n = 2; subCrews.has(name); n++) name = `composed-${n}`;
  return name;
}
