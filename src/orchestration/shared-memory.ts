import type { InnerTool } from "../session/session-tool.ts";
import type { Crew, SubCrew } from "../vocabulary/crew.ts";
import type { EventPlace } from "../vocabulary/events.ts";
import { addDecimals } from "./add-decimals.ts";
import type { CrewRun, Remembered, Within } from "./crew-run.ts";

/** What a sub-crew may use of the run's memory: what it is granted, of what its caller may use itself. */
export function grantsFor({ grants }: CrewRun, { sharedMemory }: SubCrew): NonNullable<Within["grants"]> {
  if (grants === undefined) return sharedMemory;
  return new Map(
    [...sharedMemory].flatMap(([key, access]) => {
      const own = grants.get(key);
      return own === undefined ? [] : [[key, own === "read" ? own : access] as const];
    }),
  );
}

/** What a crew sees of the run's memory, for its templates. */
export function visibleMemory(crewRun: CrewRun): Readonly<Record<string, unknown>> {
  return Object.fromEntries(visibleEntries(crewRun).map(([key, { value }]) => [key, value]));
}

function visibleEntries({ shared, grants }: CrewRun): (readonly [string, Remembered])[] {
  const all = [...(shared.memory ?? [])];
  return grants === undefined ? all : all.filter(([key]) => grants.has(key));
}

/** Tools for the memory that crews share; none for a crew that was granted nothing. */
export function memoryTools(crewRun: CrewRun): InnerTool[] {
  const { grants, crew } = crewRun;
  if (grants === undefined ? !sharesMemory(crew) : grants.size === 0) return [];
  const about =
    grants === undefined ? "" : ` You may use ${[...grants].map(([key, access]) => `${key} (${access})`).join(", ")}.`;
  return [
    setTool(crewRun, about),
    addTool(crewRun, about),
    appendTool(crewRun, about),
    getTool(crewRun, about),
    listTool(crewRun, about),
  ];
}

const sharing = new WeakMap<Crew, boolean>();

/** Whether a crew, or one below it, is granted a key. Found out once, since it is asked for every answer. */
function sharesMemory(crew: Crew): boolean {
  const known = sharing.get(crew);
  if (known !== undefined) return known;
  const below = [...crew.subCrews.values()];
  const shares = below.some(({ sharedMemory, crew: callee }) => sharedMemory.size > 0 || sharesMemory(callee));
  sharing.set(crew, shares);
  return shares;
}

const key = { type: "string", description: "The name it is stored under." };

type Args = Readonly<Record<string, unknown>>;
type Result = Awaited<ReturnType<InnerTool["run"]>>;
type Changed = { readonly value: unknown } | { readonly problem: string };

interface Writing {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  change(args: Args, before: Remembered | undefined, name: string): Changed;
}

/**
 * A tool that writes a key. It reads the old value and stores the new one in one go, so that crews that work at once lose
 * nothing of what the others wrote.
 */
function writingTool({ name, description, parameters, required, change }: Writing, crewRun: CrewRun): InnerTool {
  const { grants, shared, world } = crewRun;
  const write = (args: Args, place: EventPlace): Result => {
    const at = args["key"];
    if (typeof at !== "string" || at === "") return { problem: "'key' must be text" };
    if (grants !== undefined && grants.get(at) !== "write") return { problem: writeRefusal(at, crewRun) };
    const before = shared.memory?.get(at);
    const changed = change(args, before, at);
    if ("problem" in changed) return changed;
    const { value } = changed;
    const version = (before?.version ?? 0) + 1;
    shared.memory ??= new Map();
    shared.memory.set(at, { value, version });
    world.run.emit(place, "memory.set", { key: at, value, version });
    return { result: JSON.stringify({ key: at, version, ...(name === "memory__set" ? {} : { value }) }) };
  };
  return {
    kind: "inner",
    name,
    description,
    parameters: { type: "object", properties: { key, ...parameters }, required, additionalProperties: false },
    run: async (args, place) => write(args, place),
  };
}

/** Why a crew may not write a key, and which it may. */
function writeRefusal(at: string, { grants }: CrewRun): string {
  const writable = [...(grants ?? [])].flatMap(([each, access]) => (access === "write" ? [each] : []));
  const others = writable.length === 0 ? "it may set nothing" : `it may set ${writable.join(", ")}`;
  return `'${at}' may not be set by this crew; ${others}`;
}

