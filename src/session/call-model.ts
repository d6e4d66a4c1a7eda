import type { Model } from "../models/model.ts";
import type { Clock } from "../run/clock.ts";
import type { Spending } from "../run/quota-caps.ts";
import type { Run } from "../run/run.ts";
import type { Scope } from "../run/scope.ts";
import { addUsd, isCostUnknown } from "../vocabulary/bill.ts";
import { computeBackoffMs } from "../vocabulary/compute-backoff.ts";
import type { Agent, Settings } from "../vocabulary/crew.ts";
import type { EventOf, EventPlace, Failure } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import { isPromise, whenReady } from "../vocabulary/promise.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { admitModelCall, type Charge, type ModelAdmission } from "./admit-model-call.ts";
import type { Expecting } from "./check-reply.ts";
import { dropRefused, easeRequest, noteRefusal } from "./ease-request.ts";
import { LOST, ModelAttempt, placeOfAttempt, uncountCall } from "./model-attempt.ts";
import type { AnswerListener, Unsent } from "./open-request.ts";

/** Who calls a model. */
export interface ModelCaller extends Expecting {
  readonly run: Run;
  readonly clock: Clock;
  readonly scope: Scope;
  readonly place: EventPlace;
  readonly agent: Agent;
  readonly models: readonly Model[];
  readonly settings: Settings;
  readonly turns: number;
  readonly listener?: AnswerListener | undefined;
}

/** How a call ends: in a reply, or unmade since the session must finish first, or in a failure. */
export type ModelOutcome =
  | EventOf<"model.completed">
  | { readonly type: "last_turn" }
  | { readonly type: "failed"; readonly failure: Failure };

type Attempt = Attempted | Promise<Attempted>;

/** Calls the first model of the chain; `charge` is what the call counts in, where there are quotas. */
export function callModel(caller: ModelCaller, request: Unsent, charge: Charge | undefined): Attempt {
  const [model] = caller.models;
  if (model === undefined) throw new Error(`agent '${caller.agent.id}' has no model; preparing should have said so`);
  return attemptStep(caller, request, charge, model, 0, 0);
}

/** The outcome of the first attempt: a failure is retried, or goes to the next model. Each attempt is a step of its own. */
export function settleCall(
  first: Attempted,
  caller: ModelCaller,
  request: Unsent,
  charge: Charge | undefined,
): ModelOutcome | Promise<ModelOutcome> {
  return first.type === "model.failed" ? retry(first, caller, request, charge) : ended(first, caller);
}

async function retry(
  failure: EventOf<"model.failed">,
  caller: ModelCaller,
  request: Unsent,
  charge: Charge | undefined,
): Promise<ModelOutcome> {
  const { run, agent, models, settings } = caller;
  const failures: EventOf<"model.failed">[] = [];
  const attempts: Attempts = { made: 1, uncounted: 0 };
  let event = await easeAttempts(failure, caller, request, charge, models[0], attempts);
  for (let index = 0, triesOfModel = 1; ; triesOfModel++) {
    if (event.type !== "model.failed") return ended(event, caller);
    const last = event;
    const { isRetryable } = last.data;
    // What a process died over is no failure of the model: it is asked the same again.
    const isLost = last.data.code === LOST;
    run.costUsd = addUsd(run.costUsd, last.data.costUsd ?? 0);
    if (isLost) {
      attempts.uncounted++;
      triesOfModel--;
      uncountCall(run, agent.id, request.crew, models[index]);
    } else if (failedTooOften(caller)) return { type: "failed", failure: tooMany(caller) };
    // Each model but the last gets one retry, if that may help; the last gets what remains of the attempts.
    const isLast = index === models.length - 1;
    if (!isLost && (isRetryable === false || (!isLast && triesOfModel > 1))) {
      index++;
      triesOfModel = 0;
    }
    const model = models[index];
    failures.push(last);
    if (attempts.made - attempts.uncounted > agent.limits.maxRetries || model === undefined)
      return { type: "failed", failure: createFailure(failures, last, caller) };
    // Another model need not wait for the one that failed.
    const waitMs = triesOfModel === 0 || isLost ? 0 : waitBefore(triesOfModel, last, settings);
    const tried = await attemptStep(caller, request, charge, model, attempts.made++, waitMs);
    event = await easeAttempts(tried, caller, request, charge, model, attempts);
  }
}

/** How many attempts of a call were made, and how many of them do not count, since the model is not to blame. */
interface Attempts {
  made: number;
  uncounted: number;
}

