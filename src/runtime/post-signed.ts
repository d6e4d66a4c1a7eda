import { createHmac } from "node:crypto";
import { directFetch } from "../http/direct-fetch.ts";
import { computeBackoffMs } from "../vocabulary/compute-backoff.ts";
import { describeThrown } from "../vocabulary/errors.ts";

const ATTEMPTS = 3;
const TIMEOUT_MS = 10_000;
const backoff = { retryBackoffMinMs: 200 };

/** Posts JSON, signed where there is a secret; tries again where that may help. The result is why that failed. */
export async function postSigned(
  url: string,
  write: () => string,
  secret: string | undefined,
  abort: AbortSignal,
  attempts = ATTEMPTS,
): Promise<string | undefined> {
  let failure = "";
  for (let attempt = 0; attempt < attempts && !abort.aborted; attempt++) {
    if (attempt > 0) await new Promise((done) => setTimeout(done, computeBackoffMs(attempt, backoff)));
    try {
      const body = write();
      const headers = { "content-type": "application/json", ...(secret !== undefined && signed(body, secret)) };
      const signal = AbortSignal.any([abort, AbortSignal.timeout(TIMEOUT_MS)]);
      const reply = await directFetch(url, { method: "POST", body, headers, signal }, (why) => new Redirected(why));
      await reply.body?.cancel();
      if (reply.ok) return undefined;
      failure = `the webhook answered ${reply.status}`;
      if (reply.status < 500 && reply.status !== 429) break;
    } catch (error) {
      if (error instanceof Redirected) return `the webhook is not where it is said to be: ${error.message}`;
      failure = `the webhook could not be reached: ${readMessage(error)}`;
    }
  }
  return failure;
}

function signed(body: string, secret: string): Readonly<Record<string, string>> {
  return { "x-baton-signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}` };
}

class Redirected extends Error {}

/** What was thrown, with its cause. */
export function readMessage(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof Error ? `${describeThrown(error)} (${describeThrown(cause)})` : describeThrown(error);
}
