import type { Crew } from "../crew.ts";
import type { BatonEvent } from "../events.ts";

/** What `--verbose` says of an event, for people who look for where a run took which way. */
export function logLinesOf(event: BatonEvent, crew: Crew): string[] {
  switch (event.type) {
    case "signal.emitted": {
      const { signal, level, deprecated } = event.data;
      const about = descriptionOf(signal, event.agent ?? "", crew);
      const line = `[SIGNAL-EVENT] Agent '${event.agent}' emitted '${signal}' (${level})${about === undefined ? "" : ` - ${about}`}`;
      return deprecated === undefined ? [line] : [line, `[SIGNAL-WARNING] ${signal} is deprecated: ${deprecated}`];
    }
    case "signal.unbound":
    case "signal.rejected":
      return [`[SIGNAL-ERROR] ${event.data.message}`];
    case "handoff":
      return handoffLines(event.data);
    case "handoff.refused":
      return [`[ROUTING] ${event.data.from} -> ${event.data.to} refused: max_handoffs is ${event.data.limit}`];
    case "run.paused":
      return [`[PAUSE:${event.data.agent}] Waiting for user input`];
    case "run.completed":
      return endLines(event.data);
    case "run.failed":
      return [`[ERROR] ${event.data.error.message}`];
    case "model.failed":
      return [`[MODEL] ${event.agent}: ${event.data.model} failed: ${event.data.message}`];
    case "tool.failed":
      return [`[TOOL] ${event.agent}: ${event.data.tool} failed: ${event.data.message}`];
    case "quota.warning":
      return [`[QUOTA] ${event.agent}: ${event.data.message}`];
    case "quota.exceeded":
      return [`[QUOTA] ${event.agent}: not called (${event.data.onExceed}): ${event.data.message}`];
    default:
      return [];
  }
}

/** What the binding says of a signal, else what its definition says. */
export function descriptionOf(signal: string, agent: string, crew: Crew): string | undefined {
  const binding = crew.bindings.get(agent)?.find((each) => each.signal === signal);
  return binding?.description ?? crew.signals.find(({ name }) => name === signal)?.description;
}

function handoffLines({ from, to, reason }: Extract<BatonEvent, { type: "handoff" }>["data"]): string[] {
  const signal = /^signal (\[.*\])$/.exec(reason)?.[1];
  if (signal === undefined) return [`[ROUTING] ${from} -> ${to} (${reason})`];
  return [
    `[ROUTING] ${from} -> ${to} (signal: ${signal})`,
    `[SIGNAL-SUCCESS] Agent '${from}' routed to '${to}' via signal ${signal}`,
  ];
}

function endLines({
  stopReason,
  signal,
  finalAgent,
}: Extract<BatonEvent, { type: "run.completed" }>["data"]): string[] {
  if (signal !== undefined) {
    return [
      `[ROUTING] ${finalAgent} -> TERMINATE (signal: ${signal})`,
      `[TERMINATE] Workflow ended by signal: ${signal}`,
    ];
  }
  return stopReason === "end_of_list" ? [`[ROUTING] No next agent found for ${finalAgent}`] : [];
}
