import { createHash } from "node:crypto";
import type { Crew } from "../crew.ts";
import type { Store } from "../run/store.ts";

/** A crew as plain JSON, and what tells it from others. */
export interface CrewCopy {
  readonly value: unknown;
  readonly fingerprint: string;
}

export function copyOf(crew: Crew): CrewCopy {
  const text = JSON.stringify(crew, mapToList);
  return { value: JSON.parse(text), fingerprint: createHash("sha256").update(text).digest("hex").slice(0, 16) };
}

/** The crew of a fingerprint, as it was; undefined where no copy of it is kept. */
export async function readCrewCopy(
  store: Pick<Store, "get">,
  fingerprint: string | undefined,
): Promise<Crew | undefined> {
  const copy = fingerprint === undefined ? undefined : await store.get("crew", fingerprint);
  // What was a crew when it was written is one when it is read.
  return copy && (JSON.parse(JSON.stringify(copy.value), listToMap) as Crew);
}

/** What differs between two crews: places such as `agents.teacher.prompt`, each with what became of it. */
export function changesBetween(before: Crew, after: Crew): string[] {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  const places = new Set([...old.keys(), ...now.keys()]);
  return [...places].flatMap((place) => {
    const [was, is] = [old.get(place), now.get(place)];
    if (was === is) return [];
    if (was === undefined) return [`${place} is new`];
    return is === undefined ? [`${place} is gone`] : [`${place} has changed`];
  });
}

const MAP = "$map";

function mapToList(_: string, value: unknown): unknown {
  return value instanceof Map ? { [MAP]: [...value] } : value;
}

function listToMap(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !(MAP in value)) return value;
  return new Map(value[MAP] as [string, unknown][]);
}

/** Every simple value by its place, as text. */
function leavesOf(value: unknown, place = ""): Map<string, string> {
  if (typeof value !== "object" || value === null) {
    return value === undefined ? new Map() : new Map([[place, JSON.stringify(value)]]);
  }
  const parts: [string, unknown][] = value instanceof Map ? [...value] : Object.entries(value);
  return new Map(parts.flatMap(([key, part]) => [...leavesOf(part, place === "" ? key : `${place}.${key}`)]));
}
