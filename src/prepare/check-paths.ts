import { isAbsolute } from "node:path";
import { resolveInside } from "../definition/read-text.ts";
import { listAgents, listCrews } from "../flow/list-crews.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { listModuleChecks } from "../vocabulary/guard.ts";
import { findSetPath } from "../vocabulary/tool-set.ts";

/**
 * Refuses a crew that would import, read or start something outside the project. Loading checks files, but a stored copy of a crew is
 * data that anybody may have written.
 */
export function refuseOutside(crew: Crew, root: string): void {
  const tools = listCrews(crew).flatMap(([, { tools }]) =>
    [...tools].map(([name, { file }]) => [`tool '${name}'`, file] as const),
  );
  const functions = listAgents(crew).flatMap(([name, { function: own }]) =>
    own?.module === undefined ? [] : [[`the function of agent '${name}'`, own.module.file] as const],
  );
  const guards = listCrews(crew).flatMap(([, { agents, guards: own }]) =>
    listModuleChecks([own, ...[...agents.values()].map((agent) => agent.guards)]).flatMap(
      ({ id, function: { module } }) => [[`the guard '${id}'`, module.file] as const],
    ),
  );
  const scripts = listAgents(crew).flatMap(([name, { models }]) =>
    models.flatMap(({ file }) => (file === undefined ? [] : [[`the model of agent '${name}'`, file] as const])),
  );
  const servers = listCrews(crew).flatMap(([, { mcpServers }]) =>
    [...mcpServers].flatMap(([name, server]) =>
      server.type === "stdio" && server.cwd !== undefined
        ? [[`the folder of MCP server '${name}'`, server.cwd] as const]
        : [],
    ),
  );
  const sets = listCrews(crew).flatMap(([, { toolSets }]) =>
    [...(toolSets ?? [])].flatMap(([name, set]) => {
      const path = findSetPath(set);
      return path === undefined ? [] : [[`the folder or file of tools '${name}'`, path] as const];
    }),
  );
  for (const [what, file] of [...tools, ...functions, ...guards, ...scripts, ...servers, ...sets]) {
    const found = resolveInside(file, root);
    const isOutside = "problem" in found && found.problem.code === "outside-root";
    if (!isOutside && isAbsolute(file)) continue;
    throw new BatonError(
      "outside-root",
      `${what} is ${file}, which is outside the project root ${root}: give --root, or put it inside`,
    );
  }
}
