import { DEFAULT_QUEUE } from "../../vocabulary/queue-rule.ts";
import { writtenBinding } from "../build-bindings.ts";
import type { CrewParts } from "../crew-parts.ts";
import { findEntry } from "../fields.ts";

/** Limits given twice, those that strict mode wants written out, and the queue, whose limits baton.yaml has. */
export function checkLimits(parts: CrewParts): void {
  checkToolTimeouts(parts);
  checkNeeded(parts);
  checkQueue(parts);
}

/** Limits that only the crew that is run sets. */
export function checkLimitsOfRun({ crewFile, placeOfKey }: CrewParts): void {
  const key = "max_run_handoffs";
  if (findEntry(findEntry(crewFile.root, "settings")?.value, key) === undefined) return;
  const message = `'${key}' has no effect in a sub-crew: the crew that is run sets it for all crews of the run; 'max_handoffs' limits this crew alone`;
  crewFile.reporter.report("no-effect", placeOfKey(["settings", key]), message);
}

function checkToolTimeouts({ crewFile, placeOfKey }: CrewParts): void {
  const settings = findEntry(crewFile.root, "settings")?.value;
  const [ours, theirs] = ["tool_timeout_seconds", "tool_execution_timeout_seconds"] as const;
  if (findEntry(settings, ours) === undefined || findEntry(settings, theirs) === undefined) return;
  const message = `'${ours}' is given as '${theirs}' too; keep one of them`;
  crewFile.reporter.report("both-spellings", placeOfKey(["settings", theirs]), message);
}

function checkNeeded({ crewFile, directory, placeOfKey }: CrewParts): void {
  if (!crewFile.reporter.strict || crewFile.isImplied) return;
  const { routing, sub_crews: subCrews } = crewFile.keys;
  const groups = [...(routing?.parallel_groups.values() ?? [])];
  const calls = [...(routing?.signals.values() ?? [])].flat().filter((keys) => writtenBinding(keys).callsCrew);
  const byCrew = crewFile.keys.settings?.parallel_handoffs ?? false;
  const atOnce = [...directory.files.values()].some(
    ({ keys, bodyCollaborations }) =>
      (keys.parallel_handoffs ?? byCrew) && keys.collaborations.length + bodyCollaborations.length > 1,
  );
  const needed = [
    "max_handoffs",
    "max_rounds",
    "timeout_seconds",
    ...(atOnce || groups.some((group) => group.timeout_seconds === undefined) ? ["parallel_timeout_seconds"] : []),
    ...(calls.some((call) => call.timeout_seconds === undefined) ? ["sub_crew_timeout_seconds"] : []),
    ...(subCrews.size > 0 ? ["max_crew_depth"] : []),
  ];
  const settings = findEntry(crewFile.root, "settings")?.value;
  for (const key of needed) {
    const value = findEntry(settings, key)?.value;
    if (value !== undefined && !(value.kind === "scalar" && value.value === null)) continue;
    const message = `strict mode needs 'settings.${key}' to be given`;
    crewFile.reporter.report("missing-limit", placeOfKey(["settings"]), message);
  }
}

/** A queue that baton.yaml does not name has no limits, which nobody means who names one. */
function checkQueue({ crewFile, project, placeOfKey }: CrewParts): void {
  const name = crewFile.keys.settings?.queue;
  const names = project.queues.flatMap((queue) => queue.name ?? []);
  if (name === undefined || name === DEFAULT_QUEUE || names.includes(name)) return;
  const message = `there is no queue '${name}' in baton.yaml`;
  crewFile.reporter.report("unknown-queue", placeOfKey(["settings", "queue"]), message, { name, among: names });
}
