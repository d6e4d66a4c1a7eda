import { compact } from "./clean-keys.ts";
import type { Notes, Plain, PlainMap } from "./crew-plan.ts";
import type { CrewTask } from "./crewai-tasks.ts";
import { createNoter, type ForeignSource } from "./foreign-source.ts";

/** How the tasks of a crew follow one another, where the order of `agents` does not say so already. */
export interface Pipeline {
  readonly routing: PlainMap;
  /** What the prompts of tasks end with. */
  readonly remarks: ReadonlyMap<string, readonly string[]>;
}

/** Tasks run in order. Those that are asynchronous run at once, as a group, between the tasks around them. */
export function planPipeline(tasks: readonly CrewTask[], file: ForeignSource | undefined, notes: Notes): Pipeline {
  const noter = file && createNoter(file, notes);
  const parts: RoutingParts = { signals: {}, defaults: {}, agent_behaviors: {}, parallel_groups: {} };
  const remarks = new Map<string, readonly string[]>();
  const steps = splitIntoSteps(tasks);
  for (const [index, step] of steps.entries()) {
    addStep(step, steps[index + 1], parts);
    for (const task of step) {
      const line = describeContext(task, tasks, (what, proposal) => noter?.decide(task.entry, what, proposal));
      const asks = task.asksHuman && step.length === 1 ? [ASK] : [];
      remarks.set(task.id, [...(line === undefined ? [] : [line]), ...asks]);
    }
  }
  return { routing: compact({ ...parts }), remarks };
}

interface RoutingParts {
  readonly signals: Record<string, Plain>;
  readonly defaults: Record<string, Plain>;
  readonly agent_behaviors: Record<string, Plain>;
  readonly parallel_groups: Record<string, Plain>;
}

/** What follows a step, where that is not the next of the list. */
function addStep(step: readonly CrewTask[], next: readonly CrewTask[] | undefined, parts: RoutingParts): void {
  const [first] = step;
  if (first === undefined) return;
  const target = next === undefined ? "" : nameStep(next);
  if (step.length > 1)
    parts.parallel_groups[nameStep(step)] = compact({
      agents: step.map(({ id }) => id),
      wait_for_all: true,
      next_agent: next?.length === 1 ? target : undefined,
    });
  else if (first.asksHuman) {
    parts.signals[first.id] = [{ signal: APPROVED, target }];
    parts.agent_behaviors[first.id] = { wait_for_signal: true };
  } else if (next !== undefined && next.length > 1) parts.defaults[first.id] = target;
}

const APPROVED = "[APPROVED]";
const ASK = `A person reads your answer and may ask for changes. When the person agrees, give the whole result again and end with ${APPROVED}.`;

/** Tasks one by one; neighbours that are asynchronous together, unless nothing stands before them that leads to them. */
function splitIntoSteps(tasks: readonly CrewTask[]): CrewTask[][] {
  const steps: CrewTask[][] = [];
  for (const task of tasks) {
    const last = steps.at(-1);
    const joins =
      task.isAsync &&
      last?.at(-1)?.isAsync === true &&
      steps.length > 1 &&
      !reads(task, last) &&
      !task.asksHuman &&
      !last.some(({ asksHuman }) => asksHuman);
    if (joins && last !== undefined) last.push(task);
    else steps.push([task]);
  }
  return steps;
}

/** Whether a task works from the result of one that would run beside it. */
function reads({ context }: CrewTask, step: readonly CrewTask[]): boolean {
  return step.some(({ name }) => context.includes(name));
}

function nameStep(step: readonly CrewTask[]): string {
  const [first] = step;
  return step.length === 1 ? (first?.id ?? "") : `${first?.id}_and_${step.length - 1}_more`;
}

/** The line of a prompt that says which results its task works from: the crew shares all of them. */
function describeContext(
  { name, context }: CrewTask,
  tasks: readonly CrewTask[],
  decide: (what: string, proposal: string) => void,
): string | undefined {
  const position = tasks.findIndex((each) => each.name === name);
  const known = context.filter((each) => {
    const at = tasks.findIndex((task) => task.name === each);
    if (at === -1)
      decide(
        `'${name}' works from the result of '${each}', which is not a task here`,
        "leave it out, or add that task",
      );
    else if (at >= position)
      decide(
        `'${name}' works from the result of '${each}', which comes after it`,
        "change the order of `agents` in crew.yaml",
      );
    return at !== -1 && at < position;
  });
  return known.length === 0
    ? undefined
    : `Work from the results of ${known.map((each) => `\`${each}\``).join(", ")}, which you find above.`;
}
