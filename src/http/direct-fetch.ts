/** What Node's fetch sends requests through, as far as it concerns us. */
interface Dispatcher {
  dispatch(options: Readonly<Record<string, unknown>>, handler: unknown): boolean;
}

/** Where Node keeps the one that is used by default; a proxy may be set there. */
const inUse = Symbol.for("undici.globalDispatcher.1");

/**
 * Sends requests as Node would, but without its limits of five minutes until an answer begins, and between two parts of it: how
 * long a call may take is said by `llm_timeout` and `tool_timeout`.
 */
const patientDispatcher: Dispatcher = {
  dispatch(options, handler) {
    // It is set when fetch is first used, which it is when we are asked.
    const { [inUse]: dispatcher } = globalThis as { readonly [inUse]?: Dispatcher };
    if (dispatcher === undefined) throw new Error("this Node sends requests in another way");
    return dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
  },
};

/** Of a dispatcher, fetch uses that one method. */
const dispatcher = patientDispatcher as unknown as NonNullable<RequestInit["dispatcher"]>;

/** Fetches from nowhere but the address that was meant, for as long as the caller waits. */
export async function directFetch(
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
  errorFor: (message: string, status: number) => Error,
): Promise<Response> {
  // A redirect would take the key in its header along to another server.
  const response = await fetch(input, { ...init, redirect: "manual", dispatcher });
  const { status, headers } = response;
  if (status < 300 || status >= 400 || status === 304) return response;
  await response.body?.cancel();
  const to = headers.get("location") ?? "nowhere";
  throw errorFor(`the address sends calls on to ${to}: set that address`, status);
}

/** The same response with another body. What is passed on is unpacked already, and may be of another length. */
export function withBody({ status, statusText, headers }: Response, body: ReadableStream<Uint8Array>): Response {
  const others = new Headers(headers);
  others.delete("content-length");
  others.delete("content-encoding");
  return new Response(body, { status, statusText, headers: others });
}

/** Read when it is asked for, without a stream in between: that costs a tenth of all that a streamed answer does. */
export function refuseBeyond(
  limit: number,
  body: ReadableStream<Uint8Array>,
  errorFor: (message: string) => Error,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let size = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        size += value.byteLength;
        if (size <= limit) {
          controller.enqueue(value);
          return;
        }
        const tooLarge = errorFor(`the answer has more than ${limit / 2 ** 20} MB`);
        void reader.cancel(tooLarge).catch(() => {});
        controller.error(tooLarge);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
