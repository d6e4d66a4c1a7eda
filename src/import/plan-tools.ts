import type { CrewParts } from "../definition/crew-parts.ts";
import { placeOfValue } from "../definition/locate.ts";
import { findProductTools } from "../definition/origins/product-tools.ts";
import { listUnknownTools, type UnknownTool } from "../definition/unknown-tools.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import type { Notes, PlainMap, PlannedStub } from "./crew-plan.ts";
import type { AgentChoices } from "./plan-agent.ts";
import { createSets, type PlannedSets, setProposals } from "./plan-tool-sets.ts";

/** The tools of a crew's agents, and what has to be declared for them. */
export interface PlannedTools {
  /** Stubs of tools that live in code. */
  readonly stubs: readonly PlannedStub[];
  /** Sets of Baton's own tools. */
  readonly sets: PlainMap;
  choicesOf(agent: string): AgentChoices;
}

/** Decides what becomes of the tools that agents name, and says what a person has to do about them. */
export function planTools(crew: Crew, parts: CrewParts, notes: Notes): PlannedTools {
  const unknown = listUnknownTools(parts);
  const ofProducts = unknown.filter(({ agent }) => agent.origin?.absentTools.code === "absent-tool");
  const others = unknown.filter((each) => !ofProducts.includes(each));
  const callers = new Map(
    ofProducts.filter(({ tool }) => callsAgents(tool)).map((each) => [each.agent.id, each] as const),
  );
  const sets = createSets((name) => parts.servers.has(name) || crew.tools.has(name));
  const own = new Map(
    ofProducts.flatMap((each) => {
      const found = findProductTools(each.tool);
      const names = found && sets.use(found.kind, found.tools);
      return names === undefined ? [] : [[each, names] as const];
    }),
  );
  const absent = ofProducts.filter((each) => !callsAgents(each.tool) && !own.has(each));
  const served = others.filter(({ tool }) => tool.endsWith("*"));
  const inCode = others.filter(({ tool }) => !tool.endsWith("*"));
  noteSets(own, sets, notes);
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
    sets: sets.list(),
    choicesOf: (id) => {
      const gone = new Set([...ofProducts, ...served].flatMap((each) => (each.agent.id === id ? each.tool : [])));
      const added = [...own].flatMap(([{ agent }, names]) => (agent.id === id ? names : []));
      const caller = callers.get(id);
      return {
        tools: [...new Set([...(crew.agents.get(id)?.tools ?? []).filter((tool) => !gone.has(tool)), ...added])],
        calls: caller === undefined ? [] : calledBy(caller, crew, new Set(callers.keys())),
      };
    },
  };
}

/** Says which tools of a product are Baton's own here. */
function noteSets(own: ReadonlyMap<UnknownTool, readonly string[]>, sets: PlannedSets, notes: Notes): void {
  const said = sets.describe();
  for (const [each, names] of own) {
    const is = `${names.map((name) => `\`${name}\``).join(", ")} in agents/${each.agent.id}.md`;
    notes.mapped.push({ ...placeOfTool(each), was: `tool ${each.tool}`, is });
  }
  const [first] = own.keys();
  if (first !== undefined && said !== undefined) notes.decisions.push({ ...placeOfTool(first), ...said });
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

/** Tools of a product that nothing here stands for by itself: one decision for each kind. */
function noteAbsent(absent: readonly UnknownTool[], notes: Notes): void {
  for (const [kind, tools] of Map.groupBy(absent, ({ tool }) => findProductTools(tool)?.kind ?? "other")) {
    const [first] = tools;
    if (first === undefined) continue;
    const count = new Set(tools.map(({ agent }) => agent.id)).size;
    const agents = `${formatAmount(count, "agent")} ${count === 1 ? "goes" : "go"}`;
    const product = first.agent.origin?.name ?? "the product";
    const what = `tools of ${product} are not there, and ${agents} without them: ${nameTools(tools)}`;
    const proposal =
      setProposals[kind] ??
      "declare an MCP server that has them under `mcp_servers` in crew.yaml, or a tool of your own under `tools`, and name it under `tools` of the agents that need it";
    notes.decisions.push({ ...placeOfTool(first), what, proposal });
  }
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
