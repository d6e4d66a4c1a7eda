import { ModelError } from "./model.ts";
import { patientDispatcher } from "./patient-dispatcher.ts";

/** Far more than any model writes in one answer; what sends more is no model. */
const MAX_ANSWER_BYTES = 32 * 2 ** 20;
const MAX_ERROR_BYTES = 64 * 2 ** 10;

/** Of a dispatcher, fetch uses that one method. */
const dispatcher = patientDispatcher as unknown as NonNullable<RequestInit["dispatcher"]>;

/** Fetches, but no more than an answer may have, and from nowhere but the address that was meant. */
export const boundedFetch: typeof globalThis.fetch = async (input, init) => {
  // A redirect would take the key in its header along to another server.
  const response = await fetch(input, { ...init, redirect: "manual", dispatcher });
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    const to = response.headers.get("location") ?? "nowhere";
    throw new ModelError(`the address sends calls on to ${to}: set that address`, {
      status: response.status,
      isRetryable: false,
    });
  }
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  const body = response.ok ? refuseBeyond(MAX_ANSWER_BYTES, response.body) : cutAt(MAX_ERROR_BYTES, response.body);
  // What is passed on is unpacked already, and of another length.
  const others = new Headers(headers);
  others.delete("content-length");
  others.delete("content-encoding");
  return new Response(body, { status, statusText, headers: others });
};

/** Read when it is asked for, without a stream in between: that costs a tenth of all that a streamed answer does. */
function refuseBeyond(limit: number, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
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
        const message = `the answer has more than ${limit / 2 ** 20} MB`;
        const tooLarge = new ModelError(message, { code: "too_large", isRetryable: false });
        void reader.cancel(tooLarge).catch(() => {});
        controller.error(tooLarge);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function cutAt(limit: number, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let left = limit;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk.subarray(0, left));
        left -= chunk.byteLength;
        if (left <= 0) controller.terminate();
      },
    }),
  );
}
