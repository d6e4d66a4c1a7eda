import type { LineGraph } from "../src/flow/plan/line-graph.ts";
import type { LineWorst } from "../src/flow/plan/line-worst.ts";
import type { Measure } from "../src/flow/plan/measure.ts";
import type { Spot } from "../src/flow/plan/spot.ts";
import { surveyCrew } from "../src/flow/plan/survey.ts";
import { openMemoryStore } from "../src/journal/memory-store.ts";
import { openCrew } from "../src/library/crew-handle.ts";
import { type Model, ModelError, type ModelReply, type ModelRequest } from "../src/models/model.ts";
import { defineTool } from "../src/tools/define-tool.ts";
import { countToolCalls } from "../src/views/count-tool-calls.ts";
import type { Agent, Crew } from "../src/vocabulary/crew.ts";
import { toRunId } from "../src/vocabulary/ids.ts";
import type { ToolCall } from "../src/vocabulary/messages.ts";

/** What a run that follows the worst path of a figure really makes. */
export interface Followed {
  readonly handoffs: number;
  readonly rounds: number;
  readonly modelCalls: number;
  readonly toolCalls: number;
}

/** Runs a crew along the worst path of a figure: every attempt but the last fails, and every turn but the last calls tools. */
export async function followWorst(crew: Crew, figure: Measure["figure"]): Promise<Followed> {
  const surveying = { crew, input: "Begin", listModels: () => [], graphs: new Map() };
  const { line, graph } = surveyCrew(surveying, figure);
  const below = new Map(
    [...crew.subCrews].map(([name, sub]) => [name, surveyCrew({ ...surveying, crew: sub.crew }, figure)]),
  );
  const script = (request: ModelRequest): ModelReply => {
    const place = readPlace(request.path);
    const inner = request.crew === "" ? { crew, line, graph } : below.get(request.crew);
    const at = request.crew === "" || inner === undefined ? crew : (crew.subCrews.get(request.crew)?.crew ?? crew);
    return reply(request, at, place, inner ?? { line, graph });
  };
  const model: Model = { name: "test/one", call: script };
  const tools = [...new Set([...crew.agents.values()].flatMap((agent) => agent.tools))].map((name) =>
    defineTool({ name, description: name, parameters: { type: "object" }, effect: "read", execute: () => "done" }),
  );
  const store = openMemoryStore();
  const handle = openCrew(crew, [], {
    store,
    models: { instead: [{ provider: "test", model: "one" }], custom: { "test/one": model } },
    tools,
  });
  const run = handle.start("Begin");
  let result = await run.result;
  const answers = line.steps.filter(({ edge }) => edge?.isAnswered === true).map(({ edge }) => edge?.by);
  while (result.status === "paused") {
    const by = answers.shift();
    if (by === undefined) break;
    const answer = result.paused?.reason === "gate" ? { decision: "reject" as const } : { input: "go on" };
    result = await handle.resume(result.runId, answer).result;
  }
  const events = await store.read(toRunId(result.runId));
  return {
    handoffs: result.handoffs,
    rounds: result.rounds,
    modelCalls: events.filter(({ type }) => type === "model.called").length,
    toolCalls: countToolCalls(events),
  };
}

interface Place {
  readonly round: number;
  readonly isOnLine: boolean;
  readonly isSupervisor: boolean;
  readonly turn: number;
  readonly attempt: number;
}

function readPlace(path: string): Place {
  const [, before = "", turn = "0", attempt = "0"] = /^(.*)\/t(\d+)\/m(\d+)$/.exec(path) ?? [];
  const [, round = "-1"] = /(?:^|\/k\d+(?:\.\d+)?\/)(\d+)$/.exec(before) ?? [];
  return {
    round: Number(round),
    isOnLine: round !== "-1",
    isSupervisor: false,
    turn: Number(turn),
    attempt: Number(attempt),
  };
}

