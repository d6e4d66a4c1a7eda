import type { Store, StoredRun } from "../journal/store.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { nearestName } from "../vocabulary/nearest-name.ts";
import { cleanLine } from "./live/clean-text.ts";
import { formatDate } from "./show/format-date.ts";

/** As many ids as are taken in at a glance. */
const FEW = 5;
const SHOWN_OF_INPUT = 60;

/** The run that is meant by its id, by the beginning of it, or by `last`. */
export async function findRun(name: string, store: Pick<Store, "list">): Promise<StoredRun> {
  if (name === "last") {
    const [newest] = await store.list({ limit: 1 });
    if (newest !== undefined) return newest;
  }
  const runs = await store.list();
  const exact = runs.filter(({ runId }) => runId === name);
  // An empty name is that of a variable that is not set, not the beginning of all ids.
  const isBegun = (id: string) => name !== "" && (id.startsWith(name) || id.startsWith(`run_${name}`));
  const begun = runs.filter(({ runId }) => isBegun(runId));
  const [found, ...others] = exact.length === 0 ? begun : exact;
  if (found !== undefined && others.length === 0) return found;
  throw new BatonError("unknown-run", found === undefined ? explainAbsence(name, runs) : explainAmbiguity(name, begun));
}

function explainAbsence(name: string, runs: readonly StoredRun[]): string {
  if (runs.length === 0) return "there are no runs yet; start one with baton run";
  const ids = runs.map(({ runId }): string => runId);
  const nearest = nearestName(name, ids);
  if (nearest !== undefined) return `there is no run '${name}'; did you mean '${nearest}'?`;
  return `there is no run '${name}'; the newest are ${ids.slice(0, FEW).join(", ")}`;
}

/** Each with what tells it from the others: whoever gave half an id has to choose. */
function explainAmbiguity(name: string, runs: readonly StoredRun[]): string {
  const few = runs.slice(0, FEW).map(({ runId, crew, status, startedAt, input }) => {
    const about = [formatDate(startedAt), cleanLine(crew), status, cleanLine(input).slice(0, SHOWN_OF_INPUT)];
    return `  ${[runId, ...about].join("  ")}`;
  });
  const more = runs.length > FEW ? [`  and ${runs.length - FEW} more; baton runs lists them`] : [];
  return [`several runs begin with '${name}'; write more of an id:`, ...few, ...more].join("\n");
}
