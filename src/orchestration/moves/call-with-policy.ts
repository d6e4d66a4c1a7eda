import type { History } from "../../context/history.ts";
import type { Scope } from "../../run/scope.ts";
import { computeBackoffMs } from "../../vocabulary/compute-backoff.ts";
import type { SubCrewCall } from "../../vocabulary/crew.ts";
import type { EventPlace, Failure } from "../../vocabulary/events.ts";
import { mayPass } from "../../vocabulary/may-pass.ts";
import { type CrewRun, noteAnswer, type ShownText } from "../crew-run.ts";
import { enterCrew } from "../enter-crew.ts";
import { subCrewFailure } from "../sub-crew-failure.ts";

/** A binding's call of sub-crews, ready to be made. */
export interface Called {
  readonly crewRun: CrewRun;
  readonly call: SubCrewCall;
  readonly input: string;
  readonly history: History | undefined;
}

/** The outcome of a call: the answer of whoever gave one, or how each crew that was tried failed. */
export type CallResult =
  | { readonly type: "completed"; readonly by: string; readonly output: string; readonly shown: string }
  | { readonly type: "failed"; readonly failure: Failure; readonly failed: readonly FailedCrew[] };

/** A crew that was called in vain. */
export interface FailedCrew {
  readonly name: string;
  readonly failure: Failure;
  readonly lastAnswer: Required<ShownText>;
  readonly hasBegun: boolean;
}

/** Calls a crew. Where it fails, does what the binding says about that, one thing after the other, until one of them helps. */
export async function callWithPolicy(
  called: Called,
  name: string,
  scope: Scope,
  place: EventPlace,
): Promise<CallResult> {
  const { crewRun, call } = called;
  const attempts = new Attempts(called, name, scope, place);
  await attempts.call(name);
  // Nothing can be called from here, however often it is tried.
  const policies = crewRun.depth >= crewRun.maxDepth ? [] : call.onError;
  for (const policy of policies) {
    if (attempts.given !== undefined) break;
    if (policy === "retry") await attempts.retry(call.maxRetries);
    else if (policy === "fallback" && call.fallbackCrew !== undefined) await attempts.call(call.fallbackCrew);
  }
  return attempts.result();
}

/** The attempts of one call, each at a place of its own. */
class Attempts {
  /** What the last attempt gave, unless it failed. */
  given: { readonly output: string; readonly shown: string } | undefined;
  readonly #called: Called;
  readonly #name: string;
  readonly #scope: Scope;
  readonly #place: EventPlace;
  /** How crews failed, the newest last; of attempts in a row at one crew the newest alone. */
  readonly #failed: FailedCrew[] = [];
  #by: string;
  #count = 0;

  constructor(called: Called, name: string, scope: Scope, place: EventPlace) {
    this.#called = called;
    this.#name = name;
    this.#by = name;
    this.#scope = scope;
    this.#place = place;
  }

  async call(name: string): Promise<void> {
    const { crewRun, call, input, history } = this.#called;
    const { budget } = crewRun;
    const { timeoutMs } = call;
    const place = this.#nextPlace();
    this.#count++;
    this.#by = name;
    const left = await enterCrew(crewRun, { name, input, history, scope: this.#scope, place, budget, timeoutMs });
    // A crew that is tried again is in the path once, where it ended.
    const isAgain = this.#failed.some((each) => each.name === name && each.hasBegun);
    if (isAgain) crewRun.path.splice(crewRun.path.lastIndexOf(name), 1);
    if (left.type === "failed") {
      const { failure, lastAnswer, hasBegun } = left;
      if (this.#failed.at(-1)?.name === name) this.#failed.pop();
      this.#failed.push({ name, failure, lastAnswer, hasBegun });
      if (hasBegun) crewRun.path.push(name);
      return;
    }
    const { output, shown } = left;
    this.given = { output, shown };
    noteAnswer(crewRun, name, { text: output, shown });
    // Templates find what stood in for a crew under that crew's name.
    if (name !== this.#name) crewRun.results?.set(this.#name, output);
  }

  /** Calls the crew itself again, for as long as that may help. */
  async retry(times: number): Promise<void> {
    for (let retry = 1; retry <= times && this.given === undefined; retry++) {
      const known = this.#failed.findLast(({ name }) => name === this.#name);
      if (known !== undefined && !mayPass(known.failure)) return;
      await waitBefore(this.#called.crewRun, this.#name, retry, this.#scope, this.#nextPlace());
      await this.call(this.#name);
    }
  }

  result(): CallResult {
    if (this.given !== undefined) return { type: "completed", by: this.#by, ...this.given };
    const { crewRun } = this.#called;
    const failed = this.#failed;
    const failure = failed.reduce<Failure | undefined>(
      (earlier, { name, failure: cause }) => subCrewFailure(crewRun, name, cause, earlier),
      undefined,
    );
    if (failure === undefined) throw new Error("a call that gave nothing has failed");
    return { type: "failed", failure, failed };
  }

  #nextPlace(): EventPlace {
    const { path } = this.#place;
    return this.#count === 0 ? this.#place : { ...this.#place, path: `${path}.${this.#count}` };
  }
}

/** Waits twice as long each time, less a part that differs from run to run. How long is on record, as is that it is over. */
function waitBefore(crewRun: CrewRun, crew: string, attempt: number, scope: Scope, place: EventPlace): Promise<void> {
  const { run } = crewRun.world;
  const longest = computeBackoffMs(attempt, crewRun.crew.settings);
  const waitMs = Math.round(longest * (1 - computeShare(`${run.id} ${place.path}`) / 2));
  const told = run.observe(place, "crew.retrying", () => ({ crew, attempt, waitMs }));
  const at = { ...place, path: `${place.path}/wait` };
  return run.wait({ place: at, scope, ms: told?.waitMs ?? waitMs, what: "retry" });
}

/** A number from 0 to 1 that follows from a text, and looks like chance. */
function computeShare(text: string): number {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  // Texts that differ only at their end still have similar hashes; these steps spread them.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
