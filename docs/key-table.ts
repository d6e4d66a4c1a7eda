/** The part of JSON Schema that our schemas use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly deprecated?: boolean;
}

/** A reference page: one table per map with fixed keys, the outermost first. */
export function keyTable(kind: string, schema: Schema): string {
  const sections = sectionsOf("", schema).map(
    ({ path, rows }) => `## ${path === "" ? "Top level" : `\`${path}\``}\n\n${rows}`,
  );
  const unused = keysWithoutEffect(schema).length > 0;
  const note = unused ? ` Keys of go-agentic that have no effect are [listed elsewhere](../from-go-agentic.md).` : "";
  return `# Keys of a ${kind} file\n\n${schema.title}. Generated from the code; keys may also be written in camelCase.${note}\n\n${sections.join("\n\n")}\n`;
}

/** The keys that are understood and do nothing, by their path in the file. */
export function keysWithoutEffect(schema: Schema, path = ""): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const at = path === "" ? key : `${path}.${key}`;
    return field.deprecated ? [at] : keysWithoutEffect(field, at);
  });
  return [...own, ...inner(schema).flatMap(({ step, schema: next }) => keysWithoutEffect(next, path + step))];
}

interface Section {
  readonly path: string;
  readonly rows: string;
}

function sectionsOf(path: string, schema: Schema): Section[] {
  const { properties } = schema;
  if (properties === undefined) return inner(schema).flatMap(({ step, schema: next }) => sectionsOf(path + step, next));
  const rows = Object.entries(properties)
    .filter(([, { deprecated }]) => deprecated !== true)
    .map(([key, field]) => row(key, field, schema.required?.includes(key) ?? false));
  const table = ["| key | takes | default | meaning |", "| --- | --- | --- | --- |", ...rows].join("\n");
  const below = Object.entries(properties).flatMap(([key, field]) =>
    sectionsOf(path === "" ? key : `${path}.${key}`, field),
  );
  return [{ path, rows: table }, ...below];
}

function inner(schema: Schema): { readonly step: string; readonly schema: Schema }[] {
  return [
    ...(schema.items === undefined ? [] : [{ step: "[]", schema: schema.items }]),
    ...(typeof schema.additionalProperties === "object"
      ? [{ step: ".<name>", schema: schema.additionalProperties }]
      : []),
    ...(schema.anyOf ?? []).map((option) => ({ step: "", schema: option })),
  ];
}

function row(key: string, field: Schema, isRequired: boolean): string {
  const absent = isRequired ? "needed" : field.default === undefined ? "" : `\`${String(field.default)}\``;
  return `| \`${key}\` | ${takes(field).replaceAll("|", "\\|")} | ${absent} | ${field.description ?? ""} |`;
}

function takes(schema: Schema): string {
  if (schema.enum !== undefined) return choices(schema.enum).join(" ");
  if (schema.anyOf !== undefined)
    return [...new Set(schema.anyOf.map(takes))].filter((each) => each !== "").join(" or ");
  const types = [schema.type ?? []].flat().filter((type) => type !== "null");
  if (types.includes("array")) return `list of ${takes(schema.items ?? {}) || "anything"}`;
  if (types.includes("object"))
    return schema.properties === undefined ? `map of ${takes(schema.additionalProperties as Schema)}` : "map";
  return types.map((type) => ({ string: "text", integer: "whole number" })[type] ?? type).join(" or ");
}

/** Other words for true and false are understood; nobody needs to know them. */
function choices(values: readonly unknown[]): string[] {
  const isFlag = values.includes(true) && values.includes(false);
  const isSpelling = (value: unknown) => typeof value === "string" && /^(?:true|false|yes|no|on|off)$/i.test(value);
  const shown = values.filter((value) => value !== null && !(isFlag && isSpelling(value)));
  return shown.map((value) => `\`${value}\``);
}
