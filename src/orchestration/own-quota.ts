import { type Scope, ScopeClosed } from "../run/scope.ts";
import type { Failure } from "../vocabulary/events.ts";

/** How a call ends that its agent's own quota has ended. */
interface OwnEnd {
  readonly type: "failed";
  readonly failure: Failure;
  readonly turns: number;
}

/**
 * What a call of an agent ends with where that agent's own quota is used up: the call fails, and whoever made it goes on. It
 * belongs to a call for as long as its session can continue.
 */
export class OwnQuota {
  #scope: Scope | undefined;
  #failure: Failure | undefined;

  /** Why the call was ended, where it was. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  stop(failure: Failure): void {
    if (this.#scope === undefined || this.#scope.isClosed) return;
    this.#failure = failure;
    this.#scope.close(failure.message, failure);
  }

  /** Makes the call in a scope of its own. */
  async guard<T>(outer: Scope, call: (scope: Scope) => Promise<T>): Promise<T | OwnEnd> {
    const scope = outer.open();
    this.#scope = scope;
    this.#failure = undefined;
    try {
      const asked = await call(scope);
      scope.close("done");
      return asked;
    } catch (error) {
      if (this.#failure === undefined || outer.isClosed || !(error instanceof ScopeClosed)) throw error;
      return { type: "failed", failure: this.#failure, turns: 0 };
    }
  }
}
