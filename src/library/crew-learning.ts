import { listAgents, listCrews } from "../flow/list-crews.ts";
import type { HandoffQuery } from "../journal/handoff-record.ts";
import type { Store } from "../journal/store.ts";
import { describeStatistics, type Statistics } from "../learning/describe-statistics.ts";
import type { Verdict } from "../learning/handoff-records.ts";
import type { RankedTarget } from "../learning/rank-targets.ts";
import { createRedactor } from "../redaction/redactor.ts";
import { type Feedback, giveFeedback } from "../run-storage/feedback.ts";
import { findStoredName } from "../run-storage/learn-from-runs.ts";
import { suggestTargets } from "../runtime/suggest-targets.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError, explainUnknownRun } from "../vocabulary/errors.ts";
import { toRunId } from "../vocabulary/ids.ts";
import { nearestName } from "../vocabulary/nearest-name.ts";

/** What a crew's earlier runs say. */
export interface CrewLearning {
  /** Says how good a run was: its handoffs count as that says. Rejects with a `BatonError`: `unknown-run` or a `StoreErrorCode`. */
  feedback(runId: string, verdict: Verdict, words?: string): Promise<Feedback>;
  /**
   * Statistics of the handoffs of the crew's runs. `limit` bounds the loops and the unmatched inputs; default: all. Rejects with a
   * `BatonError` whose code is a `StoreErrorCode`.
   */
  stats(query?: Omit<HandoffQuery, "crew"> & { readonly limit?: number }): Promise<Statistics>;
  /**
   * Ranks whom an agent may hand its work to, or who may begin, by how probable a success is. Rejects with a `BatonError`:
   * `unknown-agent` or a `StoreErrorCode`.
   */
  suggest(question?: SuggestionQuery): Promise<readonly RankedTarget[]>;
}

/** What is to be ranked: the targets of an agent, or who may begin; for an input, or in general. */
export interface SuggestionQuery {
  readonly agent?: string | undefined;
  readonly input?: string | undefined;
}

export function learningOn(
  crew: Crew,
  store: Store | undefined,
  variables: Readonly<Record<string, string | undefined>> = process.env,
): CrewLearning {
  return {
    async feedback(id, verdict, words = "") {
      const runId = toRunId(id);
      if (store === undefined || (await store.read(runId, 0, 1)).length === 0) throw explainUnknownRun(id);
      const redact = (text: string) => (crew.settings.redact ? createRedactor(variables).redact(text) : text);
      return giveFeedback(store, runId, verdict, words, redact);
    },
    async stats({ limit = Number.POSITIVE_INFINITY, ...query } = {}) {
      const kept = await store?.stats({ ...query, crew: crew.name }, limit);
      return describeStatistics(kept ?? { paths: [], loops: [], unmatchedInputs: [] });
    },
    async suggest({ agent, input } = {}) {
      if (agent === undefined) return suggestTargets(store, { crew, name: crew.name }, undefined, input);
      const [place, within] = crewWith(agent, crew);
      const own = place === "" ? agent : agent.slice(place.length + 1);
      return suggestTargets(store, { crew: within, name: findStoredName(crew.name, place) }, own, input);
    },
  };
}

/** The crew that has an agent, by its name: `lab/meter` is one of the sub-crew `lab`. */
function crewWith(agent: string, crew: Crew): [place: string, crew: Crew] {
  const found = listCrews(crew).find(([place, { agents }]) => {
    const prefix = place === "" ? "" : `${place}/`;
    return agent.startsWith(prefix) && agents.has(agent.slice(prefix.length));
  });
  if (found !== undefined) return found;
  throw unknownAgent(
    agent,
    listAgents(crew).map(([name]) => name),
  );
}

function unknownAgent(name: string, agents: readonly string[]): BatonError {
  const nearest = nearestName(name, agents);
  const hint = nearest === undefined ? `the crew has ${agents.join(", ")}` : `did you mean '${nearest}'?`;
  return new BatonError("unknown-agent", `there is no agent '${name}'; ${hint}`);
}
