import { refuseTooLarge } from "../models/answer-limit.ts";
import { type Model, ModelError, type ModelReply, readModelError } from "../models/model.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { type Clock, sleep } from "../run/clock.ts";
import type { Effect, EffectAbort, EffectResult } from "../run/effect.ts";
import type { Run } from "../run/run.ts";
import type { Scope } from "../run/scope.ts";
import type { Bill, Usage } from "../vocabulary/bill.ts";
import type { Agent, Settings } from "../vocabulary/crew.ts";
import { cutThrown } from "../vocabulary/errors.ts";
import type { EventData, EventPlace } from "../vocabulary/events.ts";
import type { ProviderMetadata } from "../vocabulary/messages.ts";
import type { Admission } from "./admit-call.ts";
import { boundCalls } from "./bound-calls.ts";
import { checkForm } from "./check-form.ts";
import { checkContent, type Expecting, isCutOff } from "./check-reply.ts";
import { findPrice } from "./find-price.ts";
import { loadFiles } from "./load-files.ts";
import { type AnswerListener, OpenRequest, type Unsent } from "./open-request.ts";
import { splitThinking } from "./split-thinking.ts";

/** The code of a call of which nobody knows how it ended. */
export const LOST = "lost";

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

interface Attempting extends Expecting {
  readonly run: Run;
  readonly clock: Clock;
  readonly scope: Scope;
  readonly place: EventPlace;
  readonly agent: Agent;
  readonly settings: Settings;
  readonly turns: number;
  readonly listener?: AnswerListener | undefined;
}

/** One attempt to call a model, after a wait where another failed. A class, since it is made for every call there is. */
export class ModelAttempt implements Effect<ModelReply> {
  readonly place: EventPlace;
  readonly scope: Scope;
  readonly intent: Effect<ModelReply>["intent"];
  readonly timeoutMs: number;
  readonly #attempting: Attempting;
  readonly #request: Unsent;
  readonly #model: Model;
  readonly #waitMs: number;
  readonly #calls: number;
  #sent: OpenRequest | undefined;
  /** What is held for the call, where it counts in quotas. */
  readonly #admission: Admission | undefined;

  constructor(
    attempting: Attempting,
    request: Unsent,
    model: Model,
    attempt: number,
    waitMs: number,
    admission?: Admission,
  ) {
    const { run, place, scope, agent, turns: turn } = attempting;
    const { toolChoice, refused } = request;
    const data: Mutable<EventData["model.called"]> = { model: model.name, turn, attempt };
    if (waitMs > 0) data.waitMs = waitMs;
    if (toolChoice !== undefined) data.toolChoice = toolChoice;
    if (refused !== undefined) data.refused = refused;
    if (request.attachments !== undefined) data.attachments = request.attachments.map(({ sha256 }) => sha256);
    if (request.passedOver !== undefined) data.passedOver = request.passedOver;
    this.place = placeOfAttempt(place, turn, attempt);
    this.scope = scope;
    this.intent = { type: "model.called", data };
    this.timeoutMs = waitMs + agent.limits.llmTimeoutMs;
    this.#attempting = attempting;
    this.#request = request;
    this.#model = model;
    this.#waitMs = waitMs;
    this.#admission = admission;
    this.#calls = run.count(formatKey(agent.id, request.crew, model));
  }

