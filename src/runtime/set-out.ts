import { allAgents } from "../flow/all-crews.ts";
import type { World } from "../orchestration/crew-run.ts";
import { nameOfModel } from "../prepare/prepare-models.ts";
import { recordedTools, toolFacts } from "../prepare/tool-facts.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { KeptRun } from "../run-storage/keep-runs.ts";
import type { HeldServers } from "../servers/hold-servers.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { ResumeAnswer } from "../vocabulary/pause.ts";
import type { Start } from "../vocabulary/run-start.ts";
import { refuseChangedTools } from "./crew-changed.ts";

interface Going {
  readonly start: Start;
  readonly kept: KeptRun;
  readonly added?: readonly BatonEvent[];
}

interface Outfit {
  readonly models: World["models"];
  /** Undefined where nothing is called. */
  readonly tool: World["tool"] | undefined;
  readonly servers: HeldServers;
  readonly redactor: Redactor;
  /** Whether the tools may be others than when the run began. */
  readonly isCurrent: boolean;
}

/** What a run sets out with: its tools, what it was started with, and the events that are to be stored first. */
export function setOut({ start, kept, added = [] }: Going, crew: Crew, outfit: Outfit) {
  const { models, tool, servers, redactor, isCurrent } = outfit;
  const isBegun = kept.events.length > 0;
  const called = tool ?? recordedTools(crew, start.tools, kept.events);
  const toolOf: World["tool"] = (name, from) => servers.tool(name, from) ?? called(name, from);
  if (isBegun && !isCurrent) refuseChangedTools(start.tools, crew, toolOf);
  const facts = isBegun || !kept.isShared ? {} : toolFacts(crew, toolOf);
  const isNew = !isBegun && added.length === 0 && kept.isShared;
  return {
    toolOf,
    started: isNew ? { ...start, ...otherModels(crew, models), ...facts } : start,
    added: added.map((event) => withFacts(crew.settings.redact ? withoutSecrets(event, redactor) : event, facts)),
  };
}

/** Keeps an answer back until the run has come to it again: one that turns out to be another run now stays as it was. */
export function holdBack(kept: KeptRun, added: readonly BatonEvent[]): { write(): void } {
  const waiting = [...added];
  return {
    write() {
      for (const event of waiting.splice(0)) kept.write(event);
    },
  };
}

/** A fork goes on with the tools as they are. */
function withFacts(event: BatonEvent, facts: Pick<Start, "tools">): BatonEvent {
  return event.type === "run.started" ? { ...event, data: { ...event.data, ...facts } } : event;
}

/** An answer enters the run as everything else does. */
function withoutSecrets(event: BatonEvent, redactor: Redactor): BatonEvent {
  if (event.type !== "run.resumed") return event;
  // What is redacted has the form that it had.
  return { ...event, data: redactor.redactValue(event.data) as ResumeAnswer };
}

/** The models that agents have in the place of those that the crew names. */
function otherModels(crew: Crew, models: World["models"]): Pick<Start, "models"> {
  const others = allAgents(crew).flatMap(([id, agent]) => {
    const names = models(agent).map(({ name }) => name);
    const own = agent.models.map(nameOfModel);
    return names.join() === own.join() ? [] : [[id, names] as const];
  });
  return others.length === 0 ? {} : { models: Object.fromEntries(others) };
}
