import { type Guard, listJudges } from "../../vocabulary/guard.ts";
import { askWork, summaryWork } from "./ask-work.ts";
import type { CrewAt } from "./crew-at.ts";
import { once } from "./crew-at.ts";
import type { LineGraph } from "./line-graph.ts";
import { findLineWorst, type LineWorst } from "./line-worst.ts";
import { capOfQuotas } from "./quota-bounds.ts";
import { addWork, capWork, noWork, type Work } from "./work.ts";

/** The most that a run of a crew takes: who chooses its entry, and the worst way along its line. */
export interface CrewWorst {
  readonly work: Work;
  readonly line: LineWorst;
}

export function findCrewWorst(at: CrewAt, graph: LineGraph, said: number): CrewWorst {
  const { crew, survey } = at;
  const { measure } = survey;
  const { classifier } = crew.settings;
  const isChosen = crew.entryPoint.type === "auto" && classifier !== undefined && crew.agents.has(classifier);
  const choice = isChosen ? askWork(at, { agent: classifier, said }) : noWork;
  const line = findLineWorst(at, graph, said);
  const passed = line.steps.filter(({ edge }) => edge?.isPass === true).length;
  const summed =
    passed === 0 ? noWork : summaryWork(at, Number.MAX_SAFE_INTEGER, false, crew.settings.history ?? "none");
  const along: Work = {
    value: line.value,
    groups: [],
    inside: [...line.steps.map(({ work }) => [1, work] as const), [passed, summed]],
  };
  const timeout = measure.isTime ? crew.settings.timeoutMs / 1000 : Number.POSITIVE_INFINITY;
  const cap = Math.min(timeout, capOfQuotas(crew.settings.quotas, measure));
  return { work: capWork(addWork(choice, judgesWork(at, said), along), cap), line };
}

/** Agents that judge for the crew's own guards: once what goes in, and once what comes out, which may be as long as it likes. */
function judgesWork(at: CrewAt, said: number): Work {
  const { input = [], output = [] } = at.crew.guards ?? {};
  const ask = (guards: readonly Guard[], heard: number) =>
    listJudges({ input: guards, output: [], isEarly: false }).map((agent) =>
      at.survey.callWork(at, { agent, said: heard }),
    );
  return addWork(...ask(input, said), ...ask(output, Number.MAX_SAFE_INTEGER));
}

/** A crew that another one calls. Its handoffs and rounds are no figures of the run's own crew. */
export function calledCrewWork(at: CrewAt, findGraph: (at: CrewAt) => LineGraph, said: number): Work {
  const { figure } = at.survey.measure;
  if (figure === "handoffs" || figure === "rounds") {
    // Who can speak there is of interest all the same.
    return once(at, "crew", () => ({ ...findCrewWorst(at, findGraph(at), said).work, value: 0 }));
  }
  return once(at, `crew ${said}`, () => findCrewWorst(at, findGraph(at), said).work);
}
