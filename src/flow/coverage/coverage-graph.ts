import type { Crew } from "../../vocabulary/crew.ts";
import type { CrewGraph, GraphEdge, GraphNode } from "../crew-graph.ts";
import { type Ability, type CoverageItem, nameAbility } from "./coverage-item.ts";

/** A crew's items, and the names of those that scenarios show. */
export interface CrewCovered {
  readonly items: readonly CoverageItem[];
  readonly covered: ReadonlySet<string>;
}

/** Adds to a crew's graph what scenarios show of it: each arrow that is covered or missing, and what else is missing in each box. */
export function addCoverage(graph: CrewGraph, crew: Crew, findCovered: (crew: Crew) => CrewCovered): CrewGraph {
  return addOnce(graph, crew, findCovered, new Map());
}

/** A crew that several others call is one object in the graph, before and after. */
function addOnce(
  graph: CrewGraph,
  crew: Crew,
  findCovered: (crew: Crew) => CrewCovered,
  done: Map<CrewGraph, CrewGraph>,
): CrewGraph {
  const known = done.get(graph);
  if (known !== undefined) return known;
  const { items, covered } = findCovered(crew);
  const listed = new Set(items.map(({ name }) => name));
  const byEdge = new Map(graph.edges.map((edge) => [edge, findNames(edge).filter((name) => listed.has(name))]));
  const drawn = new Set([...byEdge.values()].flat());
  const others = items.filter(({ name }) => !drawn.has(name));
  const edges = graph.edges.map((edge): GraphEdge => {
    const names = byEdge.get(edge) ?? [];
    return names.length === 0 ? edge : { ...edge, isCovered: names.every((name) => covered.has(name)) };
  });
  const entry = graph.nodes.find(({ isEntry }) => isEntry)?.name ?? graph.nodes[0]?.name;
  const nodes = graph.nodes.map((node): GraphNode => {
    const own = others.filter((item) => findNode(item.ability, graph, entry) === node.name);
    if (own.length === 0) return node;
    const missing = own.flatMap(({ name, ability }) => (covered.has(name) ? [] : [describe(ability, node.name)]));
    return { ...node, missing };
  });
  const crews = [...graph.crews].map(([name, sub]): [string, CrewGraph] => {
    const callee = crew.subCrews.get(name)?.crew;
    return [name, callee === undefined ? sub : addOnce(sub, callee, findCovered, done)];
  });
  const added = { ...graph, nodes, edges, crews: new Map(crews) };
  done.set(graph, added);
  return added;
}

/** The items that an arrow stands for, by the words on it. */
function findNames({ from, to, toKind, labels }: GraphEdge): string[] {
  const abilities = labels.flatMap((label): Ability[] => {
    const signal = /^\[.*\](?=$|, result to | failed$)/.exec(label)?.[0];
    if (signal !== undefined && label.endsWith(" failed"))
      return [{ kind: "policy", agent: from, signal, policy: "fallback" }];
    if (signal !== undefined) return [{ kind: "binding", agent: from, signal }];
    switch (label) {
      case "router":
      case "transfer":
      case "handoff":
        return [{ kind: label, agent: from, to }];
      case "asks":
        return [{ kind: "sub-agent", agent: from, to }];
      case "delegates":
        return [{ kind: "delegate", agent: from, to }];
      case "advised by":
        return [{ kind: "advisor", agent: from, to }];
      case "may compose":
        return [{ kind: "compose", agent: from }];
      case "no signal":
        return [{ kind: "fallback", agent: from }];
      case "then":
        return [{ kind: "group", group: from, outcome: "joined" }];
      default:
        return [];
    }
  });
  const called: Ability[] = toKind === "crew" ? [{ kind: "sub-crew", crew: to }] : [];
  return [...abilities, ...called].map(nameAbility);
}

/** The box that an item belongs to. What is the whole crew's stands where it begins. */
function findNode(ability: Ability, { nodes }: CrewGraph, entry: string | undefined): string | undefined {
  const name = "group" in ability ? ability.group : "agent" in ability ? ability.agent : readOwner(ability);
  return nodes.some((node) => node.name === name) ? name : entry;
}

function readOwner(ability: Ability): string | undefined {
  if (ability.kind !== "limit" || ability.of === undefined) return undefined;
  return ability.of.replace(/^group /, "").replace(/ \[.*\]$/, "");
}

/** The name of an item without the name of the box that it is noted in. */
function describe(ability: Ability, node: string): string {
  const name = nameAbility(ability);
  const [kind = "", rest = ""] = splitOnce(name, " ");
  const isOwn = rest.startsWith(`${node}: `) || rest.startsWith(`${node} `);
  return isOwn ? `${kind} ${rest.slice(node.length).replace(/^[: ]+/, "")}` : name;
}

function splitOnce(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return [text.slice(0, index), text.slice(index + at.length)];
}