function setTool(crewRun: CrewRun, about: string): InnerTool {
  return writingTool(
    {
      name: "memory__set",
      description: `Stores a value for the other crews of this run, in place of what was there.${about}`,
      parameters: {
        value: { description: "What to store." },
        if_version: {
          type: "integer",
          minimum: 0,
          description: "Stores it only if the key still has this version, as memory__get gave it; 0 if it must be new.",
        },
      },
      required: ["key", "value"],
      change({ value, if_version: wanted }, before, name) {
        if (value === undefined) return { problem: "'value' is missing" };
        if (wanted === undefined || wanted === null) return { value };
        if (typeof wanted !== "number" || !Number.isInteger(wanted) || wanted < 0)
          return { problem: "'if_version' must be a version that memory__get gave, or 0 for a key that must be new" };
        const version = before?.version ?? 0;
        return wanted === version ? { value } : { problem: staleWords(name, wanted, before) };
      },
    },
    crewRun,
  );
}

function staleWords(name: string, wanted: number, before: Remembered | undefined): string {
  const now = before === undefined ? "it was never stored (version 0)" : `it is ${describeRemembered(before)}`;
  return `'${name}' has another version than ${wanted}: ${now}. Take that into account and set it again`;
}

function addTool(crewRun: CrewRun, about: string): InnerTool {
  return writingTool(
    {
      name: "memory__add",
      description: `Adds to a stored number, which begins at 0, and gives the sum. Nothing that other crews add is lost.${about}`,
      parameters: { amount: { type: "number", description: "How much to add; less than 0 takes away." } },
      required: ["key", "amount"],
      change({ amount }, before, name) {
        if (typeof amount !== "number" || !Number.isFinite(amount)) return { problem: "'amount' must be a number" };
        const value = before === undefined ? 0 : before.value;
        if (typeof value !== "number")
          return {
            problem: `'${name}' is ${nameKind(value)}, not a number: it is ${describeRemembered(before)}. ${instead}`,
          };
        const sum = addDecimals(value, amount);
        return Number.isFinite(sum) ? { value: sum } : { problem: `'${name}' would be too large: it is ${value}` };
      },
    },
    crewRun,
  );
}

function appendTool(crewRun: CrewRun, about: string): InnerTool {
  return writingTool(
    {
      name: "memory__append",
      description: `Adds an item to the end of a stored list, which begins empty. Nothing that other crews append is lost.${about}`,
      parameters: { item: { description: "What to append." } },
      required: ["key", "item"],
      change({ item }, before, name) {
        if (item === undefined) return { problem: "'item' is missing" };
        const value = before === undefined ? [] : before.value;
        if (!Array.isArray(value))
          return {
            problem: `'${name}' is ${nameKind(value)}, not a list: it is ${describeRemembered(before)}. ${instead}`,
          };
        return { value: [...value, item] };
      },
    },
    crewRun,
  );
}

const instead = "Use another key, or replace it with memory__set";

function nameKind(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return { string: "a text", number: "a number", boolean: "true or false" }[typeof value as string] ?? typeof value;
}

/** How much of a value a message shows. */
const SHOWN_CHARS = 500;

function describeRemembered(remembered: Remembered | undefined): string {
  if (remembered === undefined) return "";
  const text = JSON.stringify(remembered.value) ?? "";
  const shown = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  return `${shown} at version ${remembered.version}`;
}

function getTool(crewRun: CrewRun, about: string): InnerTool {
  return {
    kind: "inner",
    name: "memory__get",
    description: `Gives a value that this crew or another of this run stored, and its version.${about}`,
    parameters: { type: "object", properties: { key }, required: ["key"], additionalProperties: false },
    run: async (args) => {
      const name = String(args["key"]);
      // What a crew was not granted does not exist for it.
      const found = visibleEntries(crewRun).find(([each]) => each === name);
      if (found === undefined) return { problem: `nothing is stored under '${name}'` };
      const [, { value, version }] = found;
      return { result: JSON.stringify({ value, version }) };
    },
  };
}

function listTool(crewRun: CrewRun, about: string): InnerTool {
  return {
    kind: "inner",
    name: "memory__list",
    description: `Lists the keys under which something is stored.${about}`,
    parameters: { type: "object", properties: {}, additionalProperties: false },
    run: async () => ({ result: JSON.stringify(visibleEntries(crewRun).map(([each]) => each)) }),
  };
}
