import type { BatonEvent, EventOf } from "../../vocabulary/events.ts";
import { nameSpeaker } from "../../vocabulary/events.ts";
import type { Found } from "../finding.ts";
import { type Detector, locateAgentKey, locateCrewKey, quoteEvent, type Scene } from "../scene.ts";

/** Finds what stopped or blocks a run: quotas, time, unanswered questions, processes that ended. */
export const findStoppages: Detector = (scene) => [
  ...scene.story.events.flatMap((event) => findQuotaOrTimeLimit(event)),
  ...findFailedRun(scene),
  ...findPausedRun(scene),
];

function findQuotaOrTimeLimit(event: BatonEvent): Found[] {
  const base = { confidence: "certain", agents: event.agent === undefined ? [] : [nameSpeaker(event)] } as const;
  if (event.type === "quota.exceeded") {
    const { quota, level, of, limit, used, message, onExceed } = event.data;
    const keys =
      level === "agent"
        ? locateAgentKey({ crew: event.crew, agent: of }, "quotas", quota)
        : locateCrewKey(event.crew, "settings", "quotas", quota);
    return [
      {
        ...base,
        code: "quota-reached",
        severity: onExceed === "stop" ? "high" : "medium",
        title: `${quota} of ${of} was used up`,
        evidence: [quoteEvent(event, message)],
        why: `${used} of ${limit} were used, and the next call did not fit.`,
        where: keys,
        advice: `raise '${quota}', or see below where it went`,
      },
    ];
  }
  if (event.type !== "deadline.passed" || event.data.what === "retry") return [];
  const { what, afterMs } = event.data;
  return [
    {
      ...base,
      code: "timed-out",
      severity: what === "run" ? "high" : "medium",
      title: `time was up after ${afterMs / 1000} s (${what})`,
      evidence: [quoteEvent(event, `${what}: ${afterMs / 1000} s`)],
      why: `What was under way then was given up.`,
      where: locateCrewKey(
        event.crew,
        "settings",
        what === "run" ? "timeout_seconds" : what === "crew" ? "sub_crew_timeout_seconds" : "parallel_timeout_seconds",
      ),
      advice: "give it more time, or less to do",
    },
  ];
}

/** These failures have findings of their own. */
const TOLD: ReadonlySet<string> = new Set([
  "max_turns",
  "output_invalid",
  "model_failed",
  "quota",
  "timeout",
  "sub_crew_failed",
  "no_success",
]);

function findFailedRun({ story: { ending } }: Scene): Found[] {
  if (ending?.type !== "run.failed") return [];
  const { code, message, agent, crew } = ending.data.error;
  if (TOLD.has(code)) return [];
  if (code === "max_crew_depth") return [describeTooDeep(ending, message, crew)];
  return [
    {
      code: "run-failed",
      severity: "high",
      confidence: "certain",
      title: `the run failed: ${code}`,
      agents: agent === undefined ? [] : [agent],
      evidence: [quoteEvent(ending, message)],
      why: message,
      where:
        agent === undefined
          ? locateCrewKey(undefined, "routing")
          : locateAgentKey({ crew: undefined, agent }, "system_prompt"),
      advice: "see its last events: baton show --events",
    },
  ];
}

function describeTooDeep(ending: EventOf<"run.failed">, message: string, crew: string | undefined): Found {
  return {
    code: "limit-reached",
    severity: "high",
    confidence: "certain",
    title: `crews were nested deeper than max_crew_depth${crew === undefined ? "" : ` of ${crew}`} allows`,
    agents: [],
    evidence: [quoteEvent(ending, message)],
    why: message,
    where: locateCrewKey(crew, "settings", "max_crew_depth"),
    advice: "raise 'max_crew_depth' there, or call the crew from one that is less deep",
  };
}

function findPausedRun({ story: { ending, events } }: Scene): Found[] {
  if (ending?.type === "run.paused") return [describeWaiting(ending)];
  const last = events.at(-1);
  if (ending !== undefined || last === undefined) return [];
  const open = new Map<string, BatonEvent>();
  for (const event of events) {
    if (/^(?:model|tool|function)\.called$/.test(event.type)) open.set(event.path, event);
    else if (/^(?:model|tool|function)\.(?:completed|failed)$/.test(event.type)) open.delete(event.path);
  }
  const calls = [...open.values()];
  return [
    {
      code: "interrupted",
      severity: "medium",
      confidence: "certain",
      title: "the run has no end: it is still going on, or its process is gone",
      agents: [...new Set(calls.map(nameSpeaker))],
      evidence: (calls.length === 0 ? [last] : calls).map((event) => quoteEvent(event, event.type)),
      why:
        calls.length === 0
          ? "Its last event is neither an end nor a pause."
          : `${calls.length} ${calls.length === 1 ? "call has" : "calls have"} no result.`,
      where: locateCrewKey(undefined),
      advice: "if nobody is at work on it any more: baton resume",
    },
  ];
}

function describeWaiting(paused: EventOf<"run.paused">): Found {
  const { agent, reason, prompt } = paused.data;
  const isForgotten = reason === "no_signal";
  const place = { crew: paused.crew, agent: paused.agent ?? agent };
  return {
    code: isForgotten ? "missed-signal" : "waiting",
    severity: isForgotten ? "medium" : "low",
    confidence: "certain",
    title: isForgotten ? `${agent} forgot its signal, and the run waits` : `${agent} waits for an answer (${reason})`,
    agents: [agent],
    evidence: [quoteEvent(paused, prompt)],
    why: `The run is paused, and nobody has answered.`,
    where: isForgotten
      ? locateAgentKey(place, "system_prompt")
      : locateCrewKey(paused.crew, "routing", "agent_behaviors", place.agent),
    advice: "baton resume answers it",
  };
}
