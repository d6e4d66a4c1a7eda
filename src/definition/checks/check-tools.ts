import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { splitToolReference } from "../build-crew.ts";
import type { CrewParts } from "../crew-parts.ts";
import { placeOfValue } from "../locate.ts";
import { resolveInside } from "../read-text.ts";

/** Tools that agents name must be declared, and their modules must be there. Nothing is imported to find out. */
export function checkTools(parts: CrewParts): void {
  const { crewFile, directory, givenTools, placeOf, root } = parts;
  for (const [name, reference] of crewFile.keys.tools) {
    const found = findModule(splitToolReference(reference, name).file, crewFile.file, root);
    // A tool that is given takes the place of its module.
    const isGiven = "problem" in found && found.problem.code === "not-found" && givenTools.has(name);
    if ("problem" in found && !isGiven) {
      crewFile.reporter.report(
        found.problem.code,
        placeOf(["tools", name]),
        `tool '${name}': '${reference}' ${found.problem.message}`,
      );
    }
  }
  const known = new Set([...crewFile.keys.tools.keys(), ...givenTools]);
  for (const agent of directory.files.values()) {
    for (const [index, tool] of agent.keys.tools.entries()) {
      if (known.has(tool) || isServerTool(tool, parts)) continue;
      const place = placeOfValue(agent, ["tools", index]);
      const message = `unknown tool '${tool}': declare it under 'tools' in crew.yaml, or as <server>__<tool> of an MCP server`;
      crewFile.reporter.report("unknown-tool", place, message, { name: tool, among: known });
    }
  }
  checkServers(parts);
}

function findModule(file: string, crewFile: string, root: string): ReturnType<typeof resolveInside> {
  if (file === "") return { problem: { code: "not-found", message: "names no file: write ./module.ts#export" } };
  const found = resolveInside(resolve(dirname(crewFile), file), root);
  if ("problem" in found || statSync(found.path).isFile()) return found;
  return { problem: { code: "unreadable", message: "is not a file" } };
}

function isServerTool(tool: string, { crewFile, servers }: CrewParts): boolean {
  const names = [...crewFile.keys.mcp_servers.keys(), ...servers.keys()];
  return names.some((server) => tool.startsWith(`${server}__`));
}

function checkServers({ crewFile, placeOfKey }: CrewParts): void {
  for (const [name, { type, command, url }] of crewFile.keys.mcp_servers) {
    const isProcess = type === "stdio" || (type === undefined && command !== undefined);
    const wanted = isProcess ? "command" : "url";
    const other = isProcess ? "url" : "command";
    const given = { command, url };
    const report = (message: string) =>
      crewFile.reporter.report("missing-field", placeOfKey(["mcp_servers", name]), message);
    if (command === undefined && url === undefined) report(`MCP server '${name}' needs 'command' or 'url'`);
    else if (given[wanted] === undefined) report(`MCP server '${name}' of type ${type} needs '${wanted}'`);
    else if (given[other] !== undefined) report(`MCP server '${name}' has 'command' and 'url'; keep one of them`);
  }
}
