import { readMap } from "../definition/agent-file.ts";
import { type CrewFile, readCrewSource } from "../definition/crew-files.ts";
import { findEntry } from "../definition/fields.ts";
import { silentReporter } from "../definition/problem-log.ts";
import type { MapEntry, MapNode } from "../definition/yaml-node.ts";
import { collectProblems } from "./collect-problems.ts";
import type { Notes } from "./crew-plan.ts";
import { joinSpans, locateSpan, shorten, showEntry, showValue } from "./original-text.ts";
import { proposeFor } from "./propose.ts";

/** Notes, line by line, what became of a crew's file. */
export function noteCrew(crewFile: CrewFile, target: string, notes: Notes): void {
  const { source } = crewFile;
  const { reporter, found } = collectProblems();
  readCrewSource(source, { reporter: () => reporter, diagnostics: () => [] }, false);
  for (const { span, code, message, why, isError } of found) {
    const place = locateSpan(source, span);
    const what = shorten(source.text.slice(span.start, span.end));
    if (why !== undefined) notes.idle.push({ ...place, what, why });
    else if (code === "unknown-key" && !isError) notes.idle.push({ ...place, what, why: "nobody reads it" });
    else if (isError) notes.decisions.push({ ...place, what: message, proposal: proposeFor(code, target) });
    else if (code === "read-as") notes.mapped.push({ ...place, was: what, is: message });
  }
  const told = new Set(found.map(({ span }) => span.start));
  const tree = readMap(source, { start: 0, end: source.text.length }, silentReporter);
  for (const { path, entry, shown } of tree === undefined ? [] : listLines(tree, [])) {
    const isTold =
      told.has(entry.keySpan.start) || found.some(({ span, isError }) => isError && isWithin(span.start, entry));
    if (!isTold)
      notes.mapped.push({ ...locateSpan(source, entry.keySpan), was: shown, is: `\`${path.join(".")}\` in ${target}` });
  }
  const isGated = findEntry(findEntry(tree, "routing")?.value, "agent_behaviors") !== undefined;
  if (crewFile.keys.version === "1.0" && tree !== undefined) noteVersion(crewFile, tree, target, isGated, notes);
}

function isWithin(start: number, entry: MapEntry): boolean {
  const span = joinSpans(entry);
  return start >= span.start && start < span.end;
}

interface Line {
  readonly path: readonly string[];
  readonly entry: MapEntry;
  readonly shown: string;
}

const MAX_DEPTH = 3;

/** Every key of the file that holds a value, down to the rows of its tables. */
function listLines(map: MapNode, above: readonly string[]): Line[] {
  return map.entries.flatMap((entry): Line[] => {
    const path = [...above, entry.key];
    const { value } = entry;
    if (value.kind === "map" && above.length < MAX_DEPTH) return listLines(value, path);
    if (value.kind === "list" && value.items.some(({ kind }) => kind === "map"))
      return value.items.map((item) => ({
        path,
        entry: { ...entry, keySpan: item.span, value: item },
        shown: showValue(item),
      }));
    return [{ path, entry, shown: showEntry(entry.key, value) }];
  });
}

/** What a file of version 1.0 does otherwise than one of 2.0. */
function noteVersion(crewFile: CrewFile, tree: MapNode, target: string, hasBehaviors: boolean, notes: Notes): void {
  const { source } = crewFile;
  const entry = findEntry(tree, "version") ?? tree.entries[0];
  if (entry === undefined) return;
  const place = locateSpan(source, entry.keySpan);
  notes.decisions.push({
    ...place,
    what: "in version 1.0 people see signals such as [DONE] in the result, so `strip_signals: none` keeps them",
    proposal: `delete \`strip_signals\` in ${target}: then Baton takes them out of what people read`,
  });
  const behaviors = hasBehaviors ? [...(crewFile.keys.routing?.agent_behaviors ?? [])] : [];
  const gated = behaviors.filter(([, { auto_route }]) => !auto_route).map(([id]) => `\`${id}\``);
  if (gated.length > 0)
    notes.decisions.push({
      ...place,
      what: `\`auto_route: false\` of ${gated.join(", ")} has no effect in version 1.0, and is left out`,
      proposal: `write it under \`agent_behaviors\` in ${target} if a person shall approve where the agent leads`,
    });
}
