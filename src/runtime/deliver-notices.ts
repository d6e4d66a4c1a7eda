import type { Store } from "../journal/store.ts";
import { NOTIFICATION, type Notice, readNotice } from "../run-storage/notifications.ts";
import { formatIsoTime } from "../views/format-iso-time.ts";
import { explainUnset, fillReferences } from "../vocabulary/environment-references.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { postSigned } from "./post-signed.ts";

interface DeliveryOptions {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Told of what could not be delivered. */
  readonly onFailure: (message: string) => void;
  readonly now?: () => number;
}

/** A process that sends a message has this long, before another one may send it. */
const CLAIM_MS = 60_000;
const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 3_600_000;
/** A receiver that takes nothing for this long is given up. */
const KEPT_MS = 3 * 24 * 3_600_000;

/**
 * Sends the messages that are due. A message is deleted when its receiver has taken it; otherwise it is sent again later, less and
 * less often, for three days. If the process dies after the receiver has taken it, it is sent twice with the same id.
 */
export async function deliverNotices(store: Store, options: DeliveryOptions): Promise<void> {
  const { signal, now = Date.now } = options;
  const due = (await store.documents(NOTIFICATION)).flatMap(({ key, value, version }) => {
    const notice = readNotice(value);
    return notice === undefined || notice.dueAt > now() ? [] : [{ key, notice, version }];
  });
  await Promise.all(due.map((each) => (signal.aborted ? undefined : deliver(store, each, options))));
}

async function deliver(
  store: Store,
  { key, notice, version }: { readonly key: string; readonly notice: Notice; readonly version: number },
  options: DeliveryOptions,
): Promise<void> {
  const { onFailure, now = Date.now } = options;
  const attempts = notice.attempts + 1;
  // Of several processes, one sends the message.
  if (!(await store.put(NOTIFICATION, key, { ...notice, attempts, dueAt: now() + CLAIM_MS }, version))) return;
  const failure = await send(notice, options);
  if (failure === undefined) {
    await store.drop(NOTIFICATION, key);
    return;
  }
  const { runId, status } = notice.message;
  const isGivenUp = now() - notice.createdAt > KEPT_MS;
  const next = isGivenUp ? "it is given up" : "it is sent again later";
  onFailure(`the notice that run '${runId}' is ${status} was not delivered: ${failure}; ${next}`);
  const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(notice.attempts, 20));
  if (isGivenUp) await store.drop(NOTIFICATION, key);
  else await store.put(NOTIFICATION, key, { ...notice, attempts, dueAt: now() + waitMs }, version + 1);
}

async function send(notice: Notice, options: DeliveryOptions): Promise<string | undefined> {
  const { variables, signal, now = Date.now } = options;
  try {
    const { url, secretEnv, message } = notice;
    const address = fillReferences(url, variables, (name) => {
      throw new BatonError("no-variable", explainUnset("the address of 'notify'", name));
    });
    const secret = secretEnv === undefined ? undefined : variables[secretEnv];
    // A message that is to be signed is never sent unsigned.
    if (secretEnv !== undefined && !secret) return `the variable ${secretEnv}, which signs it, is not set`;
    const write = () => JSON.stringify({ ...message, timestamp: formatIsoTime(now()) });
    return await postSigned(address, write, secret, signal, 1);
  } catch (error) {
    if (error instanceof BatonError) return error.message;
    throw error;
  }
}
