import { listOperations } from "../definition/list-operations.ts";
import type { Tool } from "../tools/tool.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError, describeThrown } from "../vocabulary/errors.ts";
import { findSetTool, isTodoTool, type ToolSet } from "../vocabulary/tool-set.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Makes the tools of a crew's sets that its agents name. Nothing of them is imported for a crew without any. */
export async function prepareToolSets(
  crew: Crew,
  needed: ReadonlySet<string>,
  root: string,
  variables: Variables,
): Promise<Tool[]> {
  const tools: Tool[] = [];
  const apis = new Map<ToolSet, ReadonlyMap<string, Tool>>();
  for (const name of needed) {
    const found = findSetTool(crew.toolSets, name);
    if (found === undefined || isTodoTool(crew.toolSets, name)) continue;
    const { set, tool } = found;
    if (set.type === "openapi") {
      const api = apis.get(set) ?? (await readApi(name.slice(0, -tool.length - 2), set, root, variables));
      apis.set(set, api);
      const made = api.get(tool);
      if (made !== undefined) tools.push(made);
    } else tools.push(await createTool(name, tool, set, variables));
  }
  return tools;
}

async function createTool(
  name: string,
  tool: string,
  set: Exclude<ToolSet, { readonly type: "openapi" }>,
  variables: Variables,
): Promise<Tool> {
  switch (set.type) {
    case "files": {
      const { fileTools } = await import("../tools/builtin/file-tools.ts");
      const create = fileTools[tool];
      if (create === undefined) throw new Error(`there is no tool '${tool}' for files`);
      return create(name, set);
    }
    case "shell":
      return (await import("../tools/builtin/shell-tool.ts")).createShellTool(name, set, variables);
    case "web":
      return (await import("../tools/builtin/web-tool.ts")).createWebTool(name, set);
    case "todo":
      throw new Error("the plan is part of the run itself");
  }
}

async function readApi(
  prefix: string,
  set: Extract<ToolSet, { readonly type: "openapi" }>,
  root: string,
  variables: Variables,
): Promise<ReadonlyMap<string, Tool>> {
  const found = listOperations(set.file, root);
  if ("problem" in found) throw new BatonError("tool-import-failed", `${set.file} ${found.problem.message}`);
  const { createApiTools } = await import("../tools/builtin/api-tools.ts");
  return createApiTools(prefix, set, found.document, variables).catch((cause: unknown) => {
    throw new BatonError("tool-import-failed", `tools '${prefix}': ${describeThrown(cause)}`, { cause });
  });
}
