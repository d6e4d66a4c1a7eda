import type { Agent } from "../crew.ts";
import type { EventData, EventOf, EventPlace, Failure, Usage } from "../events.ts";
import { type Model, ModelError, type ModelReply, type ModelRequest } from "../models/model.ts";
import type { Price } from "../models/price-table.ts";
import { type Clock, sleep } from "../run/clock.ts";
import type { Run } from "../run/run.ts";
import type { Scope } from "../run/scope.ts";
import type { EffectResult } from "../run/step.ts";

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
}

export type ModelOutcome =
  | { readonly type: "reply"; readonly reply: EventData["model.completed"] }
  | { readonly type: "failed"; readonly failure: Failure };

type Unsent = Omit<ModelRequest, "signal" | "calls" | "onText" | "onReasoning">;

/** Calls the first model of the chain; a failure is retried, or goes to the next model. Each attempt is a step of its own. */
export async function callModel(calling: ModelCalling, request: Unsent): Promise<ModelOutcome> {
  const { run, agent, models } = calling;
  const attempts = 1 + agent.limits.maxRetries;
  let last: EventOf<"model.failed"> | undefined;
  let index = 0;
  for (let attempt = 0, triesOfModel = 0; attempt < attempts; attempt++) {
    const model = models[index];
    if (model === undefined) break;
    // Another model need not wait for the one that failed.
    const waitMs = triesOfModel === 0 ? 0 : waitBefore(triesOfModel, last, calling.backoff);
    const event = await attemptStep(calling, request, model, attempt, waitMs);
    if (event.type === "model.completed") {
      run.failuresInARow = 0;
      return { type: "reply", reply: event.data };
    }
    last = event;
    if (++run.failuresInARow >= calling.maxFailuresInARow) return { type: "failed", failure: tooMany(run, agent) };
    // Each model but the last gets one retry, if that may help; the last gets what remains of the attempts.
    const isLast = index === models.length - 1;
    triesOfModel++;
    if (event.data.isRetryable === false || (!isLast && triesOfModel > 1)) {
      index++;
      triesOfModel = 0;
    }
  }
  return { type: "failed", failure: failureOf(last, agent) };
}

/** One attempt, as a step of the run. */
async function attemptStep(
  calling: ModelCalling,
  request: Unsent,
  model: Model,
  attempt: number,
  waitMs: number,
): Promise<EventOf<"model.completed"> | EventOf<"model.failed">> {
  const { run, agent, place, scope, turn } = calling;
  const calls = { byAgent: run.count(agent.id), byCrewAndAgent: run.count(`${request.crew}/${agent.id}`) };
  const event = await run.step({
    place: { ...place, path: `${place.path}/t${turn}/m${attempt}` },
    scope,
    intent: { type: "model.called", data: { model: model.name, turn, attempt } },
    act: (signal) => attemptCall(calling, model, { ...request, calls }, waitMs, signal),
    cancelled: (reason) => ({ type: "model.failed", data: { model: model.name, code: "cancelled", message: reason } }),
  });
  if (event.type === "model.completed" || event.type === "model.failed") return event;
  throw new Error(`a model call cannot end in ${event.type}`);
}

/** The wait belongs to the attempt, so that going over the run again needs no clock. */
function waitBefore(
  tries: number,
  last: EventOf<"model.failed"> | undefined,
  backoff: ModelCalling["backoff"],
): number {
  if (last === undefined || last.data.isRetryable === false) return 0;
  return last.data.retryAfterMs ?? Math.min(backoff.maxMs, backoff.minMs * 2 ** (tries - 1));
}

function attemptCall(
  calling: ModelCalling,
  model: Model,
  request: Unsent & Pick<ModelRequest, "calls">,
  waitMs: number,
  signal: () => AbortSignal,
): Promise<EffectResult> | EffectResult {
  const { run, clock, place, agent } = calling;
  const abort = createCallAbort(signal);
  const full: ModelRequest = {
    ...request,
    get signal() {
      return abort.signal();
    },
    onText: (text) => run.show(place, "text.delta", { text }),
    onReasoning: (text) => run.show(place, "reasoning.delta", { text }),
  };
  const call = () => settle(model, full, agent.limits.llmTimeoutMs, calling, abort);
  return waitMs > 0 ? waitAndCall(clock, waitMs, abort.signal(), call) : call();
}

