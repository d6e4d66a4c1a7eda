import type { Attributes } from "@opentelemetry/api";
import type { BatonEvent, BranchOutcome, EventData } from "../vocabulary/events.ts";

/** Something that happens within a span. */
interface SpanEvent {
  readonly name: string;
  readonly attributes: Attributes;
}

/**
 * Finds the span event for signals, handoffs and groups. Words that a model wrote are included only if content is captured: the
 * reason of a transfer, and bracketed names that are not signals of the agent.
 */
export function findSpanEvent(event: BatonEvent, capturesContent: boolean): SpanEvent | undefined {
  const attributes = listAttributes(event, capturesContent);
  if (attributes === undefined) return undefined;
  const agent = event.agent === undefined ? {} : { "gen_ai.agent.name": event.agent };
  return { name: `baton.${event.type}`, attributes: { ...agent, ...attributes } };
}

function listAttributes(event: BatonEvent, capturesContent: boolean): Attributes | undefined {
  switch (event.type) {
    case "signal.emitted":
      return { "baton.signal.name": event.data.signal, "baton.signal.level": event.data.level };
    case "signal.rejected":
      return { "baton.signal.name": event.data.signal };
    case "signal.unbound":
      return capturesContent ? { "baton.signal.name": event.data.signal } : {};
    case "handoff": {
      const { n, circular = false } = event.data;
      return {
        ...listHandoffAttributes(event.data, capturesContent),
        "baton.handoff.n": n,
        "baton.handoff.circular": circular,
      };
    }
    case "handoff.refused":
      return { ...listHandoffAttributes(event.data, capturesContent), "baton.handoff.limit": event.data.limit };
    case "parallel.started":
      return { "baton.group.name": event.data.group, "baton.group.members": [...event.data.members] };
    case "parallel.joined":
      return { "baton.group.name": event.data.group, ...listOutcomeAttributes(event.data.outcomes) };
    case "crews.joined":
      return listOutcomeAttributes(event.data.outcomes);
    default:
      return undefined;
  }
}

function listHandoffAttributes(
  { from, to, via, reason }: EventData["handoff"] | EventData["handoff.refused"],
  capturesContent: boolean,
): Attributes {
  const isOwnWords = via === "transfer";
  return {
    "baton.handoff.from": from,
    "baton.handoff.to": to,
    "baton.handoff.via": via,
    ...((!isOwnWords || capturesContent) && { "baton.handoff.reason": reason }),
  };
}

/** Lists the members by how they ended. */
function listOutcomeAttributes(outcomes: readonly BranchOutcome[]): Attributes {
  const byStatus: Record<string, string[]> = {};
  for (const { member, status } of outcomes) {
    const key = `baton.group.${status}`;
    byStatus[key] = [...(byStatus[key] ?? []), member];
  }
  return byStatus;
}
