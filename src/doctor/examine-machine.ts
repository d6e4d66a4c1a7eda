import { statfsSync } from "node:fs";
import { version } from "../vocabulary/version.ts";
import { fine, note, type Observation, wrong } from "./observation.ts";

/** Node, this package and the clock. */
export function examineMachine(variables: Readonly<Record<string, string | undefined>>, now: number): Observation[] {
  return [examineNode(variables), fine("baton", `${version}; runs crews of version 1.0 and 2.0`), examineClock(now)];
}

function examineNode(variables: Readonly<Record<string, string | undefined>>): Observation {
  // A Node that is too old never comes here: bin/baton.js refuses it.
  const flags = [...process.execArgv, ...(variables["NODE_OPTIONS"] ?? "").split(/\s+/)].filter(Boolean);
  const started = flags.length === 0 ? "" : `, started with ${flags.join(" ")}`;
  const text = `${process.version} on ${process.platform} ${process.arch}${started}`;
  if (flags.some((flag) => /^--(?:permission|experimental-permission)$/.test(flag)))
    return note(
      "node",
      text,
      "Under --permission, runs need --allow-fs-write for the store and --allow-child-process for servers.",
    );
  return fine("node", text);
}

const FIRST_RELEASE = Date.UTC(2026, 0, 1);

/** Deadlines, leases and tokens depend on the clock. */
function examineClock(now: number): Observation {
  const text = `${new Date(now).toISOString().replace(/\.\d+Z$/, "Z")}, time zone ${Intl.DateTimeFormat().resolvedOptions().timeZone}`;
  if (now < FIRST_RELEASE)
    return wrong("clock", text, "The clock is years behind: providers will refuse the connection. Set it.");
  return fine("clock", text);
}

const LEAST_BYTES = 100 * 1024 * 1024;

/** Free space where the store is. */
export function examineDisk(folder: string): Observation {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const text =
    free >= 1024 ** 3 ? `${Math.floor(free / 1024 ** 3)} GB free` : `${Math.floor(free / 1024 ** 2)} MB free`;
  if (free < LEAST_BYTES)
    return wrong(
      "disk",
      `${text} at ${folder}`,
      "Runs stop when the disk is full. Delete old runs with 'baton store prune', or make room.",
    );
  return fine("disk", text);
}
