import { listCrews } from "../flow/list-crews.ts";
import { LiveServer } from "../servers/live-server.ts";
import { openServerApprovals } from "../servers/server-approvals.ts";
import type { Crew, McpServer } from "../vocabulary/crew.ts";
import { describeThrown } from "../vocabulary/errors.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { fine, note, type Observation, wrong } from "./observation.ts";

/** Starts each MCP server that is approved on this machine, and has it list its tools. No other server is started. */
export async function examineServers(
  crew: Crew,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Observation[]> {
  const servers = new Map<string, McpServer>(listCrews(crew).flatMap(([, { mcpServers }]) => [...mcpServers]));
  const used = new Set(listCrews(crew).flatMap(([, { agents }]) => [...agents.values()].flatMap(({ tools }) => tools)));
  const approvals = openServerApprovals(variables);
  const findings: Observation[] = [];
  for (const [name, definition] of servers) {
    const wanted = [...used].filter((tool) => tool.startsWith(`${name}__`));
    if (wanted.length === 0) findings.push(note("server", `MCP server '${name}' is declared, and no agent uses it`));
    else if (approvals.find(definition) === undefined)
      findings.push(
        note(
          "server",
          `MCP server '${name}' is not approved on this machine, and was not started`,
          "'baton run' at a terminal shows it and asks.",
        ),
      );
    else findings.push(await startOnce(name, definition, wanted, variables));
  }
  return findings;
}

async function startOnce(
  name: string,
  definition: McpServer,
  wanted: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Observation> {
  try {
    const server = await LiveServer.start(name, definition, { variables, signal: new AbortController().signal });
    const tools = server.toolNames();
    await server.close();
    const missing = wanted.filter((tool) => !tool.endsWith("__*") && !tools.includes(tool));
    if (missing.length === 0)
      return fine("server", `MCP server '${name}' starts, and has ${formatAmount(tools.length, "tool")}`);
    const remedy = `It has ${tools.join(", ") || "no tools"}. Correct the names in the agents' 'tools'.`;
    return wrong("server", `MCP server '${name}' starts, and does not have ${missing.join(", ")}`, remedy);
  } catch (error) {
    return wrong(
      "server",
      `MCP server '${name}': ${describeThrown(error)}`,
      "Run its command by hand, or correct it in 'mcp_servers'.",
    );
  }
}
