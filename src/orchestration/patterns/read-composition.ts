import type { Agent } from "../../vocabulary/crew.ts";
import type { Composition } from "../../vocabulary/event-data.ts";
import { formatAmount } from "../../vocabulary/wording.ts";
import type { CrewRun } from "../crew-run.ts";
import { depthProblem } from "../limits.ts";

/** As many as a person can still follow; more work is several crews, or one with files of its own. */
export const MAX_STEPS = 10;

/** Composers may compose each other: without a bound for the run, each level could have ten times as many agents as the one above. */
const MAX_STEPS_OF_RUN = 100;

type Step = Composition["steps"][number];
type Arguments = Readonly<Record<string, unknown>>;

/** The crew that an agent asks for, or everything that is wrong with it. */
export function readComposition(
  args: Arguments,
  by: string,
  candidates: readonly Agent[],
  caller: CrewRun,
): { readonly composition: Composition } | { readonly problems: readonly string[] } {
  const { mode, agents } = args;
  if (!Array.isArray(agents) || agents.length === 0)
    return { problems: ["'agents' must be a list of at least one { agent, task }", ...modeProblems(mode)] };
  const problems = [
    ...Object.keys(args).flatMap((key) => (key === "mode" || key === "agents" ? [] : [`there is no '${key}'`])),
    ...modeProblems(mode),
    ...agents.flatMap((each, index) => stepProblems(each, index + 1, by, candidates)),
    ...duplicates(agents),
    ...limitProblems(agents.length, mode, caller),
  ];
  if (problems.length > 0) return { problems };
  // Without problems, each has an agent and a task.
  const steps = namedSteps(agents as readonly Pick<Step, "agent" | "task">[], caller);
  return { composition: { by, mode: mode === "parallel" ? "parallel" : "sequence", steps } };
}

function modeProblems(mode: unknown): string[] {
  return mode === "sequence" || mode === "parallel" ? [] : ["'mode' must be 'sequence' or 'parallel'"];
}

function stepProblems(step: unknown, n: number, by: string, candidates: readonly Agent[]): string[] {
  if (typeof step !== "object" || step === null || Array.isArray(step)) return [`agent ${n} must be { agent, task }`];
  const { agent: id, task, ...others } = step as Arguments;
  const agent = candidates.find((each) => each.id === id);
  const ids = candidates.map((each) => each.id).join(", ");
  return [
    ...(id === by ? [`agent ${n}: '${by}' cannot be part of the crew it composes; there are ${ids}`] : []),
    ...(id !== by && agent === undefined ? [`agent ${n}: unknown agent '${String(id)}'; there are ${ids}`] : []),
    // The check of a handoff's formats: what is given is a task in words.
    ...(agent?.input.format === "json" ? [`agent ${n}: '${agent.id}' takes json, and a task is text`] : []),
    ...(typeof task === "string" && task.trim() !== "" ? [] : [`agent ${n}: 'task' must be text`]),
    ...Object.keys(others).map((key) => `agent ${n}: there is no '${key}'`),
  ];
}

function duplicates(steps: readonly unknown[]): string[] {
  const texts = steps.map((step) => JSON.stringify(step));
  return texts.flatMap((text, index) => {
    const first = texts.indexOf(text);
    return first === index ? [] : [`agent ${index + 1} is the same as agent ${first + 1}, with the same task`];
  });
}

/** A crew that could not reach its end is not begun. */
function limitProblems(steps: number, mode: unknown, caller: CrewRun): string[] {
  const handoffs = mode === "sequence" ? steps - 1 : 0;
  const answers = mode === "sequence" ? steps : 1;
  const { composed, handoffs: made, maxRunHandoffs } = caller.shared;
  const { maxHandoffs, maxRounds } = caller.crew.settings;
  const left = Math.max(0, Math.min(maxHandoffs, maxRunHandoffs - made));
  const tooDeep = depthProblem(caller, "composed");
  return [
    ...(steps > MAX_STEPS ? [`${steps} agents are too many: at most ${MAX_STEPS}`] : []),
    ...(composed + steps > MAX_STEPS_OF_RUN
      ? [`${composed} agents were composed in this run, and ${MAX_STEPS_OF_RUN} are the most: do the rest yourself`]
      : []),
    ...(handoffs > left ? [`it needs ${formatAmount(handoffs, "handoff")}, and may make ${left}`] : []),
    ...(answers > maxRounds ? [`it needs ${formatAmount(answers, "answer")}, and may give ${maxRounds}`] : []),
    ...(tooDeep === undefined ? [] : [tooDeep.message]),
  ];
}

/** An agent that comes again is `<agent>-2`, or the next number that is nobody's id. */
function namedSteps(steps: readonly Pick<Step, "agent" | "task">[], { crew }: CrewRun): Step[] {
  const taken = new Set<string>();
  return steps.map(({ agent, task }) => {
    let step = agent;
    for (let n = 2; taken.has(step) || (step !== agent && crew.agents.has(step)); n++) step = `${agent}-${n}`;
    taken.add(step);
    return { step, agent, task };
  });
}
