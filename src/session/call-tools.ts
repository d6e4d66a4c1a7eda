import type { Effect } from "../run/effect.ts";
import type { Run } from "../run/run.ts";
import { splitResult } from "../tools/split-result.ts";
import type { Tool, ToolContext } from "../tools/tool.ts";
import { addReferences } from "../vocabulary/attachment.ts";
import type { EventPlace } from "../vocabulary/events.ts";
import { type EventData, nameSpeaker } from "../vocabulary/events.ts";
import type { ToolCall } from "../vocabulary/messages.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { admitToolCall, type Charged } from "./admit-call.ts";
import { askApproval } from "./ask-approval.ts";
import { describeCall } from "./describe-call.ts";
import { isOffered } from "./offer-tools.ts";
import { explainThrown, formatResult, readResult } from "./read-result.ts";
import { type EffectTool, type ExitTool, type InnerTool, nameOfTool, type SessionTool } from "./session-tool.ts";
import { type ToolOutput, takeResultFiles } from "./take-result-files.ts";
import type { ToolCalling } from "./tool-calling.ts";

/** The result of each call as the model reads it, in the order of the calls, and the accepted exits: one, or several that belong together. */
export interface ToolResults {
  readonly texts: readonly string[];
  readonly exits: readonly TakenExit[];
  /** Whether a quota wants the session to finish. */
  readonly mustFinish: boolean;
}

interface TakenExit {
  readonly tool: ExitTool;
  readonly value: unknown;
  /** The answer, where the call gives it and the reply had no text. */
  readonly text?: string | undefined;
}

/** Carries out the calls of one turn: in parallel, except for sequential tools. */
export async function callTools(calls: readonly ToolCall[], calling: ToolCalling): Promise<ToolResults> {
  const byName = new Map(calling.tools.map((tool) => [nameOfTool(tool), tool]));
  const texts = new Array<string>(calls.length);
  const running: Promise<void>[] = [];
  const exits: TakenExit[] = [];
  let mustFinish = false;
  const { budget } = calling;
  const onRefused = () => {
    mustFinish = true;
  };
  const charged = budget && { ...calling, budget, onRefused };
  let alone: Promise<void> | undefined;
  const rejoin = calls.length > 1 ? calling.run.branch() : () => {};
  /** A sequential tool waits for all calls before it, and all calls after it wait for that tool. */
  const start = (tool: EffectTool | InnerTool, act: () => Promise<void>): Promise<void> => {
    if (!isSequential(tool)) return alone === undefined ? act() : alone.then(act);
    alone = running.length === 0 ? act() : Promise.all(running).then(act);
    return alone;
  };
  const begin = (call: ToolCall, index: number): void => {
    // A quota that an earlier call did not fit has ended the run.
    if (calling.scope.isClosed) return;
    const tool = byName.get(call.name);
    const place = { ...calling.place, path: `${calling.place.path}/c${index}` };
    const refusal = findRefusal(call, tool, index, calling);
    if (refusal !== undefined || tool === undefined) {
      texts[index] = tellFailure(call, refusal ?? "", place, calling.run);
    } else if (tool.kind === "exit") {
      texts[index] = takeExit(tool, call, exits, place, calling);
    } else {
      const act = async () => {
        texts[index] = await carryOut(tool, call, place, calling, charged);
      };
      running.push(start(tool, act));
    }
  };
  try {
    calls.forEach(begin);
  } catch (error) {
    // What has begun must have somebody who waits for it.
    running.push(Promise.reject(error));
  }
  await Promise.all(running).finally(rejoin);
  return { texts, exits, mustFinish };
}

function isSequential(tool: EffectTool | InnerTool): boolean {
  return tool.kind === "effect" && tool.tool.isSequential;
}

/** Tool calls that count in quotas. */
interface ChargedCalling extends Charged {
  onRefused(): void;
}

/** A call that a human must approve counts when it is approved. */
async function carryOut(
  tool: EffectTool | InnerTool,
  asked: ToolCall,
  place: EventPlace,
  calling: ToolCalling,
  charged: ChargedCalling | undefined,
): Promise<string> {
  const needsApproval = tool.kind === "effect" && tool.tool.needsApproval;
  const call = needsApproval ? await askApproval(tool.tool, asked, place, calling) : asked;
  if (typeof call === "string") return tellFailure(asked, call, place, calling.run);
  const refusal = charged && (await admitToolCall(charged, place));
  calling.scope.throwIfClosed();
  if (refusal !== undefined) {
    charged?.onRefused();
    return tellFailure(call, refusal, place, calling.run);
  }
  return tool.kind === "effect" ? runEffect(tool, call, place, calling) : runInner(tool, call, place, calling);
}

/** The first exit that is accepted counts, and those that go with it; others are told so. */
function takeExit(
  tool: ExitTool,
  call: ToolCall,
  exits: TakenExit[],
  place: EventPlace,
  { run, reply }: ToolCalling,
): string {
  const rival = exits.find((taken) => taken.tool === tool || !(taken.tool.isJoint && tool.isJoint));
  const problem = `'${rival?.tool.name}' was called first in this turn, and only the first counts`;
  const verdict = rival === undefined ? tool.accept(readArgs(call), reply, place) : { problem };
  if ("problem" in verdict) return tellFailure(call, verdict.problem, place, run);
  run.emit(place, "tool.called", { tool: call.name, args: call.args });
  run.emit(place, "tool.completed", { tool: call.name, result: "accepted" });
  exits.push({ tool, value: verdict.exit, text: verdict.text });
  return "accepted";
}

