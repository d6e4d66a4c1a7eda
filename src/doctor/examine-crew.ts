import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { LocatedDefinition } from "../definition/load-definition.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { fine, note, type Observation, wrong } from "./observation.ts";

/** Whether the crew can be loaded, and whether editors find the schemas of its files. */
export function examineCrew(path: string, { crew, diagnostics, fileOf }: LocatedDefinition): Observation[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  const remedy = `'baton check ${path}' shows them.`;
  if (crew === undefined || errors > 0)
    return [wrong("crew", `${path}: ${formatAmount(errors, "error")}, ${formatAmount(warnings, "warning")}`, remedy)];
  const name = `${crew.name}, ${formatAmount(crew.agents.size, "agent")}`;
  const verdict =
    warnings === 0 ? fine("crew", name) : note("crew", `${name}: ${formatAmount(warnings, "warning")}`, remedy);
  const file = fileOf(crew);
  return [verdict, ...(file !== undefined && /\.ya?ml$/.test(file) ? [examineSchema(file)] : [])];
}

/** The comment by which editors with a YAML language server find a schema. */
function examineSchema(file: string): Observation {
  const [, schema] = /^# yaml-language-server: *\$schema=(\S+)/m.exec(readFileSync(file, "utf8")) ?? [];
  if (schema === undefined)
    return note(
      "editor",
      "the crew's file names no schema",
      "With one, editors complete and check as you type: 'baton help crews', section Editors.",
    );
  if (/^https?:/.test(schema) || existsSync(resolve(dirname(file), schema))) return fine("editor", `schema ${schema}`);
  return note(
    "editor",
    `the schema ${schema} is not there`,
    "'npm install' brings it, or 'baton schema crew' prints it.",
  );
}
