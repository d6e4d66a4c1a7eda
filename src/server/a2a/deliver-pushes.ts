import { createHmac } from "node:crypto";
import { StreamResponse } from "@a2a-js/sdk";
import type { StoredDocument } from "../../journal/store.ts";
import { postPinned } from "../../tools/builtin/post-pinned.ts";
import { buildResult } from "../../views/run-result.ts";
import { describeThrown } from "../../vocabulary/errors.ts";
import type { BatonEvent } from "../../vocabulary/events.ts";
import { toRunId } from "../../vocabulary/ids.ts";
import { isHeld } from "../held-words.ts";
import { isAtRest } from "../run-standing.ts";
import type { Service } from "../service.ts";
import { allowPushAddress, resolvePushAddress } from "./push-address.ts";
import { PUSH, type StoredPushes } from "./push-configs.ts";
import { buildTask } from "./task-of-run.ts";

type Config = StoredPushes["configs"][number];

const TIMEOUT_MS = 10_000;
const CLAIM_MS = 60_000;
const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 3_600_000;
/** With waits that double, that is about three days. */
const MAX_ATTEMPTS = 80;

export type PushService = Pick<Service, "store" | "crews" | "pushAllow">;

interface Delivering {
  readonly signal: AbortSignal;
  readonly onFailure: (message: string) => void;
  readonly now?: () => number;
}

/** Tells those who asked for it that a task waits for an answer or has ended. It is told again until it is taken. */
export async function deliverPushes(service: PushService, options: Delivering): Promise<void> {
  for (const document of await service.store.documents(PUSH)) {
    if (options.signal.aborted) return;
    await deliverTask(service, document, options);
  }
}

async function deliverTask(service: PushService, document: StoredDocument, options: Delivering): Promise<void> {
  const { store } = service;
  const { now = Date.now } = options;
  // Only Baton writes documents of this kind.
  const { configs } = document.value as StoredPushes;
  const events = await store.read(toRunId(document.key));
  const isDue = ({ toldSeq, dueAt }: Config) =>
    dueAt <= now() && events.some((event) => (event.seq ?? 0) >= toldSeq && isAtRest(event));
  const due = configs.filter(isDue);
  const hasEnded = events.some((event) => isAtRest(event) && event.type !== "run.paused");
  if (due.length === 0) {
    if (configs.length === 0 || events.length === 0) await store.drop(PUSH, document.key);
    return;
  }
  const claimed = configs.map((config) => (due.includes(config) ? { ...config, dueAt: now() + CLAIM_MS } : config));
  // Of several processes, one tells.
  if (!(await store.put(PUSH, document.key, { configs: claimed }, document.version))) return;
  const told = await Promise.all(
    configs.map((config) => (due.includes(config) ? tell(service, config, events, options) : config)),
  );
  const left = told.filter((config) => config !== undefined && (!hasEnded || config.toldSeq < events.length));
  if (left.length === 0) await store.drop(PUSH, document.key);
  else await store.put(PUSH, document.key, { configs: left }, document.version + 1);
}

/** Sends the next thing that a receiver does not know. The result is what is left to tell. */
async function tell(
  { crews, pushAllow }: PushService,
  config: Config,
  events: readonly BatonEvent[],
  { signal, onFailure, now = Date.now }: Delivering,
): Promise<Config | undefined> {
  const at = events.findIndex((event) => (event.seq ?? 0) >= config.toldSeq && isAtRest(event));
  try {
    const url = await allowPushAddress(config.url, pushAllow);
    const address = await resolvePushAddress(url, pushAllow);
    const body = writeTask(events.slice(0, at + 1), crews);
    const headers = { ...authorize(config), ...sign(config, body), "x-baton-delivery": `${config.taskId}.${at}` };
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const status = await postPinned(url, { address, body, headers, signal: limit });
    if (status >= 200 && status < 300) return { ...config, toldSeq: at + 1, attempts: 0, dueAt: 0 };
    throw new Error(`${url.host} answered ${status}`);
  } catch (error) {
    const attempts = config.attempts + 1;
    onFailure(`a push notification of task '${config.taskId}' was not delivered: ${describeThrown(error)}`);
    if (attempts >= MAX_ATTEMPTS) return undefined;
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempts, 20));
    return { ...config, attempts, dueAt: now() + waitMs };
  }
}

function writeTask(events: readonly BatonEvent[], crews: PushService["crews"]): string {
  const [started] = events;
  if (started?.type !== "run.started") throw new Error("a run begins with its start");
  const { crew, session } = started.data;
  const served = crews.get(crew);
  const ids = { id: started.runId, contextId: session?.id ?? started.runId };
  const view = {
    ids,
    events,
    result: buildResult(events),
    isHeld: served === undefined || isHeld(served.crew.definition),
  };
  return JSON.stringify(StreamResponse.toJSON({ payload: { $case: "task", value: buildTask(view, 0) } }));
}

function authorize({ authentication, token }: Config): Readonly<Record<string, string>> {
  return {
    "content-type": "application/a2a+json",
    ...(authentication?.scheme &&
      authentication.credentials && { authorization: `${authentication.scheme} ${authentication.credentials}` }),
    ...(token && { "x-a2a-notification-token": token }),
  };
}

/** The token, or else the credentials, are the secret that both sides know. */
function sign({ token, authentication }: Config, body: string): Readonly<Record<string, string>> {
  const secret = token || authentication?.credentials;
  if (!secret) return {};
  return { "x-baton-signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}` };
}