/** Where the provider refuses what a request asks for besides an answer, the model is asked again at once without that. */
async function easeAttempts(
  tried: Attempted,
  caller: ModelCaller,
  request: Unsent,
  charge: Charge | undefined,
  model: Model | undefined,
  attempts: Attempts,
): Promise<Attempted> {
  const { run } = caller;
  let last = tried;
  let sent = model === undefined ? request : dropRefused(request, model, run.refusers);
  const refused: NonNullable<Unsent["refused"]>[] = [];
  while (last.type === "model.failed" && model !== undefined) {
    const eased = easeRequest(sent, last);
    if (eased === undefined) break;
    sent = eased;
    if (eased.refused !== undefined) refused.push(eased.refused);
    run.costUsd = addUsd(run.costUsd, last.data.costUsd ?? 0);
    attempts.uncounted++;
    last = await attemptStep(caller, sent, charge, model, attempts.made++, 0);
  }
  if (last.type === "model.completed" && model !== undefined)
    for (const each of refused) noteRefusal(model, each, run.refusers);
  return last;
}

function ended(event: Exclude<Attempted, EventOf<"model.failed">>, { run }: ModelCaller): ModelOutcome {
  if (event.type === "last_turn") return event;
  run.failuresInARow = 0;
  const { costUsd } = event.data;
  if (costUsd !== undefined) run.costUsd = addUsd(run.costUsd, costUsd);
  return event;
}

type Attempted = AttemptEvent | { readonly type: "last_turn" };

/** One attempt, as a step of the run. */
function attemptStep(
  caller: ModelCaller,
  request: Unsent,
  charge: Charge | undefined,
  model: Model,
  attempt: number,
  waitMs: number,
): Attempt {
  const asked = dropRefused(request, model, caller.run.refusers);
  if (charge !== undefined) return chargedStep(caller, charge, asked, model, attempt, waitMs);
  // A model call has no other results than these.
  return caller.run.step(new ModelAttempt(caller, asked, model, attempt, waitMs)) as Attempt;
}

/** The same where the call counts in quotas: what it may take is held before, and settled by what it took. */
function chargedStep(
  caller: ModelCaller,
  charge: Charge,
  request: Unsent,
  model: Model,
  attempt: number,
  waitMs: number,
): Attempt {
  const place = placeOfAttempt(caller.place, caller.turns, attempt);
  const take = (admitted: ModelAdmission): Attempt => {
    if (admitted.type === "last_turn") return admitted;
    const { admission } = admitted;
    const effect = new ModelAttempt(caller, admitted.request, admitted.model, attempt, waitMs, admission);
    // A model call has no other results than these.
    const step = caller.run.step(effect) as Promise<AttemptEvent> | AttemptEvent;
    const settle = (event: AttemptEvent) => {
      admission.settle(readBill(event), caller.run.isRecorded(event));
      return event;
    };
    if (!isPromise(step)) return settle(step);
    return step.then(settle, (error: unknown) => {
      // One that was never made took nothing.
      admission.giveUp({ usd: 0, tokens: 0 });
      throw error;
    });
  };
  // Another attempt belongs to the turn that has begun.
  const within = attempt === 0 ? charge : { ...charge, isLastTurn: true };
  const admitted = admitModelCall(within, request, model, place);
  return whenReady(admitted, take);
}

type AttemptEvent = EventOf<"model.completed"> | EventOf<"model.failed">;

/** What a call took; what nobody knows is absent, so that all that was held is booked. */
function readBill(event: AttemptEvent): Partial<Spending> {
  const { usage, costUsd } = event.data;
  if (event.type === "model.failed" && usage === undefined)
    if (!isCostUnknown(event.data.code)) return { usd: 0, tokens: 0 };
  return { ...(usage !== undefined && { tokens: usage.total }), ...(costUsd !== undefined && { usd: costUsd }) };
}

/** The wait belongs to the attempt, so that a replay needs no clock. */
function waitBefore(tries: number, last: EventOf<"model.failed">, settings: Settings): number {
  if (last.data.isRetryable === false) return 0;
  return last.data.retryAfterMs ?? computeBackoffMs(tries, settings);
}

function failedTooOften({ run, settings }: ModelCaller): boolean {
  run.failuresInARow++;
  return run.failuresInARow >= (settings.maxConsecutiveErrors ?? Number.POSITIVE_INFINITY);
}

function tooMany({ run: { failuresInARow }, place }: ModelCaller): Failure {
  const message = `reached max_consecutive_errors (${failuresInARow}): ${formatAmount(failuresInARow, "model call")} in a row failed`;
  return { code: "model_failed", message, agent: nameSpeaker(place) };
}

/** Where no attempt failed of something that may pass, neither would another call. */
function createFailure(
  failures: readonly EventOf<"model.failed">[],
  { data }: EventOf<"model.failed">,
  { place }: ModelCaller,
): Failure {
  const agent = nameSpeaker(place);
  // A script says what it lacks; the model that it stands in for has no part in that.
  const why = data.code === "script_exhausted" ? data.message : `${data.model}: ${data.message}`;
  const message = `the model of agent '${agent}' failed: ${why}`;
  // Whether the model would fail again, an attempt that died with its process does not tell.
  const isLasting = failures.every((failure) => failure.data.isRetryable === false || failure.data.code === LOST);
  return { code: "model_failed", message, agent, ...(isLasting && { isLasting }) };
}
