import { relative, resolve } from "node:path";
import type { AgentFile } from "../definition/agent-file.ts";
import type { CrewParts } from "../definition/crew-parts.ts";
import type { PartedDefinition } from "../definition/load-definition.ts";
import { placeOfValue } from "../definition/locate.ts";
import { parseModel } from "../definition/parse-model.ts";
import type { Notes } from "./crew-plan.ts";
import { proposeFor } from "./propose.ts";

/** Says which agents and models a file names that are not there. */
export function noteReferences(file: AgentFile, parts: CrewParts, target: string, notes: Notes): void {
  const findLine = (start: number | undefined) => file.source.position(start ?? 0).line;
  const seen = new Set<string>();
  for (const { kind, name, place } of file.references) {
    if (parts.resolve(file, kind, name) !== undefined || seen.has(`${kind} ${name}`)) continue;
    seen.add(`${kind} ${name}`);
    const fitting = kind === "collaborations" ? parts.collaborators(name) : [];
    const what = `'${name}', which is named under \`${kind}\`, ${fitting.length > 1 ? "may be several agents" : "is not an agent here"}, and is left out`;
    const proposal =
      fitting.length > 1 ? `name one of ${fitting.join(", ")} in ${target}` : proposeFor("unknown-agent", target);
    notes.decisions.push({ file: file.file, line: findLine(place.span?.start), what, proposal });
  }
  for (const [index, name] of (file.keys.models ?? []).entries()) {
    if (parseModel(name) !== undefined) continue;
    const { span } = placeOfValue(file, ["models", index]);
    const what = `'${name}' is not a model's name, and is left out`;
    notes.decisions.push({
      file: file.file,
      line: findLine(span?.start),
      what,
      proposal: proposeFor("bad-model", target),
    });
  }
}

/** Says which files are no part of the crew, and why. */
export function noteUnread(
  { diagnostics }: PartedDefinition,
  files: readonly string[],
  sources: ReadonlySet<string>,
  workingDirectory: string,
  notes: Notes,
): void {
  for (const file of files.filter((each) => !sources.has(each))) {
    const said = diagnostics.find((each) => resolve(workingDirectory, each.file) === file && each.severity === "error");
    const what = `the file is left out: ${said?.message ?? "it cannot be read as an agent"}`;
    const isTwice = said?.code === "duplicate-id";
    const proposal = isTwice
      ? `give it an id of its own, or import it by itself: baton import ${relative(workingDirectory, file)} --to <folder>`
      : "mend it and import it again";
    notes.decisions.push({ file, line: said?.line ?? 1, what, proposal });
  }
}
