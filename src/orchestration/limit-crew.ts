import type { Agent, Quota } from "../crew.ts";
import type { Failure, QuotaFacts } from "../events.ts";
import { type Budget, createLevel, type Level, within } from "../run/budget.ts";
import type { CrewRun } from "./crew-run.ts";

/** Makes everything that is called in a crew count in these quotas. Those of the outermost crew are the run's. */
export function limitCrew(crewRun: CrewRun, quotas: readonly Quota[]): void {
  const { crew, place } = crewRun;
  const level = place.crew === undefined ? "run" : "crew";
  crewRun.budget = within(crewRun.budget, levelOf(crewRun, quotas, level, crew.name, place.crew ?? crew.name));
}

/** What an agent's calls count in: its own quotas, those of who called it, and those of its crew. */
export function budgetOf(agent: Agent, outer: Budget | undefined, crewRun: CrewRun): Budget | undefined {
  if (agent.quotas.length === 0) return outer;
  crewRun.levels ??= new Map();
  const { levels, crew, place } = crewRun;
  const key = `${place.crew ?? crew.name}/${agent.id}`;
  const level = levels.get(agent.id) ?? levelOf(crewRun, agent.quotas, "agent", agent.id, key);
  levels.set(agent.id, level);
  return within(outer, level);
}

/** Whoever exceeds a quota of a crew, or of an agent of it, ends that crew's run. */
function levelOf(
  crewRun: CrewRun,
  quotas: readonly Quota[],
  level: QuotaFacts["level"],
  name: string,
  key: string,
): Level {
  const stop = (failure: Failure) => {
    crewRun.stopped ??= failure;
    crewRun.scope.close(failure.message);
  };
  return createLevel(quotas, { level, name, key, stop });
}
