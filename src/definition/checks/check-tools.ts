import { dirname, resolve } from "node:path";
import type { AgentFile } from "../agent-file.ts";
import { listToolModules } from "../build-tool-sets.ts";
import type { Reference } from "../collect-references.ts";
import type { CrewParts } from "../crew-parts.ts";
import { placeOfValue } from "../locate.ts";
import { findFolderProblem } from "../read-text.ts";
import { findModuleProblem, noModule, splitToolReference } from "../tool-reference.ts";
import { checkToolSets } from "./check-tool-sets.ts";
import { checkUnknownTools } from "./check-unknown-tools.ts";

/** Tools that agents name must be declared, and their modules must be there. Nothing is imported to find out. */
export function checkTools(parts: CrewParts): void {
  const { crewFile, directory, givenTools, placeOf, root } = parts;
  for (const [name, reference] of listToolModules(crewFile)) {
    const { file } = splitToolReference(reference, name);
    const problem = file === "" ? noModule : findModuleProblem(resolve(dirname(crewFile.file), file), root);
    // A tool that is given takes the place of its module.
    const isGiven = problem?.code === "not-found" && givenTools.has(name);
    if (problem === undefined || isGiven) continue;
    const message = `tool '${name}': '${reference}' ${problem.message}`;
    crewFile.reporter.report(problem.code, placeOf(["tools", name]), message);
  }
  for (const agent of directory.files.values()) checkNames(agent, parts);
  checkToolSets(parts);
  checkUnknownTools(parts);
  checkServers(parts);
}

/** To a model two tools of one name are none: providers refuse them. */
function checkNames(agent: AgentFile, parts: CrewParts): void {
  if (agent.keys.tools.length === 0) return;
  const brought = broughtTo(agent, parts);
  const seen = new Set<string>();
  for (const [index, tool] of agent.keys.tools.entries()) {
    const message = seen.has(tool)
      ? `'${tool}' is in 'tools' twice`
      : `agent '${agent.id}' has a tool '${tool}' of its own: call yours something else`;
    if (seen.has(tool) || brought.has(tool))
      parts.crewFile.reporter.report("duplicate-id", placeOfValue(agent, ["tools", index]), message);
    seen.add(tool);
  }
}

/** The names of the tools that an agent has by what it is. */
function broughtTo(agent: AgentFile, { crewFile, resolve }: CrewParts): ReadonlySet<string> {
  const { agents, advisors, router, delegate, compose } = agent.keys;
  const listIds = (wanted: Reference["kind"]) =>
    agent.references.flatMap(({ kind, name }) => (kind === wanted ? (resolve(agent, kind, name) ?? []) : []));
  return new Set([
    ...[
      "final_report",
      "agent__final_report",
      "team__broadcast",
      "memory__set",
      "memory__add",
      "memory__append",
      "memory__get",
      "memory__list",
    ],
    ...listIds("agents").map((id) => `agent__${id}`),
    ...(agents.length + advisors.length > 0 ? ["agent__ask_clarification", "agent__dismiss"] : []),
    ...(router === undefined ? [] : ["handoff-to"]),
    ...listIds("collaborations").map((id) => `transfer_to_${id}`),
    ...(delegate.length > 0 ? ["crew__delegate"] : []),
    ...(compose ? ["crew__compose"] : []),
    ...(agent.keys.memory === undefined && crewFile.keys.memory === undefined ? [] : ["remember", "recall", "forget"]),
    ...((crewFile.keys.settings?.emit ?? "text") === "text" ? [] : ["signal"]),
  ]);
}

function checkServers({ crewFile, root, placeOf, placeOfKey }: CrewParts): void {
  for (const [name, { type, command, url, cwd }] of crewFile.keys.mcp_servers) {
    const problem = cwd === undefined ? undefined : findFolderProblem(resolve(crewFile.folder, cwd), root);
    if (problem !== undefined) {
      const message = `'cwd' of MCP server '${name}', ${cwd}, ${problem.message}`;
      crewFile.reporter.report(problem.code, placeOf(["mcp_servers", name, "cwd"]), message);
    }
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
