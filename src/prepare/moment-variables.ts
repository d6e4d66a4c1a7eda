import { arch, release, type } from "node:os";
import { listAgents } from "../flow/list-crews.ts";
import type { Crew } from "../vocabulary/crew.ts";

/** What `{{DATETIME}}` and its like stand for in the prompts of a crew; only those that a prompt has. */
export function momentVariables(crew: Crew, now: number): Readonly<Record<string, string>> {
  const wanted = new Set(
    listAgents(crew).flatMap(([, { prompt }]) =>
      [...prompt.matchAll(/\{\{\s*([A-Z]+)\s*\}\}/g)].map(([, name = ""]) => name),
    ),
  );
  if (wanted.size === 0) return {};
  const date = new Date(now);
  const say = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("en-CA", options).format(date);
  const zone = new Intl.DateTimeFormat("en-CA").resolvedOptions().timeZone;
  const known: Readonly<Record<string, () => string>> = {
    DATETIME: () => date.toISOString(),
    TIMESTAMP: () => String(Math.floor(now / 1000)),
    DATE: () => say({ year: "numeric", month: "2-digit", day: "2-digit" }),
    TIME: () => say({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    DAY: () => say({ weekday: "long" }),
    TIMEZONE: () => zone,
    OS: () => type(),
    ARCH: () => arch(),
    KERNEL: () => release(),
  };
  return Object.fromEntries(
    [...wanted].flatMap((name) => (Object.hasOwn(known, name) ? [[name, known[name]?.() ?? ""]] : [])),
  );
}
