import type { Crew } from "../vocabulary/crew.ts";
import type { BatonEvent, EventData, EventOf } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import { explainChoice } from "./explain-choice.ts";
import { explainLeft } from "./explain-end.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { findAgentCrew } from "./find-agent-crew.ts";

/** A note for every reader if a conversation could not continue with its agent. */
export function describeMissingHolder(event: BatonEvent): string | undefined {
  const gone = event.type === "run.started" ? event.data.session?.gone : undefined;
  if (gone === undefined) return undefined;
  return `agent '${gone}', who had the conversation, is not in the crew any more: it begins again at the entry point`;
}

/** A note that no agent fits an input well enough, and which agent takes it. There is none if the crew has only one agent. */
export function describeUncertainEntry(event: BatonEvent): string | undefined {
  if (event.type !== "classification" || event.data.low_confidence !== true) return undefined;
  const { agent, alternatives, reason = "no agent fits the input" } = event.data;
  if (alternatives.length === 0) return undefined;
  return `${formatPrefix(event)}low confidence: ${reason}; '${agent}', the first agent, begins`;
}

/** A note that a webhook or a handler was not told of an external signal. There is none if all were. */
export function describeUndelivered(event: BatonEvent): string | undefined {
  if (event.type !== "external.delivered" || event.data.failures.length === 0) return undefined;
  const { signal, failures } = event.data;
  return `external signal ${signal} of agent '${nameSpeaker(event)}': ${failures.join("; ")}`;
}

/** The lines that `--verbose` prints for an event, for people who want to know which way a run took. */
export function formatLogLines(event: BatonEvent, crew: Crew): string[] {
  switch (event.type) {
    case "signal.emitted": {
      const { signal, level, deprecated } = event.data;
      const about = findDescription(event, crew);
      const line = `[SIGNAL-EVENT] Agent '${nameSpeaker(event)}' emitted '${signal}' (${level})${about === undefined ? "" : ` - ${about}`}`;
      return deprecated === undefined ? [line] : [line, `[SIGNAL-WARNING] ${signal} is deprecated: ${deprecated}`];
    }
    case "answer.rejected":
      return [`[OUTPUT] The answer of agent '${nameSpeaker(event)}' does not fit: ${event.data.problem}`];
    case "signal.unbound":
    case "signal.rejected":
      return [`[SIGNAL-ERROR] ${event.data.message}`];
    case "classification":
      return [`[CLASSIFICATION] ${formatPrefix(event)}${event.data.agent} begins (${explainChoice(event.data)})`];
    case "handoff":
      return formatHandoff(event.data, formatPrefix(event));
    case "route.learned":
      return [`[LEARNED] ${formatPrefix(event)}${event.data.from}: ${event.data.reason}`];
    case "handoff.skipped":
      return [
        `[ROUTING] ${formatPrefix(event)}${event.data.from} does not hand off to ${event.data.to}: ${event.data.reason}`,
      ];
    case "handoff.refused":
      return [formatRefusal(event.data, formatPrefix(event))];
    case "run.paused":
      return [`[PAUSE:${event.data.agent}] Waiting for user input`];
    case "run.completed":
      return formatEnd(event.data);
    case "run.failed":
      return [`[ERROR] ${event.data.error.message}`];
    case "crew.entered":
      return [`[CREW] ${formatPrefix(event)}${event.data.crew} entered (depth ${event.data.depth})`];
    case "crew.left":
      return [formatCrewLeft(event)];
    case "crew.retrying":
      return [`[CREW] ${formatPrefix(event)}${event.data.crew} is called again in ${event.data.waitMs / 1000} s`];
    case "model.called":
      return formatEased(event);
    case "model.failed":
      return [`[MODEL] ${nameSpeaker(event)}: ${event.data.model} failed: ${event.data.message}`];
    case "function.failed":
      return [`[FUNCTION] ${nameSpeaker(event)}: its function failed: ${event.data.message}`];
    case "tool.failed":
      return [`[TOOL] ${nameSpeaker(event)}: ${event.data.tool} failed: ${event.data.message}`];
    case "external.delivered": {
      const problem = describeUndelivered(event);
      return problem === undefined ? [] : [`[EXTERNAL-ERROR] ${problem}`];
    }
    case "quota.warning":
      return [`[QUOTA] ${nameSpeaker(event)}: ${event.data.message}`];
    case "quota.exceeded":
      return [`[QUOTA] ${nameSpeaker(event)}: not called (${event.data.onExceed}): ${event.data.message}`];
    default:
      return [];
  }
}

/** The description in the binding, or else the one in the signal's definition. */
export function findDescription(event: EventOf<"signal.emitted">, root: Crew): string | undefined {
  const { signal } = event.data;
  const crew = findAgentCrew(nameSpeaker(event), root);
  const binding = crew.bindings.get(event.agent ?? "")?.find((each) => each.signal === signal);
  return binding?.description ?? crew.signals.find(({ name }) => name === signal)?.description;
}

/** A warning, once for each model and run, that requests go without what the provider refused. */
function formatEased({ data: { model, refused } }: EventOf<"model.called">): string[] {
  if (refused === undefined) return [];
  const what = {
    tool_choice: "a required tool choice",
    schema: "the schema of a JSON answer",
    json: "to be asked for JSON by the request's format",
    tools: "tools",
  }[refused];
  return [`[MODEL-WARNING] ${model} refused ${what}; from now on this run asks it without`];
}

/** Names in a sub-crew get the crew's name in front. */
function formatPrefix({ crew }: BatonEvent): string {
  return crew === undefined ? "" : `${crew}/`;
}

function formatCrewLeft(event: EventOf<"crew.left">): string {
  const { crew, status } = event.data;
  const why = explainLeft(event.data);
  return `[CREW] ${formatPrefix(event)}${crew} left: ${status}${why === undefined ? "" : ` (${why})`}`;
}

function formatRefusal(data: EventData["handoff.refused"], prefix: string): string {
  return `[ROUTING] ${prefix}${data.from} -> ${data.to} refused: ${explainRefusal(data)}`;
}

function formatHandoff({ from, to, via, reason, circular }: EventData["handoff"], prefix: string): string[] {
  // A transfer's reason is the agent's own words and not a signal.
  const signal = via === "transfer" ? undefined : /^signal (\[.*\])$/.exec(reason)?.[1];
  const warnings = circular ? [`[ROUTING-WARNING] circular: ${prefix}${to} had the work before`] : [];
  if (signal === undefined)
    return [`[ROUTING] ${prefix}${from} -> ${to} (${via === "transfer" ? "transfer: " : ""}${reason})`, ...warnings];
  return [
    `[ROUTING] ${prefix}${from} -> ${to} (signal: ${signal})`,
    `[SIGNAL-SUCCESS] Agent '${prefix}${from}' routed to '${to}' via signal ${signal}`,
    ...warnings,
  ];
}

function formatEnd({ stopReason, signal, finalAgent }: EventData["run.completed"]): string[] {
  if (signal !== undefined) {
    return [
      `[ROUTING] ${finalAgent} -> TERMINATE (signal: ${signal})`,
      `[TERMINATE] Workflow ended by signal: ${signal}`,
    ];
  }
  return stopReason === "end_of_list" ? [`[ROUTING] No next agent found for ${finalAgent}`] : [];
}
