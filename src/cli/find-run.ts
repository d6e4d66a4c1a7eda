import { nearestName } from "../definition/nearest-name.ts";
import { BatonError } from "../errors.ts";
import type { Store, StoredRun } from "../run/store.ts";

/** As many ids as are taken in at a glance. */
const FEW = 5;

/** The run that is meant by its id, by the beginning of it, or by `last`. */
export async function findRun(name: string, store: Pick<Store, "list">): Promise<StoredRun> {
  if (name === "last") {
    const [newest] = await store.list({ limit: 1 });
    if (newest !== undefined) return newest;
  }
  const runs = await store.list();
  const exact = runs.filter(({ runId }) => runId === name);
  const begun = runs.filter(({ runId }) => runId.startsWith(name) || runId.startsWith(`run_${name}`));
  const [found, ...others] = exact.length === 0 ? begun : exact;
  if (found !== undefined && others.length === 0) return found;
  throw new BatonError("unknown-run", found === undefined ? absence(name, runs) : ambiguity(name, begun));
}

function absence(name: string, runs: readonly StoredRun[]): string {
  if (runs.length === 0) return "there are no runs yet; baton run makes one";
  const ids = runs.map(({ runId }): string => runId);
  const nearest = nearestName(name, ids);
  if (nearest !== undefined) return `there is no run '${name}'; did you mean '${nearest}'?`;
  return `there is no run '${name}'; the newest are ${ids.slice(0, FEW).join(", ")}`;
}

function ambiguity(name: string, runs: readonly StoredRun[]): string {
  const few = runs.slice(0, FEW).map(({ runId }) => runId);
  const more = runs.length > FEW ? ` and ${runs.length - FEW} more` : "";
  return `several runs begin with '${name}': ${few.join(", ")}${more}`;
}
