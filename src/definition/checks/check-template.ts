import { type ParsedTemplate, parseTemplate, type TemplateScope } from "../../template/parse-template.ts";
import type { Reporter } from "../problem-log.ts";
import { type Place, placeIn } from "../source.ts";

/** Reports what is wrong with a template, and gives the names that it uses. */
export function checkTemplate(
  template: string,
  scope: TemplateScope,
  place: Place,
  reporter: Reporter,
): ParsedTemplate["names"] {
  const { names, problems } = parseTemplate(template, scope);
  for (const { code, message, name, action } of problems) {
    const near = name === undefined ? undefined : { name, among: scope.names.map((known) => `.${known}`) };
    reporter.report(code, placeOfAction(action, place), message, near);
  }
  return names;
}

/** Where a part of a template stands in the file, if it is written there as it reads; else the template's own place. */
export function placeOfAction(action: string, place: Place): Place {
  const { source, span } = place;
  if (source === undefined || span === undefined) return place;
  const start = source.text.indexOf(action, span.start);
  return action === "" || start === -1 || start >= span.end
    ? place
    : placeIn(source, { start, end: start + action.length });
}
