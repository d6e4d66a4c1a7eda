import type { CrewParts } from "../definition/crew-parts.ts";
import { placeOfValue } from "../definition/locate.ts";
import { listUnknownTools, type UnknownTool } from "../definition/unknown-tools.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import type { Notes, PlannedStub } from "./crew-plan.ts";
import type { AgentChoices } from "./plan-agent.ts";

/** The tools of a crew's agents, and stubs for those that live in code. */
export interface PlannedTools {
  readonly stubs: readonly PlannedStub[];
  choicesOf(agent: string): AgentChoices;
}

/** Decides what becomes of the tools that agents name, and says what a person has to do about them. */
export function planTools(crew: Crew, parts: CrewParts, notes: Notes): PlannedTools {
  const unknown = listUnknownTools(parts);
  const isProducts = ({ agent }: UnknownTool) => agent.origin?.absentTools.code === "absent-tool";
  const callers = new Map(
    unknown.filter((each) => isProducts(each) && callsAgents(each.tool)).map((each) => [each.agent.id, each] as const),
  );
  const absent = unknown.filter((each) => isProducts(each) && !callsAgents(each.tool));
  const served = unknown.filter((each) => !isProducts(each) && each.tool.endsWith("*"));
  const inCode = unknown.filter((each) => !isProducts(each) && !each.tool.endsWith("*"));
  noteAbsent(absent, notes);
  noteServed(served, notes);
  noteInCode(inCode, notes);
  for (const each of callers.values())
    notes.mapped.push({
      ...placeOfTool(each),
      was: `tool ${each.tool}`,
      is: `\`agents\` in agents/${each.agent.id}.md`,
    });
  return {
    stubs: [...new Set(inCode.map(({ tool }) => tool))].map((name) => ({ name })),
    choicesOf: (id) => {
      const gone = new Set(
        [...callers.values(), ...absent, ...served].flatMap((each) => (each.agent.id === id ? each.tool : [])),
      );
      const caller = callers.get(id);
      return {
        tools: (crew.agents.get(id)?.tools ?? []).filter((tool) => !gone.has(tool)),
        calls: caller === undefined ? [] : calledBy(caller, crew, new Set(callers.keys())),
      };
    },
  };
}

function callsAgents(tool: string): boolean {
  return /^(?:task|agent)(?:\(|$)/i.test(tool);
}

/** The agents that a `Task` may call: those in its parentheses, else all that call nobody themselves, so that no two call each other. */
function calledBy({ tool, agent }: UnknownTool, crew: Crew, callers: ReadonlySet<string>): string[] {
  const named =
    /\(([^()]*)\)/
      .exec(tool)?.[1]
      ?.split(",")
      .map((name) => name.trim()) ?? [];
  return [...crew.agents.values()].flatMap(({ id, description }) => {
    const isMeant = named.length === 0 || named.includes(id) || named.includes("*");
    return isMeant && id !== agent.id && !callers.has(id) && description !== undefined ? id : [];
  });
}

function noteAbsent(absent: readonly UnknownTool[], notes: Notes): void {
  const [first] = absent;
  if (first === undefined) return;
  const count = new Set(absent.map(({ agent }) => agent.id)).size;
  const agents = `${formatAmount(count, "agent")} ${count === 1 ? "goes" : "go"}`;
  const product = first.agent.origin?.name ?? "the product";
  notes.decisions.push({
    ...placeOfTool(first),
    what: `tools of ${product} are not there, and ${agents} without them: ${nameTools(absent)}`,
    proposal:
      'declare an MCP server that has them under `mcp_servers` in crew.yaml, such as `files: { command: npx, args: [-y, "@modelcontextprotocol/server-filesystem", .] }`, and give the agents `tools: [files__*]`; the lines below say which agent had which',
  });
}

function noteServed(served: readonly UnknownTool[], notes: Notes): void {
  for (const each of uniqueTools(served)) {
    const server = each.tool.split("__")[0];
    const what = `the MCP server of '${each.tool}' is declared nowhere, and its agents go without it`;
    const proposal = `declare '${server}' under \`mcp_servers\` in crew.yaml, and name ${each.tool} under \`tools\``;
    notes.decisions.push({ ...placeOfTool(each), what, proposal });
  }
}

function noteInCode(inCode: readonly UnknownTool[], notes: Notes): void {
  const [first] = inCode;
  if (first === undefined) return;
  const isServer = first.agent.origin?.name === "ai-agent";
  const proposal = isServer
    ? "declare each MCP server under `mcp_servers` in crew.yaml, and write <server>__* for it under `tools` of its agents; then delete its stub"
    : "write what each does in tools.ts";
  const what = `these tools are declared nowhere, and stubs in tools.ts stand in for them: ${nameTools(inCode)}`;
  notes.decisions.push({ ...placeOfTool(first), what, proposal });
}

function nameTools(tools: readonly UnknownTool[]): string {
  return uniqueTools(tools)
    .map(({ tool }) => `\`${tool}\``)
    .join(", ");
}

function uniqueTools(tools: readonly UnknownTool[]): UnknownTool[] {
  return [...new Map(tools.toReversed().map((each) => [each.tool, each])).values()].reverse();
}

function placeOfTool({ agent, index }: UnknownTool): { file: string; line: number } {
  const { span } = placeOfValue(agent, ["tools", index]);
  return { file: agent.file, line: agent.source.position(span?.start ?? 0).line };
}
