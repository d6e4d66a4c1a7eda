import { WireNames } from "../../models/wire-names.ts";

/** Tools that are there besides the crews. */
const taken: ReadonlySet<string> = new Set([
  ...["get_run", "cancel_run", "resume_run", "check_crew", "graph_crew", "test_crew", "plan_crew"],
  ...["list_runs", "show_run", "diagnose_run"],
]);

/** The tool of each crew. Names that clients or models would refuse, or that other tools have, are replaced. */
export function nameTools(crews: readonly string[]): ReadonlyMap<string, string> {
  const wanted = crews.map((crew) => (taken.has(crew) ? `crew ${crew}` : crew));
  const names = new WireNames(wanted.map((name) => ({ name })));
  return new Map(crews.map((crew, at) => [names.sent(wanted[at] ?? crew), crew]));
}
