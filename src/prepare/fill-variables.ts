import { arch, release, type } from "node:os";
import { changeAgents, listAgents } from "../flow/list-crews.ts";
import type { Crew } from "../vocabulary/crew.ts";

const VARIABLE = /\{\{\s*([\w-]+)\s*\}\}/g;

/** Replaces `{{name}}` in the prompts of a crew's agents with the variables of a run. Other braces stay. */
export function fillVariables(crew: Crew, variables: Readonly<Record<string, string>>): Crew {
  const names = Object.keys(variables);
  if (names.length === 0) return crew;
  const fill = (text: string) =>
    text.replace(VARIABLE, (whole, name: string) => (Object.hasOwn(variables, name) ? (variables[name] ?? "") : whole));
  return changeAgents(crew, (agent) => ({ ...agent, prompt: fill(agent.prompt) }));
}

/** The names that stand as `{{name}}` in the prompts of a crew's agents. */
export function listVariables(crew: Crew): ReadonlySet<string> {
  const prompts = listAgents(crew).map(([, { prompt }]) => prompt);
  return new Set(prompts.flatMap((prompt) => [...prompt.matchAll(VARIABLE)].map(([, name = ""]) => name)));
}

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
