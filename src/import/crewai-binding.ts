import { indexAgents } from "../classify/index-agents.ts";
import { rankAgents } from "../classify/rank-agents.ts";
import { keepLetters } from "../vocabulary/wording.ts";
import type { Notes } from "./crew-plan.ts";
import type { CrewAgent } from "./crewai-agents.ts";
import type { CrewTask } from "./crewai-tasks.ts";
import { createNoter, type ForeignSource } from "./foreign-source.ts";

/** Who does each task: as its file says, else the agent whose words fit it best, which a person has to confirm. */
export function chooseAgents(
  tasks: readonly CrewTask[],
  agents: readonly CrewAgent[],
  file: ForeignSource | undefined,
  notes: Notes,
): ReadonlyMap<string, CrewAgent> {
  const chosen = new Map<string, CrewAgent>();
  if (file === undefined) return chosen;
  const noter = createNoter(file, notes);
  const index = indexAgents(
    agents.map(({ id, role, goal, backstory }) => ({
      ...{ id, specialties: [id.replace(/[-_]+/g, " ")], role, description: [goal, backstory].join(" ") },
    })),
  );
  for (const [position, task] of tasks.entries()) {
    const named = task.agent === undefined ? undefined : findAgent(task.agent, agents);
    const guess = named ?? guessAgent(task, position, tasks, agents, index);
    if (guess !== undefined) chosen.set(task.id, guess);
    if (named !== undefined) continue;
    const what =
      task.agent === undefined
        ? `the task '${task.name}' names no agent`
        : `the task '${task.name}' names '${task.agent}', which is not an agent here`;
    if (guess === undefined) noter.decide(task.entry, what, `say in agents/${task.id}.md who does it`);
    else {
      const others = agents.filter(({ id }) => id !== guess.id).map(({ name }) => name);
      const either = others.length === 0 ? "" : `; the others are ${others.join(", ")}`;
      noter.decide(
        task.entry,
        `${what}: '${guess.name}' does it`,
        `confirm it, or rewrite the first lines of agents/${task.id}.md${either}`,
      );
    }
  }
  return chosen;
}

function findAgent(name: string, agents: readonly CrewAgent[]): CrewAgent | undefined {
  return (
    agents.find((agent) => agent.name === name) ?? agents.find((agent) => keepLetters(agent.name) === keepLetters(name))
  );
}

/** As many tasks as agents are usually written in the same order; else words decide. */
function guessAgent(
  task: CrewTask,
  position: number,
  tasks: readonly CrewTask[],
  agents: readonly CrewAgent[],
  index: ReturnType<typeof indexAgents>,
): CrewAgent | undefined {
  const words = [task.name.replace(/[-_]+/g, " "), task.description ?? "", task.expected ?? ""].join(" ");
  const { ranked } = rankAgents(index, words, new Map());
  const [first, second] = ranked;
  const best = first !== undefined && first.score > (second?.score ?? 0) ? first.agent : undefined;
  const inOrder = tasks.length === agents.length ? agents[position] : undefined;
  return inOrder ?? agents.find(({ id }) => id === best) ?? agents[Math.min(position, agents.length - 1)];
}
