import { relative } from "node:path";
import type { AgentFile } from "../agent-file.ts";
import type { CrewParts } from "../crew-parts.ts";
import { isPathReference, type Reference, referencesOf } from "../references-of.ts";

/** Agents that other agents' files name: they must be part of the crew, and described where a model has to choose. */
export function checkReferences(parts: CrewParts): void {
  for (const agent of parts.directory.files.values()) {
    for (const reference of referencesOf(agent)) {
      const id = parts.resolve(agent, reference.kind, reference.name);
      if (id !== undefined) checkDescription(agent, reference, id, parts);
      // A path that leads nowhere is reported where it is followed.
      else if (!isPathReference(reference.name) && !parts.directory.broken.has(reference.name))
        reportUnknown(reference, parts);
    }
  }
}

const offered: ReadonlySet<Reference["kind"]> = new Set(["agents", "router", "collaborations"]);

function checkDescription(agent: AgentFile, reference: Reference, id: string, parts: CrewParts): void {
  const target = parts.directory.files.get(id);
  if (!offered.has(reference.kind) || target?.keys.description !== undefined || reference.specialty !== undefined)
    return;
  const message = `agent '${id}' needs a 'description': agent '${agent.id}' offers it to its model`;
  parts.crewFile.reporter.report("missing-description", reference.place, message);
}

function reportUnknown(reference: Reference, parts: CrewParts): void {
  const { reporter } = parts.crewFile;
  const { place } = reference;
  const near = { name: reference.name, among: parts.directory.files.keys() };
  if (reference.kind === "collaborations") {
    const fitting = parts.collaborators(reference.name);
    const why =
      fitting.length > 1
        ? `'${reference.name}' fits several agents: ${fitting.join(", ")}`
        : `unknown collaborator '${reference.name}'`;
    reporter.report("unknown-collaborator", place, why, fitting.length > 1 ? undefined : near);
    return;
  }
  const unlisted = parts.directory.unlisted.get(reference.name);
  const hint =
    unlisted === undefined
      ? ""
      : `; ${relative(parts.crewFile.folder, unlisted)} is there, but 'agents' does not list it`;
  reporter.report(
    "unknown-agent",
    place,
    `unknown agent '${reference.name}' in '${reference.kind}'${hint}`,
    unlisted === undefined ? near : undefined,
  );
}
