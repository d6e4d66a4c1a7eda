import { addReferences } from "../vocabulary/attachment.ts";
import type { BatonEvent, EventData, EventOf } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import { removeIdleTime } from "../vocabulary/idle-time.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { describeAside } from "./describe-aside.ts";
import { explainChoice } from "./explain-choice.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { buildResult } from "./run-result.ts";
import type { Content, ToolEnd } from "./transcript-entry.ts";

interface EndedTool {
  readonly end: EventOf<"tool.completed"> | EventOf<"tool.failed">;
  readonly ms: number;
}

/** What a run's events say of each other. */
export interface Context {
  readonly events: readonly BatonEvent[];
  readonly toolEnds: ReadonlyMap<string, EndedTool>;
  /** Places below which agents work. Calls of agents are told as the work of those agents. */
  readonly agentCalls: ReadonlySet<string>;
  /** The texts that entries say so far. */
  readonly said: ReadonlySet<string>;
}

/** The part of the transcript that an event is told in. */
interface Enclosing {
  readonly name: string;
  readonly isGroup: boolean;
}

export function findContext(events: readonly BatonEvent[], said: ReadonlySet<string>): Context {
  return { events, toolEnds: indexToolEnds(events), agentCalls: findAgentCalls(events), said };
}
/** What the transcript tells of one event. */
export function listContents(event: BatonEvent, section: Enclosing, context: Context): Content[] {
  const from = nameSpeaker(event);
  switch (event.type) {
    case "run.started":
      return [{ type: "said", from: "user", text: addReferences(event.data.input, event.data.attachments) }];
    case "advisors.started":
    case "team.started":
    case "agent.started": {
      const input = event.type === "team.started" ? event.data.task : event.data.input;
      const asker = section.isGroup || section.name === "" ? {} : { asker: section.name };
      // From the second cycle on, members of a team are told what others said, which the transcript shows already.
      const isTold = context.said.has(input) || /\/k[2-9]\d*\/w\d+$|\/k1\d+\/w\d+$/.test(event.path);
      return [{ type: "began", name: from, ...asker, ...(!isTold && { input }) }];
    }
    case "parallel.started":
      return [{ type: "group", name: event.data.group, members: event.data.members }];
    case "crew.entered":
      return [{ type: "crew", name: event.data.crew }];
    case "team.cycle":
      return [{ type: "group", name: `cycle ${event.data.cycle}`, members: event.data.members }];
    case "model.completed": {
      const { text, reasoning = "", toolCalls } = event.data;
      return [
        ...(reasoning.trim() === "" ? [] : [{ type: "thought", from, text: reasoning } as const]),
        ...(toolCalls.length === 0 || text.trim() === "" ? [] : [{ type: "said", from, text } as const]),
      ];
    }
    case "model.failed":
      return event.data.code === "cancelled" ? [] : [buildNote(`${event.data.model}: ${event.data.message}`)];
    case "tool.called":
      return context.agentCalls.has(event.path) || isBroadcast(event, context)
        ? []
        : [{ type: "tool", from, ...event.data, end: findToolEnd(event, context) }];
    case "agent.completed":
      return [buildAnswer(event.data, from, section.name)];
    case "agent.failed":
      return [{ type: "failed", from, error: event.data }];
    default:
      return listConsequences(event, from, context);
  }
}

function buildAnswer({ answer, shown }: EventData["agent.completed"], from: string, to: string): Content {
  return { type: "said", from, text: answer, ...(shown !== undefined && { shown }), ...(to !== "" && { to }) };
}

