import { Validator } from "@cfworker/json-schema";

/** What does not fit a JSON Schema, in words; undefined where it fits. */
export function schemaProblem(value: unknown, schema: unknown): string | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  const { valid, errors } = new Validator(schema, "2020-12", false).validate(value);
  return valid
    ? undefined
    : `does not fit the schema: ${errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`).join("; ")}`;
}
