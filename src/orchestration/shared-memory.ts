import type { Crew, SubCrew } from "../crew.ts";
import type { EventPlace } from "../events.ts";
import type { InnerTool } from "../session/session-tool.ts";
import type { CrewRun, Within } from "./crew-run.ts";

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
export function visibleMemory({ shared, grants }: CrewRun): Readonly<Record<string, unknown>> {
  const all = [...(shared.memory ?? [])];
  return Object.fromEntries(grants === undefined ? all : all.filter(([key]) => grants.has(key)));
}

/** Tools for the memory that crews share; none for a crew that was granted nothing. */
export function memoryTools(crewRun: CrewRun): InnerTool[] {
  const { grants, crew } = crewRun;
  if (grants === undefined ? !sharesMemory(crew) : grants.size === 0) return [];
  const about =
    grants === undefined ? "" : ` You may use ${[...grants].map(([key, access]) => `${key} (${access})`).join(", ")}.`;
  return [setTool(crewRun, about), getTool(crewRun, about), listTool(crewRun, about)];
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

const key = { type: "string", description: "The name it is kept under." };

function setTool(crewRun: CrewRun, about: string): InnerTool {
  return {
    kind: "inner",
    name: "memory__set",
    description: `Keeps a value for the other crews of this run.${about}`,
    parameters: {
      type: "object",
      properties: { key, value: { description: "What to keep." } },
      required: ["key", "value"],
      additionalProperties: false,
    },
    run: async (args, place: EventPlace) => {
      const { grants, shared, world } = crewRun;
      const name = args["key"];
      if (typeof name !== "string" || name === "") return { problem: "'key' must be text" };
      if (args["value"] === undefined) return { problem: "'value' is missing" };
      if (grants !== undefined && grants.get(name) !== "write")
        return { problem: `'${name}' may not be set by this crew` };
      shared.memory ??= new Map();
      shared.memory.set(name, args["value"]);
      world.run.emit(place, "memory.set", { key: name, value: args["value"] });
      return { result: `kept '${name}'` };
    },
  };
}

function getTool(crewRun: CrewRun, about: string): InnerTool {
  return {
    kind: "inner",
    name: "memory__get",
    description: `Gives a value that was kept by this crew or another of this run.${about}`,
    parameters: { type: "object", properties: { key }, required: ["key"], additionalProperties: false },
    run: async (args) => {
      const visible = visibleMemory(crewRun);
      const name = String(args["key"]);
      // What a crew was not granted does not exist for it.
      if (!Object.hasOwn(visible, name)) return { problem: `nothing is kept under '${name}'` };
      const value = visible[name];
      return { result: typeof value === "string" ? value : (JSON.stringify(value) ?? "") };
    },
  };
}

function listTool(crewRun: CrewRun, about: string): InnerTool {
  return {
    kind: "inner",
    name: "memory__list",
    description: `Lists what is kept.${about}`,
    parameters: { type: "object", properties: {}, additionalProperties: false },
    run: async () => ({ result: JSON.stringify(Object.keys(visibleMemory(crewRun))) }),
  };
}
