import { listSetTools } from "../../vocabulary/tool-set.ts";
import type { CrewParts } from "../crew-parts.ts";
import { placeOfValue } from "../locate.ts";
import { knownTools, listUnknownTools, type UnknownTool } from "../unknown-tools.ts";

/** Tools that are declared nowhere: each is an error. Another system keeps its tools in its own code: they are told together. */
export function checkUnknownTools(parts: CrewParts): void {
  const unknown = listUnknownTools(parts);
  const [first] = unknown;
  if (first === undefined) return;
  if (parts.stubTools) {
    const message = `stubs answer for tools that are declared nowhere: ${listNames(unknown)}`;
    parts.crewFile.reporter.report("stub-tool", placeOf(first), message);
    return;
  }
  for (const [origin, tools] of Map.groupBy(unknown, ({ agent }) => agent.origin)) {
    const [one = first] = tools;
    if (origin === undefined) reportEach(tools, parts);
    else {
      const { code, explain } = origin.absentTools;
      parts.crewFile.reporter.report(code, placeOf(one), explain(listNames(tools)));
    }
  }
}

function reportEach(tools: readonly UnknownTool[], parts: CrewParts): void {
  const known = knownTools(parts);
  for (const each of tools) {
    const { tool } = each;
    const message = `unknown tool '${tool}': ${advise(tool, parts)}`;
    parts.crewFile.reporter.report("unknown-tool", placeOf(each), message, { name: tool, among: known });
  }
}

/** What to do about a tool that is declared nowhere. */
function advise(tool: string, { toolSets }: CrewParts): string {
  const [name = "", set] = [...toolSets].find(([each]) => tool.startsWith(`${each}__`)) ?? [];
  if (set === undefined) return "add it to the crew's 'tools', or write <server>__<tool> for a tool of an MCP server";
  const isWrite = set.type === "files" && !set.canWrite && /__(?:write|edit)$/.test(tool);
  return isWrite
    ? `set 'write: true' under '${name}' to let files be written`
    : `'${name}' has ${listSetTools(set).join(", ")}`;
}

function placeOf({ agent, index }: UnknownTool) {
  return placeOfValue(agent, ["tools", index]);
}

function listNames(tools: readonly UnknownTool[]): string {
  return [...new Set(tools.map(({ tool }) => `'${tool}'`))].join(", ");
}