  act(abort: EffectAbort): Promise<ModelReply> | ModelReply {
    const request = new OpenRequest(this.#request, this.place.path, this.#calls, this.#attempting, abort);
    this.#sent = request;
    const { attachments } = this.#request;
    const mayWait = this.#waitMs > 0 || attachments !== undefined;
    return mayWait ? this.#callWhenReady(request, attachments) : this.#model.call(request);
  }

  completed(reply: ModelReply): EffectResult {
    checkForm(reply);
    refuseTooLarge(reply.text, reply.reasoning ?? "");
    const { run, agent } = this.#attempting;
    const said = withoutThoughts(reply, this.#attempting.begun);
    checkContent(said, this.#attempting);
    this.#sent?.end();
    const bounded = said.toolCalls.length === 0 ? said : { ...said, toolCalls: boundCalls(said.toolCalls) };
    if (bounded.toolCalls.length > 0) refuseTooLarge(JSON.stringify(bounded.toolCalls));
    const clean = withoutSecrets(bounded, this.#sent, run.redactor);
    this.#sent?.close(isCutOff(clean, this.#attempting));
    return completed(this.#model, clean, agent);
  }

  failed(error: unknown): EffectResult {
    const { run, agent } = this.#attempting;
    return failed(this.#model, error, agent, run.redactor);
  }

  late(): EffectResult {
    const { agent } = this.#attempting;
    const seconds = agent.limits.llmTimeoutMs / 1000;
    return failed(this.#model, new ModelError(`no answer within ${seconds} s`, { code: "timeout" }), agent);
  }

  cancelled(reason: string): EffectResult {
    this.#admission?.giveUp();
    const bill = this.#billOfGivenUp();
    return { type: "model.failed", data: { model: this.#model.name, code: "cancelled", message: reason, ...bill } };
  }

  /** Another attempt is made. */
  lost(): EffectResult {
    const message = "the process died while the model was being called";
    const bill = this.#billOfGivenUp();
    return { type: "model.failed", data: { model: this.#model.name, code: LOST, message, isRetryable: true, ...bill } };
  }

  /** Nobody counted the tokens, so the cost stays unknown unless the model is free. */
  #billOfGivenUp(): Bill {
    return createBill(undefined, this.#model, this.#attempting.agent);
  }

  async #callWhenReady(request: OpenRequest, attachments: Unsent["attachments"]): Promise<ModelReply> {
    if (this.#waitMs > 0) await sleep(this.#attempting.clock, this.#waitMs, request.signal);
    if (attachments !== undefined) request.files = await loadFiles(attachments, this.#attempting);
    return this.#model.call(request);
  }
}

/** Which reply of a script is due follows from what is counted here, for attempts that are only replayed, too. */
function formatKey(agent: string, crew: string, model: Model): string {
  const key = model.findKey?.(agent, crew);
  if (key !== undefined) return `key ${key}`;
  return crew === "" ? agent : `${crew}/${agent}`;
}

/** A call that is made again because it was lost is the same call of the agent. */
export function uncountCall(run: Run, agent: string, crew: string, model: Model | undefined): void {
  if (model !== undefined) run.uncount(formatKey(agent, crew, model));
}

export function placeOfAttempt({ path, agent, crew }: EventPlace, turn: number, attempt: number): EventPlace {
  return { path: turn + attempt === 0 ? `${path}/t0/m0` : `${path}/t${turn}/m${attempt}`, agent, crew };
}

function completed(model: Model, reply: Said, agent: Agent): EffectResult {
  const { text, reasoning, toolCalls, providerMetadata, usage, finish, responseModel, ms, msToFirstToken } = reply;
  const price = findPrice(usage, model, agent);
  const tokensPerSecond = measureSpeed(reply);
  // Key by key: every call ends here, and spreading objects that are mostly empty takes several times as long.
  const data: Mutable<EventData["model.completed"]> = { model: model.name, text, toolCalls, finish };
  if (reasoning !== undefined) data.reasoning = reasoning;
  if (reply.startsOver) data.startsOver = true;
  if (providerMetadata !== undefined) data.providerMetadata = providerMetadata;
  if (usage !== undefined) data.usage = usage;
  if (price !== undefined) {
    data.costUsd = price.usd;
    data.price = price.entry;
  }
  if (responseModel !== undefined) data.responseModel = responseModel;
  if (ms !== undefined) data.ms = ms;
  if (msToFirstToken !== undefined) data.msToFirstToken = msToFirstToken;
  if (tokensPerSecond !== undefined) data.tokensPerSecond = tokensPerSecond;
  return { type: "model.completed", data };
}

/** Over the whole time: what a model thinks before its first words counts as output, too. */
function measureSpeed({ usage, ms = 0 }: ModelReply): number | undefined {
  return usage === undefined || ms === 0 ? undefined : Math.round((usage.output / ms) * 10_000) / 10;
}

function createBill(usage: Usage | undefined, model: Model, agent: Agent): Bill {
  const price = findPrice(usage, model, agent);
  const paid = price === undefined ? undefined : { costUsd: price.usd, price: price.entry };
  return usage === undefined ? { ...paid } : { usage, ...paid };
}

/** A reply without what its model thinks aloud. */
type Said = ModelReply & Pick<EventData["model.completed"], "startsOver">;

/** What a model thinks aloud in its text is reasoning, and no part of its answer. */
function withoutThoughts(reply: ModelReply, begun: string | undefined): Said {
  const parts = splitThinking(reply.text, begun);
  if (parts === undefined) return reply;
  const said = { ...reply, text: parts.text, reasoning: (reply.reasoning ?? "") + parts.reasoning };
  return parts.startsOver && begun !== undefined ? { ...said, startsOver: true } : said;
}

/** The reply as everybody is to see it. */
function withoutSecrets(reply: Said, sent: OpenRequest | undefined, redactor: Redactor | undefined): Said {
  if (redactor === undefined) return reply;
  const { reasoning, toolCalls, providerMetadata } = reply;
  const text = sent?.clean(reply.text, redactor) ?? redactor.redact(reply.text);
  const hasMore = reasoning !== undefined || toolCalls.length > 0 || providerMetadata !== undefined;
  if (text === reply.text && !hasMore) return reply;
  const clean: Said = {
    ...reply,
    text,
    ...(reasoning !== undefined && { reasoning: redactor.redact(reasoning) }),
    // Redaction replaces strings only, so the structure stays the same.
    ...(toolCalls.length > 0 && { toolCalls: redactor.redactValue(toolCalls) as ModelReply["toolCalls"] }),
  };
  return providerMetadata === undefined || isClean(providerMetadata, redactor) ? clean : withoutMetadata(clean);
}

/** Signed reasoning cannot be redacted: with a secret in it, the whole metadata is left out. */
function isClean({ reasoning }: ProviderMetadata, redactor: Redactor): boolean {
  return reasoning.every(({ text }) => redactor.redact(text) === text);
}

function withoutMetadata({ providerMetadata: _, ...reply }: Said): Said {
  return reply;
}

function failed(model: Model, error: unknown, agent: Agent, redactor?: Redactor): EffectResult {
  const { code, message: whole, status, retryAfterMs, isRetryable, usage } = readModelError(error);
  const said = cutThrown(whole);
  const message = redactor === undefined ? said : redactor.redact(said);
  return {
    type: "model.failed",
    data: {
      model: model.name,
      code,
      message,
      isRetryable,
      ...(status !== undefined && { status }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...createBill(usage, model, agent),
    },
  };
}