function reply(
  request: ModelRequest,
  crew: Crew,
  place: Place,
  { line, graph }: { readonly line: LineWorst; readonly graph: LineGraph },
): ModelReply {
  const agent = crew.agents.get(request.agent);
  if (agent === undefined) throw new Error(`there is no agent ${request.agent}`);
  if (place.attempt < agent.limits.maxRetries) throw new ModelError("try again", { status: 429, retryAfterMs: 0 });
  const last = lastTurnOf(agent, crew);
  if (place.turn < last) return say("", workingCalls(agent, crew));
  if (mustFail(request, crew)) throw new ModelError("broken", { status: 500, retryAfterMs: 0 });
  const edge = place.isOnLine ? line.steps[place.round]?.edge : undefined;
  // A crew whose caller tries others after it fails where it would end.
  const isTriedAgain = place.isOnLine && /^(failing|spare)$/.test(request.crew);
  if (edge === undefined && isTriedAgain) throw new ModelError("broken", { status: 500, retryAfterMs: 0 });
  if (edge === undefined) return say("done", []);
  if (edge.isSilent) throw new ModelError("broken", { status: 500, retryAfterMs: 0 });
  const spot = graph.nodes[edge.to]?.spot;
  const to = spot?.type === "agent" ? spot.agent : "";
  if (edge.by === "transfer") return say("", [{ name: `transfer_to_${to}`, args: { context: { n: place.round } } }]);
  if (edge.by === "router") return say("", [{ name: "handoff-to", args: { agent: to } }]);
  const leading = (crew.bindings.get(agent.id) ?? []).find(
    ({ move }) => move.type === "route" || move.type === "parallel",
  );
  // A human rejects what an agent wants to do, and a group what it wants to work on.
  const token = edge.by.startsWith("[") ? edge.by : /^(reject|no list)$/.test(edge.by) ? (leading?.signal ?? "") : "";
  const items = Array.from({ length: listLength(spot, crew) }, (_, n) => `item ${n}`);
  return say(`${items.length === 0 ? "done" : `\`\`\`json\n${JSON.stringify(items)}\n\`\`\``}\n${token}`, []);
}

function listLength(spot: Spot | undefined, crew: Crew): number {
  return spot?.type === "group" ? (crew.groups.get(spot.group ?? "")?.forEach?.maxItems ?? 0) : 0;
}

/** All but the last of those of whom the first success counts. */
function mustFail({ path }: ModelRequest, crew: Crew): boolean {
  const [, branch] = /^\d+\/b(\d+)\//.exec(path) ?? [];
  const first = [...crew.groups.values()].find(({ waitForAll }) => !waitForAll);
  return branch !== undefined && first !== undefined && Number(branch) < first.agents.length - 1;
}

/** A supervisor that never answers is made to, in one turn more. */
function lastTurnOf({ id, limits }: Agent, crew: Crew): number {
  const teams = [...crew.agents.values()].flatMap(({ team }) => team ?? []);
  const supervised = teams.find(({ supervisor }) => supervisor === id);
  if (supervised !== undefined) return supervised.supervisorMaxTurns ?? limits.maxTurns;
  const member = teams.find(({ members }) => members.includes(id));
  return (member?.memberMaxTurns ?? limits.maxTurns) - 1;
}

/** As many calls as a turn may make, of what takes the most. */
function workingCalls({ id, subAgents, tools, limits, advisors, delegate, compose }: Agent, crew: Crew): ToolCall[] {
  const [sub] = subAgents;
  const [tool] = tools;
  const dismiss = advisors.length > 0 ? { name: "agent__dismiss", args: {} } : undefined;
  const [called] = delegate;
  const [other = ""] = [...crew.agents.keys()].filter((each) => each !== id);
  const steps = Array.from({ length: 10 }, (_, n) => ({ agent: other, task: `part ${n}` }));
  const call =
    compose || called !== undefined
      ? compose
        ? { name: "crew__compose", args: { mode: "parallel", agents: steps } }
        : { name: "crew__delegate", args: { crew: called, input: "work" } }
      : sub !== undefined
        ? { name: `agent__${sub}`, args: { prompt: "work" } }
        : tool !== undefined
          ? { name: tool, args: {} }
          : (dismiss ?? { name: "nothing", args: {} });
  return Array.from({ length: limits.maxToolCallsPerTurn }, () => call);
}

function say(text: string, toolCalls: readonly ToolCall[]): ModelReply {
  return { text, toolCalls, finish: toolCalls.length > 0 ? "tool-calls" : "stop" };
}
