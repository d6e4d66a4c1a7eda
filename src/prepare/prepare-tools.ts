import { listCrews } from "../flow/list-crews.ts";
import type { World } from "../orchestration/crew-run.ts";
import { defineTool } from "../tools/define-tool.ts";
import { importTool } from "../tools/import-tool.ts";
import type { Tool } from "../tools/tool.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { refuseOutside } from "./check-paths.ts";

/** Imports the tools of agents before the run begins, because a run must not wait for the disk later. */
export async function prepareTools(
  crew: Crew,
  given: readonly Tool[],
  { root, variables }: { readonly root: string; readonly variables: Readonly<Record<string, string | undefined>> },
): Promise<World["tool"]> {
  refuseOutside(crew, root);
  const byCrew = new Map<Crew, ReadonlyMap<string, Tool>>();
  for (const [, each] of listCrews(crew))
    if (!byCrew.has(each)) byCrew.set(each, await collectTools(each, given, root, variables));
  return (name, of) => {
    const tool = byCrew.get(of)?.get(name);
    if (tool === undefined)
      throw new BatonError("unknown-tool", `tool '${name}' is not declared: add it to the crew's 'tools'`);
    return tool;
  };
}

/** If two tools had the same name, one would never be called. */
export function refuseNamesakes(given: readonly Tool[]): void {
  const byName = new Map<string, Tool>();
  for (const tool of given) {
    if ((byName.get(tool.name) ?? tool) !== tool)
      throw new BatonError("ambiguous-tool", `two tools are called '${tool.name}': give one of them another name`);
    byName.set(tool.name, tool);
  }
}

async function collectTools(
  crew: Crew,
  given: readonly Tool[],
  root: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlyMap<string, Tool>> {
  const tools = new Map(given.map((tool) => [tool.name, tool]));
  const needed = new Set([...crew.agents.values()].flatMap((agent) => agent.tools));
  for (const name of needed) {
    const module = crew.tools.get(name);
    if (!tools.has(name) && module !== undefined) tools.set(name, await importTool(name, module));
  }
  if (crew.toolSets !== undefined) {
    const absent = new Set([...needed].filter((name) => !tools.has(name)));
    const { prepareToolSets } = await import("./prepare-tool-sets.ts");
    for (const tool of await prepareToolSets(crew, absent, root, variables)) tools.set(tool.name, tool);
  }
  for (const name of crew.stubTools ?? []) if (!tools.has(name)) tools.set(name, createStubTool(name));
  return tools;
}

/** Creates a tool that stands in for one that is declared nowhere. It takes anything, does nothing, and says so. */
function createStubTool(name: string): Tool {
  return defineTool({
    name,
    description: `A stub for '${name}', which is not there. Calling it does nothing.`,
    effect: "read",
    execute: () => `This is a stub: the tool '${name}' is not there, so nothing was done and nothing is known.`,
  });
}
