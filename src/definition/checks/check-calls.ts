import { parseTemplate, templateNames } from "../../template/parse-template.ts";
import { type BindingKeys, ruleOf } from "../build-bindings.ts";
import type { CrewParts } from "../crew-parts.ts";
import { type Path, placeOfValue } from "../locate.ts";
import type { Place } from "../source.ts";
import { checkAgent } from "./check-routing.ts";

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
    for (const [index, crew] of agent.keys.delegate.entries()) {
      checkSubCrew(crew, placeOfValue(agent, ["delegate", index]), parts);
    }
  }
}

function checkBinding(keys: BindingKeys, path: Path, parts: CrewParts): void {
  const { crewFile, placeOf, placeOfKey } = parts;
  const { callsCrew } = ruleOf(keys);
  if (keys.type === "sub_crew" && !callsCrew) {
    crewFile.reporter.report(
      "missing-field",
      placeOfKey(path),
      `a binding of type sub_crew needs 'target_crew' or 'target_crews'`,
    );
  }
  if (keys.on_error === "fallback" && keys.fallback_crew === undefined) {
    crewFile.reporter.report(
      "missing-field",
      placeOf([...path, "on_error"]),
      `'on_error: fallback' needs 'fallback_crew'`,
    );
  }
  if (keys.target_crew !== undefined) checkSubCrew(keys.target_crew, placeOf([...path, "target_crew"]), parts);
  if (keys.fallback_crew !== undefined) checkSubCrew(keys.fallback_crew, placeOf([...path, "fallback_crew"]), parts);
  for (const [index, crew] of (keys.target_crews ?? []).entries())
    checkSubCrew(crew, placeOf([...path, "target_crews", index]), parts);
  if (keys.return_to !== undefined) checkAgent(keys.return_to, "return_to", placeOf([...path, "return_to"]), parts);
  if (keys.input_template !== undefined)
    checkTemplate(keys.input_template, placeOf([...path, "input_template"]), parts);
}

function checkTemplate(template: string, place: Place, { crewFile }: CrewParts): void {
  const { names, problems } = parseTemplate(template);
  for (const { code, message, name } of problems) {
    crewFile.reporter.report(code, place, message, name === undefined ? undefined : { name, among: templateNames });
  }
  const crews = crewFile.keys.sub_crews;
  for (const [first, crew] of names) {
    if (first !== "PreviousResults" || crew === undefined || crews.has(crew)) continue;
    const message = `unknown name '.PreviousResults.${crew}' in template: '${crew}' is not one of 'sub_crews'`;
    crewFile.reporter.report("unknown-template-name", place, message, { name: crew, among: crews.keys() });
  }
}

function checkSubCrew(name: string, place: Place, { crewFile }: CrewParts): void {
  const known = crewFile.keys.sub_crews;
  if (known.has(name)) return;
  crewFile.reporter.report("unknown-crew", place, `sub-crew '${name}' not found`, { name, among: known.keys() });
}
