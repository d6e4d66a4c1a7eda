import { listAgents } from "../flow/list-crews.ts";
import type { World } from "../orchestration/crew-run.ts";
import { formatModelName } from "../prepare/prepare-models.ts";
import { collectToolFacts, createRecordedServerTools, createRecordedTools } from "../prepare/tool-facts.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { RunLog } from "../run-storage/run-log.ts";
import type { HeldServers } from "../servers/hold-servers.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { ResumeAnswer } from "../vocabulary/pause.ts";
import type { Start } from "../vocabulary/run-start.ts";
import { refuseChangedTools } from "./crew-changed.ts";
import type { RunPlan } from "./run-plan.ts";
import type { Prepared } from "./runtime.ts";

interface Equipment extends Pick<Prepared, "models" | "tool"> {
  readonly servers: HeldServers;
  /** The run's own span, where it is traced. */
  readonly traceparent: string | undefined;
}

/** The tools of a run, the data of its `run.started`, and the events that are stored before it calls anything. */
export function equipRun(plan: RunPlan, log: RunLog, { models, tool, servers, traceparent }: Equipment) {
  const { runtime, start, added = none, acceptChanges = false } = plan;
  const { crew, redactor, isIdle, usesServerPatterns } = runtime;
  const isBegun = log.events.length > 0;
  const called = tool ?? createRecordedTools(crew, start.tools, log.events);
  const findTool: World["tool"] = (name, from) => servers.tool(name, from) ?? called(name, from);
  if (isBegun && !isIdle && !acceptChanges) refuseChangedTools(start.tools, crew, findTool);
  // Which tools a server has is known only while it runs, so a run that continues has those that it began with.
  const isRecorded = start.tools !== undefined || isIdle;
  const serverTools = isRecorded ? createRecordedServerTools(crew, start.tools) : servers.serverTools;
  const facts =
    isBegun || isIdle || !(log.isShared || usesServerPatterns) ? {} : collectToolFacts(crew, findTool, serverTools);
  const isNew = !isBegun && added.length === 0;
  const traced = isNew && traceparent !== undefined ? { ...start, traceparent } : start;
  return {
    findTool,
    serverTools,
    started: isNew ? { ...traced, ...(log.isShared && !isIdle && otherModels(crew, models)), ...facts } : traced,
    added:
      added.length === 0
        ? added
        : added.map((event) => withFacts(crew.settings.redact ? withoutSecrets(event, redactor) : event, facts)),
  };
}

const none: readonly never[] = [];
/**
 * Holds an answer back until the replayed run reaches it, and gives what writes it then. If the replay differs from the journal, the
 * stored run stays as it was.
 */
export function holdBack(log: RunLog, added: readonly BatonEvent[]): (() => void) | undefined {
  if (added.length === 0) return undefined;
  const waiting = [...added];
  return () => {
    for (const event of waiting.splice(0)) log.write(event);
  };
}

/** A fork continues with the tools as they are now. */
function withFacts(event: BatonEvent, facts: Pick<Start, "tools">): BatonEvent {
  return event.type === "run.started" ? { ...event, data: { ...event.data, ...facts } } : event;
}

/** An answer loses its secrets before it enters the run, as all input does. */
function withoutSecrets(event: BatonEvent, redactor: Redactor): BatonEvent {
  if (event.type !== "run.resumed") return event;
  // Redaction replaces strings only, so the structure stays the same.
  return { ...event, data: redactor.redactValue(event.data) as ResumeAnswer };
}

/** The models of agents that have others than the crew names. */
function otherModels(crew: Crew, models: World["models"]): Pick<Start, "models"> {
  const others = listAgents(crew).flatMap(([id, agent]) => {
    const names = models(agent).map(({ name }) => name);
    const own = agent.models.map(formatModelName);
    return names.join() === own.join() ? [] : [[id, names] as const];
  });
  return others.length === 0 ? {} : { models: Object.fromEntries(others) };
}
