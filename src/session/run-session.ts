import { cutOutputs } from "../context/cut-outputs.ts";
import { append, estimateTokens, type History, tokensOf, toMessages } from "../context/history.ts";
import { trimHistory } from "../context/trim-history.ts";
import type { Agent, Settings } from "../crew.ts";
import type { EventData, EventPlace, Failure } from "../events.ts";
import type { Message } from "../messages.ts";
import type { Model, ToolSpecification } from "../models/model.ts";
import type { Budget } from "../run/budget.ts";
import type { Clock } from "../run/clock.ts";
import type { DayTotals } from "../run/day-totals.ts";
import type { Run } from "../run/run.ts";
import type { Scope } from "../run/scope.ts";
import { callModel, type ModelOutcome } from "./call-model.ts";
import { callTools } from "./call-tools.ts";
import type { Unsent } from "./open-request.ts";
import { readAnswer } from "./read-answer.ts";
import type { SessionTool } from "./session-tool.ts";

/** What a session is started with. */
export interface SessionStart {
  readonly agent: Agent;
  readonly input: string;
  /** What the agent sees of what was said before. */
  readonly history: History | undefined;
  readonly tools: readonly SessionTool[];
  readonly models: readonly Model[];
  readonly settings: Settings;
  readonly run: Run;
  readonly clock: Clock;
  readonly scope: Scope;
  readonly place: EventPlace;
  /** What the session's calls count in, where there are quotas. */
  readonly budget: Budget | undefined;
  readonly dayTotals: DayTotals | undefined;
}

/** How a session ends: always in an answer, an exit by a tool, or a failure that has a name. */
export type SessionOutcome =
  | { readonly type: "answer"; readonly text: string; readonly traffic: readonly Message[]; readonly turns: number }
  | {
      readonly type: "exit";
      readonly tool: string;
      readonly value: unknown;
      readonly text: string;
      readonly traffic: readonly Message[];
      readonly turns: number;
    }
  | { readonly type: "failed"; readonly failure: Failure };

/** A session under way. */
interface Talk extends SessionStart {
  conversation: History;
  /** What the agent said and was told by its tools, for the crew's history. */
  readonly traffic: Message[];
  hasRepaired: boolean;
  /** Whether a quota leaves nothing but a last turn. */
  mustFinish: boolean;
}

type Reply = EventData["model.completed"];

/** One agent's conversation with its model: turns of model call and tool calls, until an answer. */
export async function runSession(start: SessionStart): Promise<SessionOutcome> {
  const { agent, input } = start;
  const conversation = append(start.history, { role: "user", text: input });
  const talk: Talk = { ...start, conversation, traffic: [], hasRepaired: false, mustFinish: false };
  for (let turn = 0; turn < agent.limits.maxTurns; ) {
    const isLast = talk.mustFinish || turn === agent.limits.maxTurns - 1;
    // What ends the session may still be called.
    const tools = isLast ? talk.tools.filter(({ kind }) => kind === "exit") : talk.tools;
    if (isLast) say(talk, lastTurnNotice(offered(tools, agent)));
    const asked = ask(talk, turn, tools, isLast);
    const called = asked instanceof Promise ? await asked : asked;
    if (called.type === "failed") return called;
    if (called.type === "last_turn") {
      talk.mustFinish = true;
      continue;
    }
    const { reply } = called;
    const report = finalReportIn(reply, agent);
    const isAnswer = report !== undefined || reply.toolCalls.length === 0;
    const outcome = isAnswer
      ? finish(talk, report ?? reply.text, turn, isLast)
      : await useTools(talk, reply, tools, turn, isLast);
    if (outcome !== undefined) return outcome;
    turn++;
  }
  return failed(agent, "max_turns", `agent '${agent.id}' did not answer within ${agent.limits.maxTurns} turns`);
}

/** Calls the model with what the agent sees. */
function ask(
  talk: Talk,
  turn: number,
  tools: readonly SessionTool[],
  isLastTurn: boolean,
): ModelOutcome | Promise<ModelOutcome> {
  const { agent, settings } = talk;
  const request: Unsent = {
    agent: agent.id,
    crew: talk.place.crew ?? "",
    system: agent.prompt,
    messages: view(talk, turn),
    tools: offered(tools, agent),
    sampling: agent.sampling,
    json: agent.output.format === "json" ? { schema: agent.output.schema } : undefined,
  };
  return callModel(
    {
      run: talk.run,
      clock: talk.clock,
      scope: talk.scope,
      place: talk.place,
      agent,
      models: talk.models,
      turn,
      maxFailuresInARow: settings.maxConsecutiveErrors ?? Number.POSITIVE_INFINITY,
      backoff: { minMs: settings.retryBackoffMinMs ?? 500, maxMs: settings.retryBackoffMaxMs ?? 30_000 },
      charge: talk.budget && { ...talk, budget: talk.budget, isLastTurn, inputTokens: inputTokensOf(talk, request) },
    },
    request,
  );
}

/** A third of the request's bytes. */
function inputTokensOf(talk: Talk, { system, messages, tools, json }: Unsent): number {
  const { conversation } = talk;
  const spoken =
    conversation.tokens <= windowOf(talk)
      ? conversation.tokens
      : messages().reduce((sum, message) => sum + estimateTokens(message), 0);
  const described = tools.length === 0 && json === undefined ? "" : JSON.stringify([tools, json]);
  return spoken + tokensOf(system) + tokensOf(described);
}