interface CallAbort {
  signal(): AbortSignal;
  abort(reason: Error): void;
  /** The call is done: its scope need not tell it anything any more. */
  release(): void;
}

/** A signal of the call's own, aborted with its scope or when the call takes too long; made when the model asks for it. */
function createCallAbort(scopeSignal: () => AbortSignal): CallAbort {
  let controller: AbortController | undefined;
  let release = () => {};
  return {
    signal() {
      if (controller !== undefined) return controller.signal;
      const own = new AbortController();
      const outer = scopeSignal();
      const onAbort = () => own.abort(outer.reason);
      if (outer.aborted) onAbort();
      else outer.addEventListener("abort", onAbort, { once: true });
      release = () => outer.removeEventListener("abort", onAbort);
      controller = own;
      return own.signal;
    },
    abort: (reason) => controller?.abort(reason),
    release: () => release(),
  };
}

async function waitAndCall(
  clock: Clock,
  waitMs: number,
  signal: AbortSignal,
  call: () => Promise<EffectResult> | EffectResult,
): Promise<EffectResult> {
  await sleep(clock, waitMs, signal);
  return call();
}

/** The call's reply or failure as an event; a reply that comes without waiting is passed on without waiting. */
function settle(
  model: Model,
  request: ModelRequest,
  timeoutMs: number,
  { clock, scope, agent }: ModelCalling,
  abort: CallAbort,
): Promise<EffectResult> | EffectResult {
  try {
    const reply = model.call(request);
    if (!(reply instanceof Promise)) return completed(model, reply, agent);
    return new Promise((resolve) => {
      const callOff = clock.after(timeoutMs, () => {
        const late = new ModelError(`no answer within ${timeoutMs / 1000} s`);
        finish(failed(model, late));
        abort.abort(late);
      });
      // A call that nobody waits for any more must not keep its timer.
      const closable = { close: callOff };
      scope.add(closable);
      const finish = (result: EffectResult) => {
        scope.remove(closable);
        callOff();
        abort.release();
        resolve(result);
      };
      reply.then(
        (each) => finish(completed(model, each, agent)),
        (error: unknown) => finish(failed(model, error)),
      );
    });
  } catch (error) {
    return failed(model, error);
  }
}

function completed(model: Model, reply: ModelReply, agent: Agent): EffectResult {
  const { text, reasoning, toolCalls, usage, finish } = reply;
  const price = usage === undefined ? undefined : (ownPrice(usage, agent) ?? model.listed?.priceOf(usage));
  return {
    type: "model.completed",
    data: {
      model: model.name,
      text,
      toolCalls,
      finish,
      ...(reasoning !== undefined && { reasoning }),
      ...(usage !== undefined && { usage }),
      ...(price !== undefined && { costUsd: price.usd, price: price.entry }),
    },
  };
}

/** Known only where the agent gives both prices; never taken for nothing. */
function ownPrice(usage: Usage, { prices }: Agent): Price | undefined {
  const [input, output] = [prices?.inputPerMillionUsd, prices?.outputPerMillionUsd];
  if (input === undefined || output === undefined) return undefined;
  return { usd: (usage.input * input + usage.output * output) / 1_000_000, entry: "agent" };
}

function failed(model: Model, error: unknown): EffectResult {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ModelError))
    return { type: "model.failed", data: { model: model.name, code: "error", message, isRetryable: false } };
  const { status, retryAfterMs, isRetryable } = error;
  return {
    type: "model.failed",
    data: {
      model: model.name,
      code: error.code,
      message,
      isRetryable,
      ...(status !== undefined && { status }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    },
  };
}

function tooMany({ failuresInARow }: Run, agent: Agent): Failure {
  const message = `${failuresInARow} model calls in a row failed, which is as many as 'max_consecutive_errors' allows`;
  return { code: "model_failed", message, agent: agent.id };
}

function failureOf(last: EventOf<"model.failed"> | undefined, agent: Agent): Failure {
  const why = last === undefined ? "it has no model" : `${last.data.model}: ${last.data.message}`;
  return { code: "model_failed", message: `the model of agent '${agent.id}' failed: ${why}`, agent: agent.id };
}
