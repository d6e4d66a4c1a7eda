import { changeAgents, listAgents } from "../flow/list-crews.ts";
import type { ModelChoice } from "../models/model-choice.ts";
import { findChoiceProblem, nameChoice, readChoices } from "../prepare/model-choices.ts";
import { findModelOptions } from "../prepare/remember-models.ts";
import type { Clock } from "../run/clock.ts";
import { buildResult } from "../views/run-result.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { Paused, ResumeAnswer } from "../vocabulary/pause.ts";
import type { ModelOptions } from "../vocabulary/run-start.ts";
import { findAnswerProblem } from "./check-answer.ts";
import { continuationEvent } from "./continuation-events.ts";

/** Where a run is forked, and the one thing that is different from there on. */
export interface Fork {
  /** The `seq` of the last event that both runs share. */
  readonly at: number;
  /** Another reply of the model, or another result of an agent's function. The event at `at` must be a `model.completed` or `function.completed`. */
  readonly reply?: string | undefined;
  /**
   * Other words of the user. The event at `at` must be the `run.started` or a `run.resumed` that takes words: they become the tool's
   * result at the decision `happened`, and the input everywhere else.
   */
  readonly input?: string | undefined;
  /** Other prompts, by agent. */
  readonly prompts?: Readonly<Record<string, string>> | undefined;
  /** Other models for all agents, to try in order: names, `provider/model`, or model objects. */
  readonly models?: readonly ModelChoice[] | undefined;
}

const kinds: Readonly<Record<keyof Fork, string>> = {
  at: "the number of an event",
  reply: "text",
  input: "text",
  prompts: "an object of prompts by agent",
  models: 'a list of models: names such as "openai/gpt-5", or model objects',
};

const isOfKind: { readonly [Key in keyof Fork]-?: (value: unknown) => boolean } = {
  at: Number.isInteger,
  reply: isText,
  input: isText,
  prompts: (value) => isRecord(value) && Object.values(value).every(isText),
  models: (value) => Array.isArray(value) && value.every((each) => findChoiceProblem(each) === undefined),
};

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Checks at run time what the compiler checks in TypeScript. */
export function checkFork(fork: Fork): void {
  const refuse = (problem: string): never => {
    throw new BatonError("bad-fork", problem);
  };
  if (!isRecord(fork)) refuse("say where the run is to be forked: fork(runId, { at: 5 })");
  for (const [key, value] of Object.entries(fork)) {
    if (!Object.hasOwn(kinds, key))
      refuse(`there is no '${key}' in a fork; there are ${Object.keys(kinds).join(", ")}`);
    const known = key as keyof Fork;
    if (value !== undefined && !isOfKind[known](value)) refuse(`'${key}' must be ${kinds[known]}`);
  }
  if (fork.reply !== undefined && fork.input !== undefined)
    refuse("give 'reply' or 'input', not both: the event at the fork takes one of them");
}

/** The fork without the secrets in its words: they enter a run, as any input does. */
export function redactFork(fork: Fork, redact: (text: string) => string): Fork {
  const { reply, input } = fork;
  return {
    ...fork,
    ...(reply !== undefined && { reply: redact(reply) }),
    ...(input !== undefined && { input: redact(input) }),
  };
}

/** The run that a fork begins. */
interface ForkedRun {
  readonly runId: RunId;
  readonly clock: Clock;
  readonly crew: Crew;
  /** How its models are given. */
  readonly named: ModelOptions | undefined;
}

/** The events that a fork begins with, under the fork's own id. */
export function forkEvents(
  events: readonly BatonEvent[],
  fork: Fork,
  { runId, clock, crew, named }: ForkedRun,
): BatonEvent[] {
  const last = events[fork.at];
  const [first] = events;
  if (last === undefined || first === undefined)
    throw new BatonError("bad-fork", `the run has no event ${fork.at}; its events are 0 to ${events.length - 1}`);
  const shared = [...events.slice(0, fork.at), waitingAnew(changed(last, fork, events, crew), clock)];
  const model = fork.models?.map(nameChoice).join(",");
  const modelOptions = named ?? (model === undefined ? findModelOptions(shared) : { model });
  const own = shared.map(
    (event): BatonEvent => ({ ...withoutModelOptions(event), runId, id: `${runId}.${event.seq}` }),
  );
  const [started] = own;
  if (started?.type === "run.started") {
    const forkedFrom = { runId: first.runId, seq: fork.at };
    own[0] = {
      ...started,
      data: { ...started.data, forkedFrom, ...(modelOptions !== undefined && { modelOptions }) },
    };
  }
  // A fork that is paused or has ended there does not continue by itself.
  const { status } = buildResult(own);
  return status === "running" || status === "queued"
    ? [...own, continuationEvent(own.at(-1) ?? last, "forked", clock)]
    : own;
}