function lastTurnNotice(tools: readonly ToolSpecification[]): string {
  const left = tools.length === 0 ? "No more tools" : `No tools but ${tools.map(({ name }) => name).join(", ")}`;
  return `This is your last turn: answer now. ${left} can be called.`;
}

function finish(talk: Talk, text: string, turn: number, isLast: boolean): SessionOutcome | undefined {
  const { agent, traffic } = talk;
  const answer = readAnswer(text, agent);
  if ("text" in answer) return { type: "answer", text: answer.text, traffic, turns: turn + 1 };
  talk.conversation = append(talk.conversation, { role: "agent", agent: agent.id, text, toolCalls: [] });
  return repair(talk, answer.problem, isLast);
}

/** One more turn to put an answer right; the second that cannot be used fails the session. */
function repair(talk: Talk, problem: string, isLast: boolean): SessionOutcome | undefined {
  const { agent } = talk;
  if (talk.hasRepaired || isLast) return failed(agent, "output_invalid", `agent '${agent.id}': ${problem}`);
  talk.hasRepaired = true;
  say(talk, `Your answer cannot be used: ${problem}. Answer again with the corrected JSON and nothing else.`);
  return undefined;
}

async function useTools(
  talk: Talk,
  reply: Reply,
  tools: readonly SessionTool[],
  turn: number,
  isLast: boolean,
): Promise<SessionOutcome | undefined> {
  const { agent, place, settings, traffic } = talk;
  const at = { ...place, path: `${place.path}/t${turn}` };
  const { texts, exit, mustFinish } = await callTools(reply.toolCalls, { ...talk, place: at, tools });
  talk.mustFinish ||= mustFinish;
  const results = cutOutputs(texts, settings);
  const spoken: Message[] = [
    // The text of a reply that ends the session is its answer, which the history gets once.
    {
      role: "agent",
      agent: agent.id,
      text: exit === undefined ? reply.text : "",
      toolCalls: reply.toolCalls,
      carried: reply.carried,
    },
    ...reply.toolCalls.map(
      ({ name }, index): Message => ({ role: "tool", agent: agent.id, tool: name, text: results[index] ?? "" }),
    ),
  ];
  for (const message of spoken) talk.conversation = append(talk.conversation, message);
  traffic.push(...spoken);
  if (exit === undefined) return undefined;
  const answer = readAnswer(reply.text, agent);
  if ("problem" in answer) return repair(talk, answer.problem, isLast);
  return { type: "exit", tool: exit.tool, value: exit.value, text: reply.text, traffic, turns: turn + 1 };
}

/** A notice of the session itself, which nobody else sees. */
function say(talk: Talk, text: string): void {
  talk.conversation = append(talk.conversation, { role: "user", text });
}

/** The messages as the model gets them, put together when it asks; said in the journal where some have to go. */
function view(talk: Talk, turn: number): () => readonly Message[] {
  const { conversation, settings, run, place } = talk;
  const window = windowOf(talk);
  if (conversation.tokens <= window) return () => toMessages(conversation);
  const { messages, trimmed } = trimHistory(conversation, window, settings.contextTrimPercent);
  if (trimmed > 0) run.emit({ ...place, path: `${place.path}/t${turn}` }, "context.trimmed", { messages: trimmed });
  return () => messages;
}

function windowOf({ settings, models }: Talk): number {
  return settings.maxContextWindow ?? models[0]?.listed?.contextWindow ?? 128_000;
}

const none: readonly never[] = [];

function offered(tools: readonly SessionTool[], agent: Agent): readonly ToolSpecification[] {
  if (tools.length === 0 && agent.output.schema === undefined) return none;
  return [...tools.map(specificationOf), ...finalReportOf(agent)];
}

function specificationOf(tool: SessionTool): ToolSpecification {
  const { name, description, parameters } = tool.kind === "effect" ? tool.tool : tool;
  return { name, description, parameters };
}

const REPORT = "final_report";

/** Offered where the answer has a schema: models fill in arguments more reliably than they write JSON. */
function finalReportOf({ output }: Agent): ToolSpecification[] {
  if (output.schema === undefined) return [];
  return [{ name: REPORT, description: "Gives the final answer.", parameters: output.schema }];
}

/** The content of a call of final_report, which is understood whether it was offered or not; a malformed one is a tool call. */
function finalReportIn({ toolCalls }: Reply, { output }: Agent): string | undefined {
  const call = toolCalls.find(({ name }) => name === REPORT || name === `agent__${REPORT}`);
  if (call === undefined || call.malformed !== undefined) return undefined;
  const { args } = call;
  if (output.schema === undefined && !(typeof args === "object" && args !== null && "content" in args))
    return undefined;
  const content = typeof args === "object" && args !== null && "content" in args ? args.content : undefined;
  // A schema may have a `content` of its own: then the arguments are the answer.
  const report = content === undefined || hasContent(output.schema) ? (args ?? "") : content;
  return typeof report === "string" ? report : JSON.stringify(report);
}

function hasContent(schema: unknown): boolean {
  const properties =
    typeof schema === "object" && schema !== null && "properties" in schema ? schema.properties : undefined;
  return typeof properties === "object" && properties !== null && "content" in properties;
}

function failed(agent: Agent, code: string, message: string): SessionOutcome {
  return { type: "failed", failure: { code, message, agent: agent.id } };
}
