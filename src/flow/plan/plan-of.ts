import type { Agent, Crew } from "../../vocabulary/crew.ts";
import { examineFlow } from "../examine-flow.ts";
import type { AgentBounds } from "./agent-bounds.ts";
import { type Assumption, assumeRun, usualAssumption } from "./assume-run.ts";
import { findBindingQuota } from "./binding-quota.ts";
import { listLoops } from "./list-loops.ts";
import { listNotes } from "./list-notes.ts";
import { listUnreachable } from "./list-unreachable.ts";
import type { Figure } from "./measure.ts";
import type { ModelFacts } from "./model-facts.ts";
import type { Plan, WorstCase } from "./plan.ts";
import { isHard } from "./quota-bounds.ts";
import { type RecordedRun, summarizeRuns } from "./recorded-runs.ts";
import { describeEnd, listPath } from "./run-path.ts";
import { suggest } from "./suggest.ts";
import { type Surveyed, type Surveying, surveyCrew } from "./survey.ts";
import { listGroups } from "./work.ts";

/** What a plan is made with. */
export interface PlanOptions {
  /** The run's input. Without one, the plan allows the largest that the crew takes. */
  readonly input?: string | undefined;
  /** About how many tokens models read for the files that come with it. */
  readonly fileTokens?: number;
  /** What is known of the models of an agent, in the order of its chain. The name has the sub-crews around it. */
  listModels?(agent: Agent, name: string): readonly ModelFacts[];
  /** Recorded runs of the crew, which say what is likely. */
  readonly runs?: readonly RecordedRun[];
  /** What is assumed where there are no recorded runs. */
  readonly assume?: Assumption;
  /** Whether to look for limits that would lower the worst case. Default: yes. */
  readonly suggests?: boolean;
}

const figures = [
  "handoffs",
  "rounds",
  "modelCalls",
  "toolCalls",
  "inputTokens",
  "outputTokens",
  "costUsd",
  "seconds",
] as const satisfies readonly Figure[];

/** Says what one run of a crew can do and cost at worst, and what it is likely to. Calls nothing and reads nothing. */
export function planOf(crew: Crew, options: PlanOptions = {}): Plan {
  const { input, fileTokens = 0, runs = [], assume = usualAssumption, suggests = true } = options;
  const listModels = options.listModels ?? (() => []);
  const surveying: Surveying = { crew, input, fileTokens, listModels, graphs: new Map() };
  const surveyed = Object.fromEntries(figures.map((figure) => [figure, surveyCrew(surveying, figure)])) as Record<
    Figure,
    Surveyed
  >;
  const unknown = listUnknown(surveyed);
  const atLeast = Object.fromEntries(figures.map((figure) => [figure, round(surveyed[figure].work.value)])) as Record<
    Figure,
    number
  >;
  const isUnknown = (figure: Figure) => unknown.some((each) => each.figures.some((one) => one === figure));
  const hard = hardCap(crew, surveyed.costUsd.reached);
  const bounded = (figure: Figure) =>
    !Number.isFinite(atLeast[figure]) || (isUnknown(figure) && !(figure === "costUsd" && hard))
      ? null
      : atLeast[figure];
  const primary = bounded("costUsd") === null || atLeast.costUsd === 0 ? surveyed.modelCalls : surveyed.costUsd;
  const worst: WorstCase = {
    handoffs: bounded("handoffs"),
    rounds: bounded("rounds"),
    modelCalls: bounded("modelCalls"),
    toolCalls: bounded("toolCalls"),
    inputTokens: bounded("inputTokens"),
    outputTokens: bounded("outputTokens"),
    costUsd: bounded("costUsd"),
    seconds: bounded("seconds"),
    path: listPath(primary),
    endsBy: describeEnd(primary),
  };
  // The costliest run is also priced where it is only known in part.
  const sums = listGroups((bounded("costUsd") === null ? surveyed.costUsd : primary).work);
  const { deadEnds } = examineFlow(crew);
  const likely =
    runs.length > 0
      ? summarizeRuns(runs)
      : assumeRun(surveyed.costUsd.at, surveyed.costUsd.graph, input, assume, fileTokens);
  const isPriced = worst.costUsd !== null;
  const replan = (changed: Crew, keepsGraph: boolean) => {
    const graph = keepsGraph ? surveying.graphs.get(crew) : undefined;
    const graphs = new Map(graph === undefined ? [] : [[changed, graph]]);
    const findWorst = (figure: Figure) => surveyCrew({ ...surveying, crew: changed, graphs }, figure).work.value;
    const modelCalls = findWorst("modelCalls");
    return { modelCalls, costUsd: isPriced ? findWorst("costUsd") : null };
  };
  const plan: Plan = {
    crew: crew.name,
    worst,
    likely,
    agents: listParts(primary),
    loops: listLoops(crew, surveyed.rounds.graph),
    deadEnds,
    unreachable: listUnreachable(crew),
    unknown: unknown.map(({ agent, why }) => ({ agent, why })),
    suggestions: [],
    atLeast,
    sums,
    firstQuota: findBindingQuota(surveying, surveyed.modelCalls.reached),
    notes: listNotes(crew, worst, surveyed),
  };
  return suggests ? { ...plan, suggestions: suggest(plan, crew, replan) } : plan;
}

interface UnknownPart {
  readonly agent: string;
  readonly why: string;
  readonly figures: readonly string[];
}

function listUnknown(surveyed: Readonly<Record<Figure, Surveyed>>): UnknownPart[] {
  const { reached, endless } = surveyed.modelCalls;
  const ends = new Map([...endless, ...surveyed.toolCalls.endless]);
  return [
    ...[...reached.values()].flatMap(({ name: agent, unknown }) => unknown.map((each) => ({ agent, ...each }))),
    ...[...ends].map(([agent, why]) => ({
      agent,
      why,
      figures: ["modelCalls", "toolCalls", "inputTokens", "outputTokens", "costUsd"],
    })),
  ];
}

/** Under a hard quota of dollars a call without a known price is not made, so that the cap bounds the whole. */
function hardCap({ settings }: Crew, reached: ReadonlyMap<string, AgentBounds>): boolean {
  return reached.size > 0 && settings.quotas.some((quota) => quota.maxCostUsd !== undefined && isHard(quota));
}

function listParts({ work, reached }: Surveyed): Plan["agents"] {
  const parts = new Map<string, { calls: number; usd: number | undefined }>();
  for (const { agent, calls, costUsd } of listGroups(work)) {
    const known = parts.get(agent) ?? { calls: 0, usd: 0 };
    const usd = known.usd === undefined || costUsd === undefined ? undefined : known.usd + costUsd;
    parts.set(agent, { calls: known.calls + calls, usd });
  }
  return [...reached.keys()]
    .map((agent) => {
      const { calls = 0, usd = 0 } = parts.get(agent) ?? {};
      const isUnpriced = parts.has(agent) && parts.get(agent)?.usd === undefined;
      return { agent, modelCalls: calls, costUsd: isUnpriced ? null : round(usd) };
    })
    .sort((a, b) => (b.costUsd ?? 0) - (a.costUsd ?? 0) || b.modelCalls - a.modelCalls);
}

/** Dollars to a millionth of a cent: sums of fractions are not exact. */
function round(value: number): number {
  return Number.isInteger(value) || !Number.isFinite(value) ? value : Math.round(value * 1e8) / 1e8;
}
