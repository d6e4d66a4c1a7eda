import { type Budget, createLevel, type Level, within } from "../run/budget.ts";
import type { Agent } from "../vocabulary/crew.ts";
import type { QuotaFacts } from "../vocabulary/event-data.ts";
import type { Failure } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import type { Quota } from "../vocabulary/quota.ts";
import type { CrewRun, KeptLevel } from "./crew-run.ts";
import type { OwnQuota } from "./own-quota.ts";

/**
 * Makes everything that is called in a crew count in these quotas. Those of the outermost crew are the run's. What is spent in
 * a day is stored under the key.
 */
export function limitCrew(crewRun: CrewRun, quotas: readonly Quota[], key: string): void {
  const { crew, place } = crewRun;
  const level = place.crew === undefined ? "run" : "crew";
  crewRun.budget = within(crewRun.budget, findLevel(crewRun, quotas, level, place.crew ?? crew.name, key));
}

/** What an agent's calls count in: its own quotas, wherever in its crew it was called, those of who called it, and those of its crew. */
export function findBudget(
  agent: Agent,
  outer: Budget | undefined,
  calling: CrewRun,
  ownQuota: OwnQuota | undefined,
): Budget | undefined {
  if (agent.quotas.length === 0) return outer;
  const crewRun = declaredRun(calling);
  const { crew, place } = crewRun;
  const name = nameSpeaker({ agent: agent.id, crew: place.crew });
  const level = findLevel(crewRun, agent.quotas, "agent", name, `${crew.name}/${agent.id}`);
  return within(outer, level, ownQuota && ((failure) => ownQuota.stop(failure)));
}

function declaredRun(crewRun: CrewRun): CrewRun {
  return crewRun.composer === undefined ? crewRun : declaredRun(crewRun.composer);
}

/** Whoever exceeds a quota of a crew, or of an agent on its line, ends that crew's run. */
function findLevel(
  crewRun: CrewRun,
  quotas: readonly Quota[],
  level: QuotaFacts["level"],
  name: string,
  key: string,
): Level {
  const { shared } = crewRun;
  shared.levels ??= new Map();
  const id = JSON.stringify([level, name, key]);
  const kept = shared.levels.get(id) ?? keepLevel(quotas, level, name, key);
  shared.levels.set(id, kept);
  kept.crewRuns.add(crewRun);
  return kept.level;
}

function keepLevel(quotas: readonly Quota[], level: QuotaFacts["level"], name: string, key: string): KeptLevel {
  const crewRuns = new Set<CrewRun>();
  const stop = (failure: Failure) => {
    for (const crewRun of crewRuns) {
      if (crewRun.scope.isClosed) continue;
      crewRun.stopped = failure;
      crewRun.scope.close(failure.message, failure);
    }
  };
  return { level: createLevel(quotas, { level, name, key, stop }), crewRuns };
}
