import { dirname } from "node:path";
import { compact } from "./clean-keys.ts";
import { createNotes, type ImportPlan, type Notes, type PlainMap, type PlannedAgent } from "./crew-plan.ts";
import { type CrewAgent, describeBackground, readCrewAgents } from "./crewai-agents.ts";
import { chooseAgents } from "./crewai-binding.ts";
import { planPipeline } from "./crewai-pipeline.ts";
import { type CrewTask, readCrewTasks } from "./crewai-tasks.ts";
import { createNoter, type ForeignSource } from "./foreign-source.ts";

import { locateSpan } from "./original-text.ts";

/** The two files of a crew of CrewAI; either may be missing. */
export interface CrewAiSource {
  readonly agents?: ForeignSource | undefined;
  readonly tasks?: ForeignSource | undefined;
}

/** A crew of CrewAI as a pipeline: each task is an agent, and they follow one another. */
export function planCrewAi(name: string, { agents: agentsFile, tasks: tasksFile }: CrewAiSource): ImportPlan {
  const notes = createNotes();
  const agents = agentsFile === undefined ? [] : readCrewAgents(agentsFile, notes);
  const tasks = tasksFile === undefined ? [] : readCrewTasks(tasksFile, notes);
  const sources = [agentsFile, tasksFile].flatMap((each) => (each === undefined ? [] : each.file));
  const file = agentsFile ?? tasksFile;
  if (file !== undefined) noteCode(file, tasks.length > 0, notes);
  if (tasks.length === 0) {
    const planned = agents.map((agent) => planLoneAgent(agent));
    const keys = {
      version: "2.0",
      name,
      entry_point: "auto",
      agents: planned.map(({ id }) => id),
      settings: { on_no_signal: "stop" },
    };
    const stubs = makeStubs(agents.flatMap(({ tools }) => tools));
    return { kind: "crewai", name, crews: [{ folder: "", keys, agents: planned, stubs }], notes, sources };
  }
  const chosen = chooseAgents(tasks, agents, tasksFile, notes);
  const pipeline = planPipeline(tasks, tasksFile, notes);
  const planned = tasks.map((task) => planTask(task, chosen.get(task.id), pipeline.remarks.get(task.id) ?? []));
  const keys = compact({ version: "2.0", name, agents: tasks.map(({ id }) => id), routing: pipeline.routing });
  const stubs = makeStubs(tasks.flatMap((task) => listTools(task, chosen.get(task.id))));
  noteIdleAgents(agents, agentsFile, new Set([...chosen.values()].map(({ id }) => id)), notes);
  return { kind: "crewai", name, crews: [{ folder: "", keys, agents: planned, stubs }], notes, sources };
}

function planTask(task: CrewTask, agent: CrewAgent | undefined, remarks: readonly string[]): PlannedAgent {
  const parts = [
    ...(agent === undefined ? [] : [describeBackground(agent)]),
    ...(task.description === undefined ? [] : [`## Task\n\n${task.description}`]),
    ...(task.expected === undefined ? [] : [`## Expected result\n\n${task.expected}`]),
    ...remarks,
    ...(agent?.closing ?? []),
  ];
  const keys = compact({
    ...agent?.keys,
    description: agent?.goal,
    tools: listTools(task, agent),
    output: task.output,
  });
  return { id: task.id, keys: orderKeys(keys), prompt: parts.join("\n\n"), from: task.from };
}

function planLoneAgent(agent: CrewAgent): PlannedAgent {
  const keys = compact({ ...agent.keys, description: agent.goal, tools: agent.tools });
  const prompt = [describeBackground(agent), ...agent.closing].join("\n\n");
  return { id: agent.id, keys: orderKeys(keys), prompt, from: agent.from };
}

/** Tools of the task go before those of its agent. */
function listTools(task: CrewTask, agent: CrewAgent | undefined): readonly string[] {
  return [...new Set(task.tools.length > 0 ? task.tools : (agent?.tools ?? []))];
}

function orderKeys({ role, description, ...others }: PlainMap): PlainMap {
  return compact({ role, description, ...others });
}

function makeStubs(tools: readonly string[]): { readonly name: string }[] {
  return [...new Set(tools)].map((name) => ({ name }));
}

/** What a crew of CrewAI says in Python only. */
function noteCode({ file, source }: ForeignSource, hasTasks: boolean, notes: Notes): void {
  const start = locateSpan(source, { start: 0, end: 0 });
  const code =
    "in CrewAI the Python code beside these files says which process the crew follows, and which tools and callbacks it has";
  const proposal = hasTasks
    ? "compare with crew.py: the tasks run one after another in the order of tasks.yaml, which is `agents` in crew.yaml; name tools under `tools`"
    : "compare with crew.py, and name tools under `tools`";
  notes.decisions.push({ ...start, what: `${code}: none of it is read`, proposal });
  if (!hasTasks)
    notes.decisions.push({
      ...start,
      what: `there are no tasks beside the agents in ${dirname(file)}`.replace(/ in .*/, ""),
      proposal:
        "the agent that fits the input begins, and its answer is the result; import the folder with tasks.yaml for a pipeline",
    });
}

function noteIdleAgents(
  agents: readonly CrewAgent[],
  file: ForeignSource | undefined,
  used: ReadonlySet<string>,
  notes: Notes,
): void {
  if (file === undefined) return;
  const noter = createNoter(file, notes);
  for (const { id, entry } of agents)
    if (!used.has(id))
      noter.decide(
        entry,
        `no task is done by '${id}', so it is not part of the pipeline`,
        "write its role into the agent of a task that it shall do",
      );
}
