import type { ParsedTemplate, TemplateFilter, TemplatePart } from "./parse-template.ts";

/** What the names of a template stand for; a name that is not there is empty. */
export type TemplateValues = Readonly<Record<string, unknown>>;

/** Fills a template in. Values are put in as they are: braces in them mean nothing. */
export function renderTemplate({ parts }: ParsedTemplate, values: TemplateValues): string {
  const written: string[] = [];
  renderParts(parts, { values, item: undefined }, written);
  return written.join("");
}

/** What names are looked up in: the values, and within a range the item that `.` is. */
interface Lookup {
  readonly values: TemplateValues;
  readonly item: unknown;
}

function renderParts(parts: readonly TemplatePart[], lookup: Lookup, written: string[]): void {
  for (const part of parts) {
    switch (part.type) {
      case "text":
        written.push(part.text);
        break;
      case "value":
        written.push(writeText(part.filters.reduce(applyFilter, lookUp(part.name, lookup))));
        break;
      case "if":
        renderParts(isEmpty(lookUp(part.name, lookup)) ? part.otherwise : part.body, lookup, written);
        break;
      case "range":
        for (const item of listItems(lookUp(part.name, lookup))) renderParts(part.body, { ...lookup, item }, written);
        break;
    }
  }
}

function lookUp(name: readonly string[], { values, item }: Lookup): unknown {
  if (name.length === 0) return item;
  let value: unknown = values;
  for (const word of name) value = isObject(value) && Object.hasOwn(value, word) ? value[word] : undefined;
  return value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** The items of a list, the values of a map; a single value is a list of one. */
function listItems(value: unknown): readonly unknown[] {
  if (isEmpty(value)) return [];
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [value];
}

function isEmpty(value: unknown): boolean {
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === "" || value === false || value === 0;
}

function applyFilter(value: unknown, filter: TemplateFilter): unknown {
  switch (filter.type) {
    case "default":
      return isEmpty(value) ? filter.text : value;
    case "truncate":
      return truncate(writeText(value), filter.characters);
    case "json":
      return JSON.stringify(value) ?? "null";
  }
}

/** Letters outside the basic plane take two places in a string, and are one character each. */
function truncate(text: string, characters: number): string {
  if (text.length <= characters) return text;
  let end = 0;
  for (let count = 0; count < characters && end < text.length; count++)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return end >= text.length ? text : `${text.slice(0, end)}…`;
}

function writeText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : (JSON.stringify(value) ?? "");
}
