import { createHash } from "node:crypto";
import type { Store } from "../journal/store.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { Crew } from "../vocabulary/crew.ts";

/** A crew as plain JSON, with a fingerprint that identifies it. */
export interface CrewCopy {
  readonly value: unknown;
  readonly fingerprint: string;
}

export function copyCrew(crew: Crew): CrewCopy {
  const text = JSON.stringify(crew, convertMapToList);
  return { value: JSON.parse(text), fingerprint: createHash("sha256").update(text).digest("hex").slice(0, 16) };
}

/** The copy of a crew that the store gets. Secrets in its files are redacted. */
export function copyCrewForStore(crew: Crew, redactor: Redactor): CrewCopy {
  const { value, fingerprint } = copyCrew(crew);
  return { value: crew.settings.redact ? redactor.redactValue(value) : value, fingerprint };
}

/** Reads the stored crew with a fingerprint; undefined if the store has none. */
export async function readCrewCopy(
  store: Pick<Store, "get">,
  fingerprint: string | undefined,
): Promise<Crew | undefined> {
  const copy = fingerprint === undefined ? undefined : await store.get("crew", fingerprint);
  return copy && readCopy(copy.value);
}

function readCopy(value: unknown): Crew {
  // The store contains only what `copyCrew` wrote, so the result is a crew.
  return JSON.parse(JSON.stringify(value), listToMap) as Crew;
}

/** Lists the differences between two crews: places such as `agents.teacher.prompt`, each with its change. */
export function listChanges(before: Crew, after: Crew, redactor: Redactor): string[] {
  // Copies contain no secrets, so a change of a secret is not visible.
  const [old, now] = [before, after].map((crew) => listLeaves(readCopy(copyCrewForStore(crew, redactor).value)));
  if (old === undefined || now === undefined) return [];
  const places = new Set([...old.keys(), ...now.keys()]);
  return [...places].flatMap((place) => {
    const [was, is] = [old.get(place), now.get(place)];
    if (was === is) return [];
    if (was === undefined) return [`${place} is new`];
    return is === undefined ? [`${place} is gone`] : [`${place} has changed`];
  });
}

const MAP = "$map";

function convertMapToList(_: string, value: unknown): unknown {
  return value instanceof Map ? { [MAP]: [...value] } : value;
}

function listToMap(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !(MAP in value)) return value;
  return new Map(value[MAP] as [string, unknown][]);
}

/** Lists every simple value as text, by its place. */
function listLeaves(value: unknown, place = ""): Map<string, string> {
  if (typeof value !== "object" || value === null) {
    return value === undefined ? new Map() : new Map([[place, JSON.stringify(value)]]);
  }
  const parts: [string, unknown][] = value instanceof Map ? [...value] : Object.entries(value);
  return new Map(parts.flatMap(([key, part]) => [...listLeaves(part, place === "" ? key : `${place}.${key}`)]));
}