/** What follows from what was said. */
function listConsequences(event: BatonEvent, from: string, { events }: Context): Content[] {
  switch (event.type) {
    case "signal.emitted":
      return [{ type: "signal", from, signal: event.data.signal, token: event.data.token }];
    case "answer.rejected":
      return [buildNote(`the answer does not fit: ${event.data.problem}`)];
    case "signal.rejected":
    case "signal.unbound":
      return [buildNote(event.data.message)];
    case "handoff": {
      const { via, reason, to } = event.data;
      return [{ type: "handoff", from: event.data.from, to, via, reason }];
    }
    case "handoff.skipped":
      return [buildNote(`${event.data.from} does not hand off to ${event.data.to}: ${event.data.reason}`)];
    case "classification":
      return [{ type: "chosen", agent: event.data.agent, reason: explainChoice(event.data) }];
    case "team.broadcast":
      return quoteTeamMessage(event, from);
    case "team.left":
      return event.data.reason === undefined ? [buildNote(`${event.data.memberId} left the team`)] : [];
    case "handoff.refused":
      return [buildNote(`no handoff to ${event.data.to}: ${explainRefusal(event.data)}`)];
    case "parallel.joined":
      return [{ type: "joined", group: event.data.group, outcomes: event.data.outcomes }];
    case "crew.left":
      return event.data.error === undefined
        ? []
        : [buildNote(`${event.data.crew} failed: ${event.data.error.message}`)];
    case "crew.retrying":
      return [buildNote(`${event.data.crew} is called again`)];
    case "memory.set":
      return [buildNote(`stored for the other crews: ${event.data.key}`)];
    case "memory.recalled":
    case "guard.passed":
    case "guard.tripped":
    case "text.retracted":
    case "todo.set":
      return describeAside(event).map(buildNote);
    case "external.delivered":
      return event.data.failures.map(buildNote);
    case "context.trimmed":
      return [buildNote(`${formatAmount(event.data.messages, "earlier message")} trimmed`)];
    case "deadline.passed":
      // The next attempt already shows that the wait before it is over.
      if (event.data.what === "retry") return [];
      return [buildNote(`time was up after ${event.data.afterMs / 1000} s (${event.data.what})`)];
    case "run.paused":
      return [{ type: "paused", ...event.data }];
    case "run.resumed":
      return [{ type: "answered", ...event.data }];
    case "run.completed":
    case "run.failed":
    case "run.cancelled": {
      const { status, stopReason, error } = buildResult(events);
      return [{ type: "ended", status, stopReason, ...(error && { error }) }];
    }
    default:
      return [];
  }
}

/** The broadcast itself tells it. */
function isBroadcast({ path, data }: EventOf<"tool.called">, { toolEnds }: Context): boolean {
  return data.tool.startsWith("team__") && toolEnds.get(path)?.end.type === "tool.completed";
}

/** A member's message is its answer. A supervisor continues after its message. */
function quoteTeamMessage({ path, data: { type, message } }: EventOf<"team.broadcast">, from: string): Content[] {
  if (type === "diagnostic") return [buildNote(message)];
  return /\/w\d+$/.test(path) ? [] : [{ type: "said", from, text: message }];
}

function buildNote(text: string): Content {
  return { type: "note", text };
}

function findToolEnd({ path }: EventOf<"tool.called">, { toolEnds }: Context): ToolEnd {
  const { end, ms } = toolEnds.get(path) ?? {};
  if (end === undefined || ms === undefined) return {};
  return end.type === "tool.completed" ? { ms, result: end.data.result } : { ms, problem: end.data.message };
}
function indexToolEnds(events: readonly BatonEvent[]): Context["toolEnds"] {
  const begun = new Map<string, number>();
  const ends = new Map<string, EndedTool>();
  for (const event of removeIdleTime(events)) {
    const { type, path, ts } = event;
    if (type === "tool.called") begun.set(path, ts);
    else if (type === "tool.completed" || type === "tool.failed")
      ends.set(path, { end: event, ms: ts - (begun.get(path) ?? ts) });
  }
  return ends;
}
function findAgentCalls(events: readonly BatonEvent[]): Set<string> {
  const above = new Set<string>();
  for (const { type, path } of events) {
    if (type !== "agent.started") continue;
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) above.add(path.slice(0, end));
  }
  return above;
}
