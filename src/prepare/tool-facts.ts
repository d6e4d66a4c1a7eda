import { joinPlace, listCrews } from "../flow/list-crews.ts";
import type { World } from "../orchestration/crew-run.ts";
import { hashDefinition } from "../servers/server-approvals.ts";
import { createAbsentTool } from "../tools/create-absent-tool.ts";
import { isServerPattern, matchServerPattern } from "../tools/server-pattern.ts";
import type { Tool } from "../tools/tool.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { ToolFacts } from "../vocabulary/messages.ts";
import type { Start } from "../vocabulary/run-start.ts";
import { isTodoTool } from "../vocabulary/tool-set.ts";

type Facts = NonNullable<Start["tools"]>;
type ServerTools = World["serverTools"];

/**
 * Collects what a run depends on in its tools. It is stored with the run, because the copy of a crew does not contain the code
 * of tools.
 */
export function collectToolFacts(crew: Crew, toolOf: World["tool"], serverTools: ServerTools): Pick<Start, "tools"> {
  const facts = listNamedTools(crew, serverTools).map(
    ([key, name, from]) => [key, describeTool(toolOf(name, from))] as const,
  );
  return facts.length === 0 ? {} : { tools: Object.fromEntries(facts) };
}

/** Describes what has changed in the tools since a run began. */
export function listToolChanges(before: Facts, crew: Crew, toolOf: World["tool"]): string[] {
  return listNamedTools(crew, createRecordedServerTools(crew, before)).flatMap(([key, name, from]) => {
    const was = Object.hasOwn(before, key) ? before[key] : undefined;
    // A crew that names another tool now has changed its files, which is reported elsewhere.
    return was === undefined
      ? []
      : listDifferences(was, describeTool(toolOf(name, from))).map((what) => `tool '${key}' ${what}`);
  });
}

/**
 * Creates tools from the journal, for runs that call nothing, so no module is imported. Journals of earlier versions contain
 * fewer facts.
 */
export function createRecordedTools(crew: Crew, facts: Facts = {}, events: readonly BatonEvent[]): World["tool"] {
  const places = new Map(listCrews(crew).map(([place, each]) => [each, place]));
  const approved = new Set(events.flatMap(({ type, data }) => (type === "run.paused" ? (data.tool ?? []) : [])));
  return (name, from) => {
    const key = joinPlace(places.get(from) ?? "", name);
    const known = Object.hasOwn(facts, key) ? facts[key] : undefined;
    return createAbsentTool(name, {
      effect: known?.effect ?? "once",
      isSequential: known?.isSequential ?? false,
      needsApproval: known?.needsApproval ?? approved.has(name),
    });
  };
}

/** The tools that `<server>__*` stood for when a run began. */
export function createRecordedServerTools(crew: Crew, facts: Facts = {}): ServerTools {
  const places = new Map(listCrews(crew).map(([place, each]) => [each, place]));
  return (pattern, from) => {
    const prefix = joinPlace(places.get(from) ?? "", "");
    const own = Object.keys(facts).flatMap((key) => (key.startsWith(prefix) ? key.slice(prefix.length) : []));
    return matchServerPattern(pattern, own);
  };
}

function describeTool({ effect, isSequential, needsApproval, parameters, timeoutMs, pin }: Tool): ToolFacts {
  const schema = hashDefinition(parameters).slice(0, 16);
  return {
    effect,
    schema,
    timeoutMs: timeoutMs ?? null,
    ...(isSequential && { isSequential }),
    ...(needsApproval && { needsApproval }),
    ...(pin !== undefined && { pin }),
  };
}

function listDifferences(was: ToolFacts, is: ToolFacts): string[] {
  return [
    ...(was.effect === is.effect ? [] : [`has the effect '${is.effect}', which was '${was.effect}'`]),
    ...(was.needsApproval === is.needsApproval
      ? []
      : [is.needsApproval === true ? "needs approval now" : "needs no approval any more"]),
    ...(was.isSequential === is.isSequential
      ? []
      : [is.isSequential === true ? "runs alone now" : "no longer runs alone"]),
    ...(was.schema === is.schema ? [] : ["takes other arguments"]),
    ...(was.timeoutMs === undefined || was.timeoutMs === is.timeoutMs
      ? []
      : [`has the timeout ${describeTimeout(is)}, which was ${describeTimeout(was)}`]),
    ...(was.schema !== is.schema || was.pin === undefined || was.pin === is.pin
      ? []
      : ["is described differently by its MCP server"]),
  ];
}

function describeTimeout({ timeoutMs }: ToolFacts): string {
  return typeof timeoutMs === "number" ? `${timeoutMs / 1000} s` : "none";
}

/** Lists the tools that agents name, by crew. */
function listNamedTools(crew: Crew, serverTools: ServerTools): [key: string, name: string, from: Crew][] {
  return listCrews(crew).flatMap(([place, each]) => {
    const named = [...each.agents.values()].flatMap(({ tools }) => tools);
    const names = new Set(named.flatMap((name) => (isServerPattern(name) ? serverTools(name, each) : name)));
    // A plan is part of the run, and its tools have no facts of their own.
    const own = [...names].filter((name) => !isTodoTool(each.toolSets, name));
    return own.map((name): [string, string, Crew] => [joinPlace(place, name), name, each]);
  });
}
