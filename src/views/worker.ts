import { addUsd } from "../vocabulary/bill.ts";
import type { BatonEvent, EventOf, Failure } from "../vocabulary/events.ts";
import { formatAmount } from "../vocabulary/wording.ts";

/** Tokens and cost of some calls. For calls without a known price there is only their number. */
export interface Spent {
  readonly calls: number;
  /** Null if the tokens of one call are unknown. */
  readonly tokens: number | null;
  readonly usd: number;
  readonly unknownCalls: number;
}

/** Something a worker did besides writing its answer. */
export type WorkStep =
  | ({ readonly type: "tool"; readonly path: string; readonly tool: string; readonly args: unknown } & Taken)
  | { readonly type: "words" | "trouble"; readonly text: string }
  | { readonly type: "cycle"; readonly cycle: number }
  /** Another agent that works for this one without a call of a tool: an advisor or a member of its team. */
  | { readonly type: "agent"; readonly path: string };

interface Taken {
  readonly since: number;
  readonly endedAt?: number;
  readonly result?: string;
  readonly problem?: string;
}

/** One agent at work, from its start to its answer. */
export interface Worker {
  readonly path: string;
  readonly name: string;
  readonly since: number;
  readonly endedAt: number | undefined;
  readonly model: string | undefined;
  readonly attempt: number;
  /** Whether a function answers, and no model. */
  readonly isFunction?: boolean;
  readonly steps: readonly WorkStep[];
  /** The text so far; at the end, the answer. */
  readonly text: string;
  /** The signals in its answer, and the problems of rejected ones. */
  readonly signals: readonly string[];
  readonly failure: Failure | undefined;
  readonly spent: Spent;
  /** Whom the agent waits for before it continues. */
  readonly hears?: "advisors" | "team" | undefined;
}

export const nothing: Spent = { calls: 0, tokens: 0, usd: 0, unknownCalls: 0 };

export function addSpendings(spendings: readonly Spent[]): Spent {
  return spendings.reduce(
    (sum, each) => ({
      calls: sum.calls + each.calls,
      tokens: sum.tokens === null || each.tokens === null ? null : sum.tokens + each.tokens,
      usd: addUsd(sum.usd, each.usd),
      unknownCalls: sum.unknownCalls + each.unknownCalls,
    }),
    nothing,
  );
}

/** Computes what an event changes about its worker. */
export function computeChange(worker: Worker, event: BatonEvent): Partial<Worker> {
  const { steps } = worker;
  switch (event.type) {
    case "model.called":
      return { model: event.data.model, attempt: event.data.attempt, text: "" };
    case "function.called":
      return { isFunction: true, text: "" };
    case "text.delta":
      return { text: event.data.startsOver ? event.data.text : worker.text + event.data.text };
    case "model.completed": {
      const { text, toolCalls } = event.data;
      const spent = addSpendings([worker.spent, readSpending(event)]);
      // The streamed text has no signal tokens, so it is preferred.
      if (toolCalls.length === 0) return { spent, text: worker.text === "" ? text : worker.text };
      return { spent, text: "", steps: text.trim() === "" ? steps : [...steps, { type: "words", text }] };
    }
    case "model.failed":
      if (event.data.code === "cancelled") return {};
      return { text: "", steps: [...steps, { type: "trouble", text: `${event.data.model}: ${event.data.message}` }] };
    case "answer.rejected":
      return { steps: [...steps, { type: "trouble", text: `the answer does not fit: ${event.data.problem}` }] };
    case "signal.unbound":
    case "signal.rejected":
      return { signals: [...worker.signals, `! ${event.data.message}`] };
    case "context.trimmed":
      return {
        steps: [...steps, { type: "trouble", text: `${formatAmount(event.data.messages, "earlier message")} trimmed` }],
      };
    case "quota.warning":
    case "quota.exceeded":
      return { steps: [...steps, { type: "trouble", text: event.data.message }] };
    case "tool.called":
      return { steps: [...steps, { type: "tool", path: event.path, since: event.ts, ...event.data }] };
    case "tool.completed":
      // A message to a team is shown as a message and not as a call.
      if (event.data.tool.startsWith("team__")) return { steps: steps.filter((step) => !isCall(step, event.path)) };
      return { steps: endStep(steps, event.path, { endedAt: event.ts, result: event.data.result }) };
    case "tool.failed":
      return { steps: endStep(steps, event.path, { endedAt: event.ts, problem: event.data.message }) };
    case "team.cycle":
      return { hears: "team", steps: [...steps, { type: "cycle", cycle: event.data.cycle }] };
    case "team.left":
      return leaveTeam(worker, event);
    case "agent.told":
      return { hears: undefined };
    case "team.broadcast":
      // A member's message is its answer. Its supervisor continues after it.
      return isSaidBySupervisor(event)
        ? { steps: [...steps, { type: "words", text: `all: ${event.data.message}` }] }
        : {};
    case "agent.completed":
      return { endedAt: event.ts, text: isSaidBeside(worker, event.data.answer) ? "" : findShownText(event.data) };
    case "agent.failed":
      return { endedAt: event.ts, text: "", failure: event.data };
    case "signal.emitted":
      return { signals: [...worker.signals, event.data.signal] };
    default:
      return {};
  }
}

function findShownText({ answer, shown = answer }: EventOf<"agent.completed">["data"]): string {
  return shown;
}

/** Words beside a call that ended the session are on the screen already. */
function isSaidBeside({ steps, text }: Worker, answer: string): boolean {
  const last = steps.findLast(({ type }) => type === "words");
  return text === "" && last?.type === "words" && last.text === answer;
}

function endStep(steps: readonly WorkStep[], path: string, end: Partial<Taken>): WorkStep[] {
  return steps.map((step) => (isCall(step, path) ? { ...step, ...end } : step));
}

function isCall(step: WorkStep, path: string): boolean {
  return step.type === "tool" && step.path === path;
}

/** Whether a member speaks or leaves at its own place. Between cycles, members can also speak without a turn. */
function isOfMember({ path }: BatonEvent): boolean {
  return /\/w\d+$/.test(path);
}

function isSaidBySupervisor(event: EventOf<"team.broadcast">): boolean {
  return !isOfMember(event) && event.agent === event.data.memberId && event.data.type === "update";
}

function leaveTeam(worker: Worker, event: EventOf<"team.left">): Partial<Worker> {
  const { memberId, reason } = event.data;
  if (isOfMember(event)) return worker.failure === undefined ? { signals: [...worker.signals, "left the team"] } : {};
  return { steps: [...worker.steps, { type: "trouble", text: `${memberId} left the team: ${reason}` }] };
}

export function readSpending({ data }: EventOf<"model.completed">): Spent {
  const unknownCalls = data.costUsd === undefined ? 1 : 0;
  return { calls: 1, tokens: data.usage?.total ?? null, usd: data.costUsd ?? 0, unknownCalls };
}
