import { listEntries } from "../flow/list-entries.ts";
import type { Agent } from "../vocabulary/crew.ts";
import type { Classification } from "../vocabulary/event-data.ts";
import type { PastEntry } from "../vocabulary/run-start.ts";
import type { Fitting } from "./ask-classifier.ts";
import { askClassifier } from "./ask-classifier.ts";
import type { CrewRun } from "./crew-run.ts";

/** The agent that begins the crew's run on an input: the one its file names, or one that is chosen, on record. */
export function chooseEntry(crewRun: CrewRun, input: string): string | Promise<string> {
  const { crew, place, world } = crewRun;
  if (crew.entryPoint.type === "agent") return crew.entryPoint.agent;
  const classifier = crew.agents.get(crew.settings.classifier ?? "");
  if (classifier !== undefined) return chooseByModel(crewRun, classifier, input);
  const choose = () => chooseByWords(crewRun, input);
  // What is known of past runs may have changed since: the choice stands as it was made.
  return (world.run.observe(place, "classification", choose) ?? record(crewRun, choose())).agent;
}

/** What agents say of themselves, with how they did before; where that makes a difference, on record. */
function chooseByWords(crewRun: CrewRun, input: string): Classification {
  const { crew, place, world } = crewRun;
  const began = world.began?.filter((each) => each.crew === place.crew) ?? [];
  const choose = (past: readonly PastEntry[]) =>
    createClassification(world.rankEntries(crew, input, new Map(past.map((each) => [each.agent, each]))), crewRun);
  const byWords = choose([]);
  if (began.length === 0) return byWords;
  const choice = choose(began);
  return choice.agent === byWords.agent ? choice : { ...choice, instead_of: byWords.agent };
}

async function chooseByModel(crewRun: CrewRun, classifier: Agent, input: string): Promise<string> {
  const fitting = await askClassifier(crewRun, classifier, listEntries(crewRun.crew), input);
  return record(crewRun, createClassification(fitting, crewRun), classifier.id).agent;
}

function record({ world, place }: CrewRun, classification: Classification, agent?: string): Classification {
  return world.run.emit({ ...place, agent }, "classification", classification).data;
}

/** Alternatives beyond these are no help to anybody. */
const MOST_ALTERNATIVES = 5;

function createClassification({ ranked, confidence: exactly, problem }: Fitting, { crew }: CrewRun): Classification {
  const { minConfidence } = crew.settings;
  const candidates = listEntries(crew).map(({ id }) => id);
  const [best] = ranked;
  const confidence = rounded(exactly);
  const isLow = best === undefined || confidence < minConfidence;
  const agent = (isLow ? candidates[0] : best.agent) ?? "";
  const known = new Set(ranked.map((each) => each.agent));
  const others = candidates.filter((id) => !known.has(id));
  const alternatives = [...ranked, ...others.map((id) => ({ agent: id, score: 0 }))]
    .filter((each) => each.agent !== agent)
    .slice(0, MOST_ALTERNATIVES);
  const nobody = best === undefined || best.score === 0;
  const reason =
    problem ??
    (nobody
      ? "no agent fits the input"
      : `'${best.agent}' fits best, with a confidence of ${confidence} where ${minConfidence} is asked for`);
  return {
    agent,
    ...findDomain(agent),
    confidence,
    alternatives: alternatives.map((each) => ({
      agent: each.agent,
      ...findDomain(each.agent),
      score: rounded(each.score),
    })),
    ...(isLow && { low_confidence: true, reason }),
  };

  function findDomain(id: string): Pick<Classification, "domain"> {
    const domain = crew.agents.get(id)?.domain;
    return domain === undefined ? {} : { domain };
  }
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
