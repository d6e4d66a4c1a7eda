import { addReferences } from "../vocabulary/attachment.ts";
import type { BatonEvent, BranchOutcome, EventData, EventOf, Failure, HandoffVia } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import { removeIdleTime } from "../vocabulary/idle-time.ts";
import type { Paused, ResumeAnswer } from "../vocabulary/pause.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { describeAside } from "./describe-aside.ts";
import { explainChoice } from "./explain-choice.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { buildResult, type RunResult } from "./run-result.ts";

/** Something that was said or done. The depth grows by one inside each session, group and crew. */
export type TranscriptEntry = Content & { readonly ts: number; readonly path: string; readonly depth: number };

type Content =
  /** An agent begins. `input` is its task, unless the transcript already shows that text. */
  | { readonly type: "began"; readonly name: string; readonly asker?: string; readonly input?: string }
  | { readonly type: "group"; readonly name: string; readonly members: readonly string[] }
  | { readonly type: "crew"; readonly name: string }
  | {
      readonly type: "said" | "thought";
      readonly from: string;
      readonly to?: string;
      readonly text: string;
      /** The text without its signals, if it has any and the run's reader does not see them. */
      readonly shown?: string;
    }
  | { readonly type: "failed"; readonly from: string; readonly error: Failure }
  | {
      readonly type: "tool";
      readonly from: string;
      readonly tool: string;
      readonly args: unknown;
      readonly end: ToolEnd;
    }
  | { readonly type: "signal"; readonly from: string; readonly signal: string; readonly token: string }
  | ({ readonly type: "handoff"; readonly via: HandoffVia; readonly reason: string } & FromTo)
  | { readonly type: "chosen"; readonly agent: string; readonly reason: string }
  | { readonly type: "joined"; readonly group: string; readonly outcomes: readonly BranchOutcome[] }
  | ({ readonly type: "paused" } & Paused)
  | ({ readonly type: "answered" } & ResumeAnswer)
  /** A problem, or something beside the conversation. */
  | { readonly type: "note"; readonly text: string }
  | ({ readonly type: "ended" } & Pick<RunResult, "status" | "stopReason" | "error">);

interface FromTo {
  readonly from: string;
  readonly to: string;
}

interface ToolEnd {
  readonly ms?: number;
  readonly result?: string;
  readonly problem?: string;
}

interface Section {
  readonly name: string;
  readonly isGroup: boolean;
  readonly items: ((Content & { readonly ts: number; readonly path: string }) | Section)[];
}

/**
 * Builds the transcript: who said what to whom. It follows the tree of the run, so parallel work is told one agent after the
 * other.
 */
export function buildTranscript(events: readonly BatonEvent[]): TranscriptEntry[] {
  const root: Section = { name: "", isGroup: false, items: [] };
  const sections = new Map([["", root]]);
  const said = new Set<string>();
  const lastReplies = new Map<string, string>();
  const context: Context = { events, toolEnds: indexToolEnds(events), agentCalls: findAgentCalls(events), said };
  for (const event of events) {
    const { path, ts } = event;
    const section = findEnclosing(path, sections);
    const { items } = sections.get(path) ?? section;
    // Advisors and teams that work before an agent speaks are part of its session.
    const isOpen = openings.has(event.type) && sections.has(path);
    if (event.type === "model.completed") lastReplies.set(findSession(path), path);
    const isSaid = isSaidBeside(event, items, lastReplies.get(path));
    const contents = isOpen || isSaid ? [] : listContents(event, section, context);
    for (const content of contents) {
      items.push({ ...content, ts, path });
      if ("text" in content) said.add(content.text);
    }
    for (const words of listSideRemarks(event)) said.add(words);
    const [opened] = contents;
    if (opened?.type !== "began" && opened?.type !== "group" && opened?.type !== "crew") continue;
    const inside: Section = { name: opened.name, isGroup: opened.type !== "began", items: [] };
    items.push(inside);
    sections.set(path, inside);
  }
  return flatten(root, 0);
}

/** Texts that readers have seen already although no entry says them. */
function listSideRemarks(event: BatonEvent): string[] {
  switch (event.type) {
    case "parallel.joined":
    case "crews.joined":
      return [event.data.output];
    case "team.started":
      return [event.data.task];
    case "run.resumed":
      return [event.data.input ?? ""];
    default:
      return [];
  }
}

const openings: ReadonlySet<BatonEvent["type"]> = new Set(["agent.started", "advisors.started", "team.started"]);

interface EndedTool {
  readonly end: EventOf<"tool.completed"> | EventOf<"tool.failed">;
  readonly ms: number;
}

interface Context {
  readonly events: readonly BatonEvent[];
  readonly toolEnds: ReadonlyMap<string, EndedTool>;
  /** Places below which agents work. Calls of agents are told as the work of those agents. */
  readonly agentCalls: ReadonlySet<string>;
  readonly said: ReadonlySet<string>;
}

function listContents(event: BatonEvent, section: Section, context: Context): Content[] {
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

/** A call is inside a turn, and a turn inside a session. */
function findSession(call: string): string {
  return call.split("/").slice(0, -2).join("/");
}

/** Whether the words beside a call are the answer: the call ends the agent's session, or its turn in a team. */
function isSaidBeside(event: BatonEvent, items: Section["items"], reply: string | undefined): boolean {
  const text =
    event.type === "agent.completed"
      ? event.data.answer
      : event.type === "team.broadcast"
        ? event.data.message
        : undefined;
  if (text === undefined || reply === undefined) return false;
  return items.some((item) => "path" in item && item.path === reply && item.type === "said" && item.text === text);
}

function findAgentCalls(events: readonly BatonEvent[]): Set<string> {
  const above = new Set<string>();
  for (const { type, path } of events) {
    if (type !== "agent.started") continue;
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) above.add(path.slice(0, end));
  }
  return above;
}

function findEnclosing(path: string, sections: ReadonlyMap<string, Section>): Section {
  const above = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const section = sections.get(above);
  return section ?? findEnclosing(above, sections);
}

function flatten({ items }: Section, depth: number): TranscriptEntry[] {
  return items.flatMap((item) => ("items" in item ? flatten(item, depth + 1) : [{ ...item, depth }]));
}
