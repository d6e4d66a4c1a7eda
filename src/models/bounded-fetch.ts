import { ModelError } from "./model.ts";

/** Far more than any model writes in one answer; what sends more is no model. */
const MAX_ANSWER_BYTES = 32 * 2 ** 20;
const MAX_ERROR_BYTES = 64 * 2 ** 10;

/** Fetches, but no more than an answer may have, and from nowhere but the address that was meant. */
export const boundedFetch: typeof globalThis.fetch = async (input, init) => {
  // A redirect would take the key in its header along to another server.
  const response = await fetch(input, { ...init, redirect: "manual" });
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
  const body = response.body.pipeThrough(response.ok ? refuseBeyond(MAX_ANSWER_BYTES) : cutAt(MAX_ERROR_BYTES));
  // What is passed on is unpacked already, and of another length.
  const others = new Headers(headers);
  others.delete("content-length");
  others.delete("content-encoding");
  return new Response(body, { status, statusText, headers: others });
};

function refuseBeyond(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size <= limit) controller.enqueue(chunk);
      else {
        const message = `the answer has more than ${limit / 2 ** 20} MB`;
        controller.error(new ModelError(message, { code: "too_large", isRetryable: false }));
      }
    },
  });
}

function cutAt(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let left = limit;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.byteLength;
      if (left <= 0) controller.terminate();
    },
  });
}