/** The first event of a fork says how its models are given, so later events of the origin must not say so too. */
function withoutModelOptions(event: BatonEvent): BatonEvent {
  if (event.type === "run.started") {
    const { modelOptions: _, ...data } = event.data;
    return { ...event, data };
  }
  if (event.type === "run.resumed") {
    const { modelOptions: _, ...data } = event.data;
    return { ...event, data };
  }
  if (event.type !== "run.continued") return event;
  const { modelOptions: _, ...data } = event.data;
  return { ...event, data };
}

/** A fork that begins with a pause gets the whole deadline of that pause again. */
function waitingAnew(event: BatonEvent, clock: Clock): BatonEvent {
  if (event.type !== "run.paused" || event.data.expiresAt === undefined) return event;
  const waitsMs = Date.parse(event.data.expiresAt) - event.ts;
  return { ...event, data: { ...event.data, expiresAt: new Date(clock.now() + waitsMs).toISOString() } };
}

function changed(event: BatonEvent, { reply, input, at }: Fork, events: readonly BatonEvent[], crew: Crew): BatonEvent {
  if (reply !== undefined) {
    if (event.type === "model.completed") return { ...event, data: { ...event.data, text: reply, toolCalls: [] } };
    if (event.type === "function.completed") return { ...event, data: { ...event.data, result: reply } };
    const where = "'model.completed' or 'function.completed'";
    throw new BatonError("bad-fork", `a reply can be changed at ${where}; event ${at} is '${event.type}'`);
  }
  if (input === undefined) return event;
  if (event.type === "run.started") return { ...event, data: { ...event.data, input } };
  const paused = events[at - 1];
  if (event.type !== "run.resumed" || paused?.type !== "run.paused") {
    const where = "'run.started' or 'run.resumed'";
    throw new BatonError("bad-fork", `an input can be changed at ${where}; event ${at} is '${event.type}'`);
  }
  const { modelOptions, attachments, ...given } = event.data;
  const answer = otherWords(paused.data, given, input);
  const problem = findAnswerProblem(paused.data, answer, crew);
  if (problem === undefined)
    return {
      ...event,
      data: {
        ...answer,
        ...(attachments !== undefined && { attachments }),
        ...(modelOptions !== undefined && { modelOptions }),
      },
    };
  throw new BatonError("bad-fork", `the input does not fit event ${at}, which answers a pause: ${problem}`);
}

/** The same answer with other words, as a person gives it. Only a deadline decides `fail`, so nothing is left of that. */
function otherWords({ reason }: Paused, { decision, args }: ResumeAnswer, words: string): ResumeAnswer {
  const kept = {
    ...(decision !== undefined && decision !== "fail" && { decision }),
    ...(args !== undefined && { args }),
  };
  return reason === "ambiguous" ? { ...kept, result: words } : { ...kept, input: words };
}

/** The crew with the fork's prompts and models. */
export function forkCrew(crew: Crew, { prompts = {}, models }: Fork): Crew {
  const agents = new Map(listAgents(crew));
  for (const name of Object.keys(prompts)) {
    const agent = agents.get(name);
    if (agent === undefined)
      throw new BatonError("bad-fork", `there is no agent '${name}'; the crew has ${[...agents.keys()].join(", ")}`);
    if (agent.function !== undefined)
      throw new BatonError("bad-fork", `agent '${name}' is a function and has no prompt`);
  }
  const chosen = models && readChoices(models);
  return changeAgents(crew, (agent, name) => ({
    ...agent,
    prompt: prompts[name] ?? agent.prompt,
    models: agent.function === undefined ? (chosen ?? agent.models) : [],
  }));
}
