import { formatStep, type ItemPath, parseItemPath } from "../../template/item-path.ts";
import { itemScope } from "../../template/parse-template.ts";
import { buildContract } from "../build-agent.ts";
import type { CrewFile } from "../crew-files.ts";
import type { CrewParts } from "../crew-parts.ts";
import { DEFAULT_MAX_ITEMS, readWorker } from "../read-worker.ts";
import { checkSubCrew } from "./check-calls.ts";
import { checkAgent } from "./check-routing.ts";
import { checkTemplate } from "./check-template.ts";

type GroupKeys =
  NonNullable<CrewFile["keys"]["routing"]>["parallel_groups"] extends ReadonlyMap<string, infer Keys> ? Keys : never;

/** A group, with the path of its key. */
interface Written {
  readonly name: string;
  readonly keys: GroupKeys;
  readonly path: readonly string[];
}

/** Groups that take a list from an answer: who works on each item, where the list is, and what else says so. */
export function checkForEach(parts: CrewParts): void {
  for (const [name, keys] of parts.crewFile.keys.routing?.parallel_groups ?? []) {
    const group = { name, keys, path: ["routing", "parallel_groups", name] };
    if (keys.for_each === undefined) checkIdle(group, parts);
    else checkGroup(group, keys.for_each, parts);
  }
}

function checkIdle({ keys, path }: Written, { crewFile, placeOfKey }: CrewParts): void {
  for (const key of ["items", "max_items", "concurrency", "input_template"] as const) {
    if (keys[key] === undefined) continue;
    const message = `'${key}' has no effect without 'for_each', which names who works on each item`;
    crewFile.reporter.report("no-effect", placeOfKey([...path, key]), message);
  }
}

function checkGroup(group: Written, forEach: string, parts: CrewParts): void {
  const { name, keys, path } = group;
  const { crewFile, placeOf, placeOfKey } = parts;
  const { reporter } = crewFile;
  checkWorker(forEach, group, parts);
  for (const list of ["agents", "crews"] as const) {
    if (keys[list].length === 0) continue;
    const message = `group '${name}' has 'for_each' and '${list}': keep '${list}' to run several members on one answer, or 'for_each' to run one member on each item of a list`;
    reporter.report("bad-pattern", placeOfKey([...path, list]), message);
  }
  const maxItems = keys.max_items ?? DEFAULT_MAX_ITEMS;
  if (keys.min_success !== undefined && keys.min_success > maxItems) {
    const message = `'min_success' is ${keys.min_success}, but group '${name}' takes at most ${maxItems} items ('max_items')`;
    reporter.report("wrong-type", placeOf([...path, "min_success"]), message);
  }
  if (keys.input_template !== undefined)
    checkTemplate(keys.input_template, itemScope, placeOf([...path, "input_template"]), reporter);
  for (const emitter of listEmitters(name, parts)) checkEmitter(emitter, group, parts);
}

function checkWorker(forEach: string, { path }: Written, parts: CrewParts): void {
  const worker = readWorker(forEach);
  const place = parts.placeOf([...path, "for_each"]);
  if (worker.kind === "crew") checkSubCrew(worker.name, place, parts);
  else if (parts.subCrews.has(forEach) && !parts.world.agents.has(forEach)) {
    const message = `unknown agent '${forEach}' in 'for_each'; write 'crew:${forEach}' for the sub-crew`;
    parts.crewFile.reporter.report("unknown-agent", place, message);
  } else checkAgent(forEach, "'for_each'", place, parts);
}

/** The agents whose answers the group gets: by a signal, or by default. */
function listEmitters(group: string, { crewFile, directory }: CrewParts): string[] {
  const routing = crewFile.keys.routing;
  const isBound = (id: string) => routing?.signals.get(id)?.some(({ target }) => target === group) ?? false;
  return [...directory.files.keys()].filter((id) => routing?.defaults.get(id) === group || isBound(id));
}

/** If the emitter's answer has a schema, the list must be in it. */
function checkEmitter(id: string, { name, keys, path }: Written, parts: CrewParts): void {
  const { crewFile, directory, placeOf } = parts;
  const schema = buildContract(directory.files.get(id)?.keys.output).schema;
  const items = keys.items ?? "$";
  const problem = findMissing(schema, parseItemPath(items) ?? []);
  if (problem === undefined) return;
  const message = `group '${name}' takes its items from ${items}, but in the output schema of agent '${id}' ${problem}`;
  crewFile.reporter.report("format-mismatch", placeOf([...path, "items"]), message);
}

/** Follows a path through a schema as far as the schema says anything. */
function findMissing(schema: unknown, path: ItemPath): string | undefined {
  let part = asMap(schema);
  let place = "$";
  for (const step of path) {
    const wanted = typeof step === "number" ? "array" : "object";
    if (excludes(part, wanted)) return `${place} is not ${wanted === "array" ? "a list" : "an object"}`;
    const properties = asMap(part["properties"]);
    if (typeof step === "string" && part["properties"] !== undefined && !Object.hasOwn(properties, step))
      return `there is no ${place}${formatStep(step)}`;
    part = asMap(typeof step === "string" ? properties[step] : part["items"]);
    place += formatStep(step);
  }
  return excludes(part, "array") ? `${place} is not a list` : undefined;
}

function excludes(schema: Readonly<Record<string, unknown>>, type: string): boolean {
  const types = [schema["type"] ?? []].flat();
  return types.length > 0 && !types.includes(type);
}

function asMap(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
