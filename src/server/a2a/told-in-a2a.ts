import { A2AError } from "@a2a-js/sdk/errors";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import { isPromise } from "../../vocabulary/promise.ts";
import { toA2aError } from "./to-a2a-error.ts";

/** A handler whose refusals are A2A's own errors, and what it threw besides: that is the server's to tell. */
export interface ToldHandler {
  readonly handler: A2ARequestHandler;
  /** The first error that is none of A2A's. */
  thrown(): unknown;
}

export function tellInA2a(handler: A2ARequestHandler): ToldHandler {
  let thrown: unknown;
  const refuse = (error: unknown): never => {
    const told = toA2aError(error);
    if (!(told instanceof A2AError)) thrown ??= told;
    throw told;
  };
  async function* stream(events: AsyncGenerator<unknown>): AsyncGenerator<unknown> {
    try {
      yield* events;
    } catch (error) {
      refuse(error);
    }
  }
  const told = new Proxy(handler, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...given: readonly unknown[]) => {
        const doing: unknown = Reflect.apply(method, target, given);
        if (isPromise(doing)) return doing.catch(refuse);
        return stream(doing as AsyncGenerator<unknown>);
      };
    },
  });
  return { handler: told, thrown: () => thrown };
}
