import type { BatonEvent } from "../../../src/vocabulary/events.ts";

/** Groups of event types that one filter shows or hides. */
export const eventKinds = {
  run: ["run."],
  agents: ["agent."],
  models: ["model.", "context.", "answer.", "nonce."],
  tools: ["tool.", "function."],
  signals: ["signal."],
  handoffs: ["handoff", "classification", "route."],
  groups: ["parallel.", "crews."],
  crews: ["crew."],
  teams: ["team.", "advisors."],
  clarifications: ["clarification."],
  external: ["external."],
  quotas: ["quota.", "deadline."],
  guards: ["guard."],
  memory: ["memory."],
} as const;

export type EventKind = keyof typeof eventKinds;

export function findKind(type: string): EventKind {
  const kinds = Object.entries(eventKinds) as [EventKind, readonly string[]][];
  return kinds.find(([, prefixes]) => prefixes.some((prefix) => type.startsWith(prefix)))?.[0] ?? "run";
}

/** One line that says what an event tells. */
export function describeEvent(event: BatonEvent): string {
  switch (event.type) {
    case "run.started":
      return event.data.input;
    case "run.paused":
      return event.data.prompt;
    case "run.resumed":
      return event.data.decision ?? event.data.input ?? "continues";
    case "run.completed":
      return `${event.data.stopReason}: ${event.data.output}`;
    case "run.failed":
      return event.data.error.message;
    case "run.cancelled":
    case "run.cancelling":
      return event.data.reason;
    case "agent.started":
    case "agent.told":
      return event.data.input;
    case "agent.completed":
      return event.data.answer;
    case "agent.failed":
    case "model.failed":
    case "tool.failed":
    case "function.failed":
    case "signal.rejected":
    case "signal.unbound":
    case "quota.warning":
    case "quota.exceeded":
      return event.data.message;
    case "model.called":
      return `${event.data.model}, turn ${event.data.turn + 1}${event.data.attempt > 1 ? `, attempt ${event.data.attempt}` : ""}`;
    case "model.completed":
      return event.data.toolCalls.length === 0
        ? event.data.text
        : `calls ${event.data.toolCalls.map(({ name }) => name).join(", ")}`;
    case "tool.called":
      return `${event.data.tool} ${JSON.stringify(event.data.args)}`;
    case "tool.completed":
      return `${event.data.tool} → ${event.data.result}`;
    default:
      return describeRest(event);
  }
}

function describeRest(event: BatonEvent): string {
  switch (event.type) {
    case "signal.emitted":
      return `${event.data.signal} (${event.data.level})`;
    case "handoff":
    case "handoff.refused":
      return `${event.data.from} → ${event.data.to}: ${event.data.reason}`;
    case "handoff.skipped":
      return `${event.data.from} does not hand off to ${event.data.to}: ${event.data.reason}`;
    case "classification":
      return `${event.data.agent}, ${Math.round(event.data.confidence * 100)} % sure`;
    case "parallel.started":
      return `${event.data.group}: ${event.data.members.join(", ")}`;
    case "parallel.joined":
      return `${event.data.group}: ${event.data.outcomes.map(({ member, status }) => `${member} ${status}`).join(", ")}`;
    case "crew.entered":
    case "crew.left":
      return event.type === "crew.left" ? `${event.data.crew} ${event.data.status}` : event.data.crew;
    case "team.broadcast":
      return `${event.data.memberId}: ${event.data.message}`;
    case "function.completed":
      return event.data.result;
    case "clarification.asked":
      return event.data.question;
    case "clarification.answered":
      return event.data.answer;
    case "context.trimmed":
      return `${event.data.messages} earlier messages trimmed`;
    default:
      return JSON.stringify(event.data);
  }
}