/** Why a call is not made at all. */
function findRefusal(
  call: ToolCall,
  tool: SessionTool | undefined,
  index: number,
  { agent, tools, allTools, reply }: ToolCalling,
): string | undefined {
  const limit = agent.limits.maxToolCallsPerTurn;
  if (index >= limit) return `not called: one turn may make at most ${formatAmount(limit, "tool call")}`;
  if (tool === undefined) {
    if (allTools.some((each) => nameOfTool(each) === call.name))
      return `'${call.name}' cannot be called on the last turn; answer now`;
    const known = tools.filter((each) => isOffered(each, reply.turns)).map(nameOfTool);
    return `there is no tool '${call.name}'; there are ${known.join(", ") || "none"}`;
  }
  return call.malformed === undefined ? undefined : `the arguments are not valid JSON: ${call.malformed}`;
}

async function runEffect(
  { tool }: EffectTool,
  call: ToolCall,
  place: EventPlace,
  calling: ToolCalling,
): Promise<string> {
  const failed = (message: string) => ({ type: "tool.failed" as const, data: { tool: tool.name, message } });
  const redact = (text: string) => calling.run.redactor?.redact(text) ?? text;
  const timeoutMs = tool.timeoutMs ?? calling.agent.limits.toolTimeoutMs;
  const called = { run: calling.run, agent: calling.agent, place, effect: tool.effect, intent: "tool.called" } as const;
  const event = await calling.run.step<ToolOutput>({
    place,
    scope: calling.scope,
    intent: { type: "tool.called", data: { tool: tool.name, args: call.args } },
    timeoutMs,
    act: (abort) => execute(tool, call.args, describeCall(called, abort), calling),
    completed: (output) => ({ type: "tool.completed", data: completedData(tool, output, redact) }),
    failed: (error) => failed(redact(explainThrown(error))),
    late: () => failed(`did not finish within ${timeoutMs / 1000} s`),
    cancelled: failed,
    ambiguity: tool.effect === "once" ? describeAmbiguity(tool, call, place, calling) : undefined,
  });
  if (event.type === "tool.completed") {
    calling.run.attachments.note(event.data.attachments);
    return event.data.result;
  }
  if (event.type === "tool.failed") return `error: ${event.data.message}`;
  throw new Error(`a tool call cannot end in ${event.type}`);
}

/** Whether a tool that must not be called twice was called, where a process died over it. */
function describeAmbiguity(
  tool: Tool,
  { args }: ToolCall,
  place: EventPlace,
  { agent }: ToolCalling,
): NonNullable<Effect<ToolOutput>["ambiguity"]> {
  const prompt = `${tool.name} was called with ${JSON.stringify(args)} when the run was interrupted. Did it happen?`;
  return {
    question: {
      agent: nameSpeaker({ agent: agent.id, crew: place.crew }),
      reason: "ambiguous",
      prompt,
      options: ["happened", "not_happened"],
    },
    resultOf: ({ decision, result }) =>
      decision === "happened"
        ? { type: "tool.completed", data: { tool: tool.name, result: formatResult(result) } }
        : undefined,
  };
}

/** Reads the arguments and calls the tool; whatever is thrown is told to the model. */
async function execute(tool: Tool, args: unknown, context: ToolContext, calling: ToolCalling): Promise<ToolOutput> {
  const read = await tool.read(args);
  if ("problem" in read) throw new Error(read.problem);
  context.signal.throwIfAborted();
  const { result, attachments } = splitResult(await tool.execute(read.value, context));
  const text = readResult(result);
  return attachments.length === 0 ? { text } : takeResultFiles(text, attachments, calling, context.signal);
}

function completedData(
  { name: tool }: Tool,
  { text, attachments }: ToolOutput,
  redact: (text: string) => string,
): EventData["tool.completed"] {
  const result = redact(text);
  return attachments === undefined
    ? { tool, result }
    : { tool, result: addReferences(result, attachments), attachments };
}

async function runInner(
  tool: InnerTool,
  call: ToolCall,
  place: EventPlace,
  { run, scope }: ToolCalling,
): Promise<string> {
  run.emit(place, "tool.called", { tool: tool.name, args: call.args });
  const fail = (message: string) => run.emit(place, "tool.failed", { tool: tool.name, message });
  const closable = { close: (reason: string) => void fail(reason) };
  scope.add(closable);
  const outcome = await tool.run(readArgs(call), place, scope);
  // Where a quota closed the scope in the meantime, all has been said.
  scope.throwIfClosed();
  scope.remove(closable);
  if ("problem" in outcome) {
    fail(outcome.problem);
    return `error: ${outcome.problem}`;
  }
  run.emit(place, "tool.completed", { tool: tool.name, result: outcome.result });
  return outcome.result;
}

function tellFailure(call: ToolCall, message: string, place: EventPlace, run: Run): string {
  run.emit(place, "tool.called", { tool: call.name, args: call.args });
  run.emit(place, "tool.failed", { tool: call.name, message });
  return `error: ${message}`;
}

function readArgs(call: ToolCall): Readonly<Record<string, unknown>> {
  return typeof call.args === "object" && call.args !== null ? (call.args as Record<string, unknown>) : {};
}
