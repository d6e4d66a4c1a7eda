import type { Model } from "../models/model.ts";
import { fits, isLastCall, mostPerCall } from "../run/budget.ts";
import type { Cap, Demand } from "../run/quota-caps.ts";
import type { EventPlace } from "../vocabulary/events.ts";
import { whenReady } from "../vocabulary/promise.ts";
import { type Admission, admit, type Charged, type Exceeded, isExceeded, stopFor, waitForRaise } from "./admit-call.ts";
import { findPrice } from "./find-price.ts";
import type { Unsent } from "./open-request.ts";

/** What a turn's calls count in, and how much of it there is. */
export interface Charge extends Charged {
  readonly models: readonly Model[];
  /** An estimate of the tokens of the request. */
  readonly inputTokens: number;
  /** Whether the session was told that this turn is its last. */
  readonly isLastTurn: boolean;
}

/** A model call that may be made, perhaps of another model or shorter than it was asked for; or the session must finish. */
export type ModelAdmission =
  | { readonly type: "admitted"; readonly model: Model; readonly request: Unsent; readonly admission: Admission }
  | { readonly type: "last_turn" };

/** A call as it could be made. */
interface Option {
  readonly model: Model;
  readonly maxOutputTokens: number;
}

/** What a model writes at most where nobody says, nor its provider. */
const USUAL_OUTPUT = 4096;

/** A turn that can still do something has this share of its usual length; a last one at least says how far it came. */
const SMALLEST_TURN = 1 / 4;
const SMALLEST_LAST_TURN = 1 / 16;

export function admitModelCall(
  charge: Charge,
  request: Unsent,
  model: Model,
  place: EventPlace,
): ModelAdmission | Promise<ModelAdmission> {
  if (!charge.isLastTurn && isLastCall(charge.budget, charge.run.now())) return { type: "last_turn" };
  const option = { model, maxOutputTokens: usualOutput(charge) };
  const follow = (verdict: Admission | Exceeded) => {
    if (!isExceeded(verdict)) return admitted(charge, request, option, verdict);
    switch (verdict.onExceed) {
      case "stop":
        return stopFor(charge, verdict);
      case "pause":
        return pause(charge, request, model, place, verdict);
      case "degrade":
        return degrade(charge, request, option, place, verdict);
    }
  };
  const verdict = admit(charge, place, estimateDemand(option, charge), ({ cap }) =>
    describeInstead(charge, option, cap),
  );
  return whenReady(verdict, follow);
}

function usualOutput({ agent, budget, inputTokens }: Charge): number {
  const usual = agent.sampling.maxOutputTokens ?? USUAL_OUTPUT;
  const left = mostPerCall(budget) - inputTokens;
  return left >= 1 ? Math.min(usual, left) : usual;
}

function estimateDemand({ model, maxOutputTokens }: Option, { agent, inputTokens }: Charge): Demand {
  const [input, output, total] = [inputTokens, maxOutputTokens, inputTokens + maxOutputTokens];
  const usage = { input, output, total, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  return { usd: findPrice(usage, model, agent)?.usd, tokens: total, llmCalls: 1, toolCalls: 0 };
}

/** What was reserved is also the most that the model may write: else a cap would be a guess. */
function admitted(
  { budget, agent }: Charge,
  request: Unsent,
  { model, maxOutputTokens }: Option,
  admission: Admission,
): ModelAdmission {
  const isAsAsked = !budget.capsTokens || maxOutputTokens === agent.sampling.maxOutputTokens;
  const sampling = isAsAsked ? request.sampling : { ...request.sampling, maxOutputTokens };
  return { type: "admitted", model, request: isAsAsked ? request : { ...request, sampling }, admission };
}

/** The next cheaper model, a shorter answer, a last turn; then there is nothing left to try. */
function describeInstead(charge: Charge, option: Option, { isOfCalls }: Cap): Exceeded["instead"] {
  // A call is a call, however short.
  if (isOfCalls) return undefined;
  const instead = cheaper(charge, option) ?? shorter(charge, option);
  if (instead !== undefined) return { model: instead.model.name, maxOutputTokens: instead.maxOutputTokens };
  return charge.isLastTurn ? undefined : { isLastTurn: true };
}

function degrade(
  charge: Charge,
  request: Unsent,
  option: Option,
  place: EventPlace,
  { instead }: Exceeded,
): ModelAdmission | Promise<ModelAdmission> {
  if (instead?.isLastTurn) return { type: "last_turn" };
  const model = charge.models.find(({ name }) => name === instead?.model) ?? option.model;
  const other = { model, maxOutputTokens: instead?.maxOutputTokens ?? option.maxOutputTokens };
  const follow = (verdict: Admission | Exceeded) =>
    // Another run may have taken what was left of the day.
    isExceeded(verdict) ? stopFor(charge, verdict) : admitted(charge, request, other, verdict);
  const verdict = admit(charge, place, estimateDemand(other, charge), () => undefined);
  return whenReady(verdict, follow);
}

/** Models further down the chain that cost less, in its order. */
function cheaperModels(charge: Charge, option: Option): Option[] {
  const cost = ({ model }: Option) => estimateDemand({ ...option, model }, charge).usd ?? Number.POSITIVE_INFINITY;
  const below = charge.models.slice(charge.models.indexOf(option.model) + 1).map((model) => ({ ...option, model }));
  return below.filter((each) => cost(each) < cost(option));
}

function cheaper(charge: Charge, option: Option): Option | undefined {
  const ts = charge.run.now();
  return cheaperModels(charge, option).find((each) => fits(charge.budget, estimateDemand(each, charge), ts));
}

/** The longest answer that still fits, of the first model for which one does. */
function shorter(charge: Charge, option: Option): Option | undefined {
  const ts = charge.run.now();
  const share = charge.isLastTurn ? SMALLEST_LAST_TURN : SMALLEST_TURN;
  const most = option.maxOutputTokens;
  const isFitting = (each: Option) => fits(charge.budget, estimateDemand(each, charge), ts);
  const smallest = Math.max(1, Math.ceil(most * share));
  const model = [option, ...cheaperModels(charge, option)].find((each) =>
    isFitting({ ...each, maxOutputTokens: smallest }),
  );
  if (model === undefined) return undefined;
  let [low, high] = [smallest, most];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isFitting({ ...model, maxOutputTokens: middle })) low = middle;
    else high = middle;
  }
  return { ...model, maxOutputTokens: low };
}

async function pause(
  charge: Charge,
  request: Unsent,
  model: Model,
  place: EventPlace,
  exceeded: Exceeded,
): Promise<ModelAdmission> {
  await waitForRaise(charge, place, exceeded);
  return admitModelCall(charge, request, model, place);
}
