import type { Agent, Crew } from "../../vocabulary/crew.ts";
import { type AgentBounds, countTokens } from "./agent-bounds.ts";
import { callWork } from "./call-work.ts";
import { type CrewAt, openRoot, type Survey } from "./crew-at.ts";
import { type CrewWorst, calledCrewWork, findCrewWorst } from "./crew-work.ts";
import { buildLineGraph, type LineGraph } from "./line-graph.ts";
import { type Measure, measures } from "./measure.ts";
import type { ModelFacts } from "./model-facts.ts";
import { addWork, largestWork, noWork, repeatWork, type Work } from "./work.ts";

/** What a crew is surveyed with. */
export interface Surveying {
  readonly crew: Crew;
  /** The run's input; of any size if it is left out. */
  readonly input?: string | undefined;
  /** About how many tokens models read for the files that come with it. */
  readonly fileTokens?: number | undefined;
  listModels(agent: Agent, name: string): readonly ModelFacts[];
  /** Ways between agents, found out once for all figures. */
  readonly graphs: Map<Crew, LineGraph>;
}

export interface Surveyed extends CrewWorst {
  readonly at: CrewAt;
  readonly graph: LineGraph;
  readonly reached: ReadonlyMap<string, AgentBounds>;
  readonly endless: ReadonlyMap<string, string>;
}

/** How large an input may be where the crew does not say so. */
const MOST_INPUT_KB = 4096;

/** How many agents may be put into composed crews in one run, and how many into one. */
const MOST_COMPOSED = 100;
const MOST_COMPOSED_AT_ONCE = 10;

/** The worst of one figure. */
export function surveyCrew(surveying: Surveying, figure: Measure["figure"]): Surveyed {
  const { crew, input, fileTokens = 0, graphs, listModels } = surveying;
  const { maxInputSizeKb = MOST_INPUT_KB, maxRunHandoffs } = crew.settings;
  const said = (input === undefined ? Math.ceil((maxInputSizeKb * 1024) / 3) : countTokens(input)) + fileTokens;
  const findGraph = (each: Crew): LineGraph => {
    const graph = graphs.get(each) ?? buildLineGraph(each);
    graphs.set(each, graph);
    return graph;
  };
  const survey: Survey = {
    measure: measures[figure],
    listModels,
    callWork,
    crewWork: (at, heard) => calledCrewWork(at, ({ crew: called }) => findGraph(called), heard),
    maxRunHandoffs,
    reached: new Map(),
    endless: new Map(),
    crews: new Map(),
    numbers: new Map(),
  };
  const at = openRoot(crew, survey);
  const graph = findGraph(crew);
  const { work, line } = findCrewWorst(at, graph, said);
  const composed = figure === "compositions" ? noWork : composedWork(surveying, at);
  return { work: addWork(work, composed), line, at, graph, reached: survey.reached, endless: survey.endless };
}

/** What agents put into composed crews take: the run limits how many there are, so they are added once. */
function composedWork(surveying: Surveying, root: CrewAt): Work {
  const { reached, crews, measure } = root.survey;
  const composers = [...reached.values()].filter(({ agent, crew }) => agent.compose && crew.agents.size > 1);
  if (composers.length === 0 || measure.figure === "handoffs" || measure.figure === "rounds") return noWork;
  const compositions = surveyCrew(surveying, "compositions").work.value;
  const [composer] = composers;
  const isOne = composers.length === 1 && composer !== undefined && !isCalledByOthers(composer);
  const count = isOne
    ? Math.min(MOST_COMPOSED, compositions * MOST_COMPOSED_AT_ONCE)
    : compositions > 0
      ? MOST_COMPOSED
      : 0;
  const places = [root, ...crews.values()].filter(({ crew }) => composers.some((each) => each.crew === crew));
  const candidates = places.flatMap((at) =>
    [...at.crew.agents.keys()]
      .filter((id) => !isOne || id !== composer?.agent.id)
      .map((id) => callWork(at, { agent: id, said: Number.MAX_SAFE_INTEGER })),
  );
  const most = largestWork(candidates);
  return measure.isTime ? repeatWork(Math.ceil(compositions), most) : repeatWork(count, most);
}

/** Whether agents that a composer puts together may call it. */
function isCalledByOthers({ agent: { id }, crew }: AgentBounds): boolean {
  return [...crew.agents.values()].some((other) => {
    const { subAgents, advisors, team, handoff, router, collaborations } = other;
    const chosen = [...(router?.destinations ?? []), ...collaborations].map((each) => each.agent);
    const called = [...subAgents, ...advisors, ...(team?.members ?? []), team?.supervisor, handoff?.to, ...chosen];
    return other.id !== id && called.includes(id);
  });
}
