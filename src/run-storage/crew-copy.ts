import { createHash } from "node:crypto";
import type { Store } from "../journal/store.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { Crew } from "../vocabulary/crew.ts";

/** A crew as plain JSON, and what tells it from others. */
export interface CrewCopy {
  readonly value: unknown;
  readonly fingerprint: string;
}

export function copyCrew(crew: Crew): CrewCopy {
  const text = JSON.stringify(crew, convertMapToList);
  return { value: JSON.parse(text), fingerprint: createHash("sha256").update(text).digest("hex").slice(0, 16) };
}

/** The copy of a crew that is stored: secrets that stand in its files are not. */
export function copyCrewForStore(crew: Crew, redactor: Redactor): CrewCopy {
  const { value, fingerprint } = copyCrew(crew);
  return { value: crew.settings.redact ? redactor.redactValue(value) : value, fingerprint };
}

/** The crew of a fingerprint, as it was; undefined where no copy of it is kept. */
export async function readCrewCopy(
  store: Pick<Store, "get">,
  fingerprint: string | undefined,
): Promise<Crew | undefined> {
  const copy = fingerprint === undefined ? undefined : await store.get("crew", fingerprint);
  return copy && readCopy(copy.value);
}

function readCopy(value: unknown): Crew {
  // What was a crew when it was written is one when it is read.
  return JSON.parse(JSON.stringify(value), listToMap) as Crew;
}

/** What differs between two crews: places such as `agents.teacher.prompt`, each with what became of it. */
export function listChanges(before: Crew, after: Crew, redactor: Redactor): string[] {
  // Secrets are in no copy, so that another secret is no change that could be seen.
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

/** Every simple value by its place, as text. */
function listLeaves(value: unknown, place = ""): Map<string, string> {
  if (typeof value !== "object" || value === null) {
    return value === undefined ? new Map() : new Map([[place, JSON.stringify(value)]]);
  }
  const parts: [string, unknown][] = value instanceof Map ? [...value] : Object.entries(value);
  return new Map(parts.flatMap(([key, part]) => [...listLeaves(part, place === "" ? key : `${place}.${key}`)]));
}
