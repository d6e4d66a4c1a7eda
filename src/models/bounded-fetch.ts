import { directFetch, refuseBeyond, withBody } from "../http/direct-fetch.ts";
import { explainTooLarge, MAX_ANSWER_BYTES } from "./answer-limit.ts";
import { ModelError } from "./model.ts";

const MAX_ERROR_BYTES = 64 * 2 ** 10;

/** Fetches an answer of bounded size, and follows no redirect to another address. */
export const boundedFetch: typeof globalThis.fetch = async (input, init) => {
  const redirected = (message: string, status: number) => new ModelError(message, { status, isRetryable: false });
  const response = await directFetch(input, init, redirected);
  if (response.body === null) return response;
  const body = response.ok
    ? refuseBeyond(MAX_ANSWER_BYTES, response.body, explainTooLarge)
    : cutAt(MAX_ERROR_BYTES, response.body);
  return withBody(response, body);
};

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
