import { findKeyPath } from "./find-key-path.ts";

/** Part of a JSON Schema, as far as completion reads it. */
export interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
}

/** What a crew calls things. */
export interface CrewNames {
  readonly agents: readonly string[];
  readonly groups: readonly string[];
  readonly signals: readonly string[];
  readonly tools: readonly string[];
}

export interface Completion {
  readonly label: string;
  readonly apply: string;
  readonly detail?: string;
}

/** Keys whose values are names of a kind. */
const kinds: Readonly<Record<string, readonly (keyof CrewNames)[]>> = {
  target: ["agents", "groups"],
  next_agent: ["agents"],
  entry_point: ["agents"],
  agents: ["agents"],
  handoff_targets: ["agents"],
  collaborations: ["agents"],
  destinations: ["agents"],
  advisors: ["agents"],
  handoff: ["agents"],
  signal: ["signals"],
  tools: ["tools"],
};

/** What may be written at a place of a crew's file: its keys, or names of agents, groups, signals and tools. */
export function completeText(
  text: string,
  position: number,
  shape: Shape,
  names: CrewNames,
): { readonly from: number; readonly options: readonly Completion[] } | undefined {
  const { path, isKey, word, from } = findKeyPath(text, position);
  const key = path.at(-1) ?? "";
  const known = kinds[key]?.flatMap((kind) => names[kind]) ?? [];
  const inside = findShape(shape, path);
  const keys = isKey ? listKeys(inside) : [];
  const values = isKey ? [] : (inside?.enum ?? []).filter((value) => value !== null).map(String);
  const options = [
    ...keys,
    ...[...known, ...values].map((name) => ({ label: name, apply: name.startsWith("[") ? `"${name}"` : name })),
  ];
  const typed = word.toLowerCase();
  const fitting = options.filter(({ label }) => label.toLowerCase().includes(typed.replaceAll(/["[\]]/g, "")));
  return fitting.length === 0 ? undefined : { from, options: fitting };
}

function listKeys(shape: Shape | undefined): Completion[] {
  return Object.entries(shape?.properties ?? {}).map(([label, { description }]) => ({
    ...{ label, apply: `${label}: ` },
    ...(description !== undefined && { detail: description }),
  }));
}

function findShape(shape: Shape | undefined, [key, ...rest]: readonly string[]): Shape | undefined {
  const open = openShape(shape);
  if (key === undefined || open === undefined) return open;
  const { properties = {}, additionalProperties } = open;
  const next = properties[key] ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
  return findShape(next, rest);
}

/** A list's items, and the first form that has keys, where several are possible. */
function openShape(shape: Shape | undefined): Shape | undefined {
  if (shape?.items !== undefined) return openShape(shape.items);
  const forms = shape?.anyOf?.map(openShape);
  return forms?.find((form) => form?.properties !== undefined) ?? forms?.[0] ?? shape;
}
