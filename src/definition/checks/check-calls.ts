import { crewScope } from "../../template/parse-template.ts";
import { type BindingKeys, listOfPolicies, writtenBinding } from "../build-bindings.ts";
import type { CrewParts } from "../crew-parts.ts";
import { type Path, placeOfValue } from "../locate.ts";
import type { Place } from "../source.ts";
import { checkAgent, checkNoDoubles } from "./check-routing.ts";
import { checkTemplate, placeOfAction } from "./check-template.ts";

/** Calls of sub-crews, from bindings, groups and delegating agents. */
export function checkCalls(parts: CrewParts): void {
  const { crewFile, directory, placeOf } = parts;
  for (const [agent, bindings] of crewFile.keys.routing?.signals ?? []) {
    for (const [index, keys] of bindings.entries()) checkBinding(keys, ["routing", "signals", agent, index], parts);
  }
  for (const [name, group] of crewFile.keys.routing?.parallel_groups ?? []) {
    for (const [index, crew] of group.crews.entries()) {
      checkSubCrew(crew, placeOf(["routing", "parallel_groups", name, "crews", index]), parts);
    }
  }
  for (const agent of directory.files.values()) {
    checkNoDoubles(agent.keys.delegate, ["delegate"], { crewFile, placeOf: (path) => placeOfValue(agent, path) });
    for (const [index, crew] of agent.keys.delegate.entries()) {
      checkSubCrew(crew, placeOfValue(agent, ["delegate", index]), parts);
    }
  }
}

function checkBinding(keys: BindingKeys, path: Path, parts: CrewParts): void {
  const { crewFile, placeOf, placeOfKey } = parts;
  const { callsCrew } = writtenBinding(keys);
  if ((keys.type === "sub_crew" && !callsCrew) || keys.target_crews?.length === 0) {
    crewFile.reporter.report(
      "missing-field",
      placeOfKey(path),
      `a binding of type sub_crew needs 'target_crew' or 'target_crews'`,
    );
  }
  if (listOfPolicies(keys.on_error).includes("fallback") && keys.fallback_crew === undefined) {
    crewFile.reporter.report(
      "missing-field",
      placeOf([...path, "on_error"]),
      `'on_error: fallback' needs 'fallback_crew'`,
    );
  }
  if (keys.target_crew !== undefined) checkSubCrew(keys.target_crew, placeOf([...path, "target_crew"]), parts);
  if (keys.fallback_crew !== undefined) checkSubCrew(keys.fallback_crew, placeOf([...path, "fallback_crew"]), parts);
  checkNoDoubles(keys.target_crews ?? [], [...path, "target_crews"], parts);
  checkNoDoubles(keys.targets ?? [], [...path, "targets"], parts);
  for (const [index, crew] of (keys.target_crews ?? []).entries())
    checkSubCrew(crew, placeOf([...path, "target_crews", index]), parts);
  if (keys.return_to !== undefined) checkAgent(keys.return_to, "return_to", placeOf([...path, "return_to"]), parts);
  if (keys.input_template !== undefined)
    checkCallTemplate(keys.input_template, placeOf([...path, "input_template"]), parts);
}

function checkCallTemplate(template: string, place: Place, parts: CrewParts): void {
  const { crewFile, subCrews } = parts;
  for (const [first, crew] of checkTemplate(template, crewScope, place, crewFile.reporter)) {
    if (first !== "PreviousResults" || crew === undefined || subCrews.has(crew)) continue;
    const message = `unknown name '.PreviousResults.${crew}' in template: '${crew}' is not one of 'sub_crews'`;
    crewFile.reporter.report("unknown-template-name", placeOfAction(crew, place), message, {
      name: crew,
      among: subCrews,
    });
  }
}

export function checkSubCrew(name: string, place: Place, { crewFile, subCrews }: CrewParts): void {
  if (subCrews.has(name)) return;
  crewFile.reporter.report("unknown-crew", place, `sub-crew ${name} not found`, { name, among: subCrews });
}
