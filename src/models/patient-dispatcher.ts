/** What Node's fetch sends requests through, as far as it concerns us. */
interface Dispatcher {
  dispatch(options: Readonly<Record<string, unknown>>, handler: unknown): boolean;
}

/** Where Node keeps the one that is used by default; a proxy may be set there. */
const inUse = Symbol.for("undici.globalDispatcher.1");

/**
 * Sends requests as Node would, but without its limits of five minutes until an answer begins, and between two parts of it: how
 * long a call may take is said by `llm_timeout`, which is longer by default.
 */
export const patientDispatcher: Dispatcher = {
  dispatch(options, handler) {
    // It is set when fetch is first used, which it is when we are asked.
    const { [inUse]: dispatcher } = globalThis as { readonly [inUse]?: Dispatcher };
    if (dispatcher === undefined) throw new Error("this Node sends requests in another way");
    return dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
  },
};
