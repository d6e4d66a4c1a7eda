import { leavesCostUnknown } from "../cost-unknown.ts";
import type { Agent } from "../crew.ts";
import type { EventData, EventOf, EventPlace, Failure } from "../events.ts";
import type { Model } from "../models/model.ts";
import type { Clock } from "../run/clock.ts";
import type { Spending } from "../run/quota-caps.ts";
import type { Run } from "../run/run.ts";
import type { Scope } from "../run/scope.ts";
import { admitModelCall, type Charge, type ModelAdmission } from "./admit-model-call.ts";
import { LOST, ModelAttempt, placeOfAttempt, uncountCall } from "./model-attempt.ts";
import type { Unsent } from "./open-request.ts";

/** What calling a model needs besides the request itself. */
export interface ModelCalling {
  readonly run: Run;
  readonly clock: Clock;
  readonly scope: Scope;
  readonly place: EventPlace;
  readonly agent: Agent;
  readonly models: readonly Model[];
  /** How many calls in a row may fail, across the whole run. */
  readonly maxFailuresInARow: number;
  readonly backoff: { readonly minMs: number; readonly maxMs: number };
  readonly turn: number;
  /** What the call counts in, where there are quotas. */
  readonly charge: Charge | undefined;
}

export type ModelOutcome =
  /** Nothing was called: the session must come to its end first. */
  | { readonly type: "last_turn" }
  | { readonly type: "reply"; readonly reply: EventData["model.completed"] }
  | { readonly type: "failed"; readonly failure: Failure };

/** Calls the first model of the chain; a failure is retried, or goes to the next model. Each attempt is a step of its own. */
export function callModel(calling: ModelCalling, request: Unsent): ModelOutcome | Promise<ModelOutcome> {
  const { agent, models } = calling;
  const [model] = models;
  if (model === undefined) return { type: "failed", failure: failureOf(undefined, agent) };
  const first = attemptStep(calling, request, model, 0, 0);
  const goOn = (event: Attempted) =>
    event.type === "model.failed" ? retry(event, calling, request) : ended(event, calling);
  // A model that answers at once is not waited for.
  return first instanceof Promise ? first.then(goOn) : goOn(first);
}

async function retry(failure: EventOf<"model.failed">, calling: ModelCalling, request: Unsent): Promise<ModelOutcome> {
  const { run, agent, models } = calling;
  let last = failure;
  for (let attempt = 1, index = 0, triesOfModel = 1, lost = 0; ; attempt++) {
    // What a process died over is no failure of the model: it is asked the same again.
    const isLost = last.data.code === LOST;
    if (isLost) {
      lost++;
      triesOfModel--;
      uncountCall(run, agent.id, request.crew, models[index]);
    } else if (++run.failuresInARow >= calling.maxFailuresInARow)
      return { type: "failed", failure: tooMany(run, agent) };
    // Each model but the last gets one retry, if that may help; the last gets what remains of the attempts.
    const isLast = index === models.length - 1;
    if (!isLost && (last.data.isRetryable === false || (!isLast && triesOfModel > 1))) {
      index++;
      triesOfModel = 0;
    }
    const model = models[index];
    if (attempt - lost > agent.limits.maxRetries || model === undefined)
      return { type: "failed", failure: failureOf(last, agent) };
    // Another model need not wait for the one that failed.
    const waitMs = triesOfModel === 0 || isLost ? 0 : waitBefore(triesOfModel, last, calling.backoff);
    const event = await attemptStep(calling, request, model, attempt, waitMs);
    if (event.type !== "model.failed") return ended(event, calling);
    last = event;
    triesOfModel++;
  }
}

function ended(event: Exclude<Attempted, EventOf<"model.failed">>, { run }: ModelCalling): ModelOutcome {
  if (event.type === "last_turn") return event;
  run.failuresInARow = 0;
  run.costUsd += event.data.costUsd ?? 0;
  return { type: "reply", reply: event.data };
}

type Attempted = EventOf<"model.completed"> | EventOf<"model.failed"> | { readonly type: "last_turn" };

/** One attempt, as a step of the run. */
function attemptStep(
  calling: ModelCalling,
  request: Unsent,
  model: Model,
  attempt: number,
  waitMs: number,
): Promise<Attempted> | Attempted {
  if (calling.charge !== undefined) return chargedStep(calling, calling.charge, request, model, attempt, waitMs);
  // A model call has no other results than these.
  const step = calling.run.step(new ModelAttempt(calling, request, model, attempt, waitMs));
  return step as Promise<Attempted> | Attempted;
}

/** The same where the call counts in quotas: what it may take is held before, and settled by what it took. */
function chargedStep(
  calling: ModelCalling,
  charge: Charge,
  request: Unsent,
  model: Model,
  attempt: number,
  waitMs: number,
): Promise<Attempted> | Attempted {
  const place = placeOfAttempt(calling.place, calling.turn, attempt);
  const take = (admitted: ModelAdmission): Promise<Attempted> | Attempted => {
    if (admitted.type === "last_turn") return admitted;
    const { admission } = admitted;
    const effect = new ModelAttempt(calling, admitted.request, admitted.model, attempt, waitMs, admission);
    // A model call has no other results than these.
    const step = calling.run.step(effect) as Promise<AttemptEvent> | AttemptEvent;
    const settle = (event: AttemptEvent) => {
      admission.settle(billOf(event), calling.run.isRecorded(event));
      return event;
    };
    if (!(step instanceof Promise)) return settle(step);
    return step.then(settle, (error: unknown) => {
      // One that was never made took nothing.
      admission.giveUp({ usd: 0, tokens: 0 });
      throw error;
    });
  };
  // Another attempt belongs to the turn that has begun.
  const within = attempt === 0 ? charge : { ...charge, isLastTurn: true };
  const admitted = admitModelCall(within, request, model, place);
  return admitted instanceof Promise ? admitted.then(take) : take(admitted);
}

type AttemptEvent = EventOf<"model.completed"> | EventOf<"model.failed">;

/** What a call took; undefined where nobody knows, so that all that was held is booked. */
function billOf(event: AttemptEvent): Partial<Spending> | undefined {
  const { usage, costUsd } = event.data;
  if (event.type === "model.failed" && usage === undefined)
    return leavesCostUnknown(event.data.code) ? undefined : { usd: 0, tokens: 0 };
  if (usage === undefined) return undefined;
  return { tokens: usage.total, ...(costUsd !== undefined && { usd: costUsd }) };
}

/** The wait belongs to the attempt, so that going over the run again needs no clock. */
function waitBefore(tries: number, last: EventOf<"model.failed">, backoff: ModelCalling["backoff"]): number {
  if (last.data.isRetryable === false) return 0;
  return last.data.retryAfterMs ?? Math.min(backoff.maxMs, backoff.minMs * 2 ** (tries - 1));
}

function tooMany({ failuresInARow }: Run, agent: Agent): Failure {
  const message = `${failuresInARow} model calls in a row failed, which is as many as 'max_consecutive_errors' allows`;
  return { code: "model_failed", message, agent: agent.id };
}

function failureOf(last: EventOf<"model.failed"> | undefined, agent: Agent): Failure {
  const why = last === undefined ? "it has no model" : `${last.data.model}: ${last.data.message}`;
  return { code: "model_failed", message: `the model of agent '${agent.id}' failed: ${why}`, agent: agent.id };
}
