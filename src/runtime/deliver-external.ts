import { createHmac } from "node:crypto";
import { listCrews } from "../flow/list-crews.ts";
import { directFetch } from "../http/direct-fetch.ts";
import type { ExternalDelivery, ExternalSignal, World } from "../orchestration/crew-run.ts";
import { findMarker } from "../redaction/marker.ts";
import type { Clock } from "../run/clock.ts";
import { formatIsoTime } from "../views/format-iso-time.ts";
import { computeBackoffMs } from "../vocabulary/compute-backoff.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { explainUnset, fillReferences } from "../vocabulary/environment-references.ts";
import { BatonError, describeThrown } from "../vocabulary/errors.ts";
import { findJsonProblem } from "../vocabulary/find-json-problem.ts";
import { MAX_TOLD_KB, sizeProblem } from "./check-input.ts";

/** What a handler says to a signal that pauses. */
export interface ExternalAnswer {
  readonly answer: unknown;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** A handler in code. Only `{ answer }` is a response to a pausing signal; whatever else it returns leaves the run waiting. */
export type ExternalHandler = (
  signal: ExternalSignal,
  abort: AbortSignal,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler that only takes notice returns nothing
) => ExternalAnswer | undefined | void | Promise<ExternalAnswer | undefined | void>;

const ATTEMPTS = 3;
const TIMEOUT_MS = 10_000;
const backoff = { retryBackoffMinMs: 200 };

/** Tells the handler in code and the webhook of the crew, or of the run's, of external signals; failures are said, and do not fail the run. */
export function deliverExternals(
  root: Crew,
  handler: ExternalHandler | undefined,
  { variables, clock }: { readonly variables: Variables; readonly clock: Clock },
): World["external"] {
  return async (signal, deliveryId, abort, crew): Promise<ExternalDelivery> => {
    const external = crew.settings.external ?? root.settings.external;
    const failures: string[] = [];
    let response: unknown;
    try {
      const answer = answerIn(await handler?.(signal, abort));
      const problem = answerProblem(answer);
      if (problem === undefined) response = asJson(answer);
      else failures.push(`the handler answered, but ${problem}`);
    } catch (error) {
      failures.push(`the handler failed: ${readMessage(error)}`);
    }
    if (external !== undefined) {
      const secret = external.secretEnv === undefined ? undefined : variables[external.secretEnv];
      // The time is that of the attempt: a receiver may refuse what is old, and old posts that somebody sends again.
      const write = () => JSON.stringify({ ...signal, deliveryId, timestamp: formatIsoTime(clock.now()) });
      const failure = await post(fillAddress(external.webhook, variables), write, secret, abort);
      if (failure !== undefined) failures.push(failure);
    }
    return { failures, ...(response !== undefined && { response }) };
  };
}

/** Handlers may be JavaScript, and return anything. */
function answerIn(returned: unknown): unknown {
  return typeof returned === "object" && returned !== null && "answer" in returned ? returned.answer : undefined;
}

/** What the journal could not keep is no answer. */
function answerProblem(answer: unknown): string | undefined {
  const problem = findJsonProblem(answer, "its answer");
  if (problem !== undefined) return `${problem}, which is no JSON`;
  return sizeProblem("its answer", JSON.stringify(answer) ?? "", MAX_TOLD_KB);
}

/** As it is read back from a journal. */
function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** A webhook that is to be signed is never called unsigned, nor at half an address: better no run than a message that is lost. */
export function refuseUnready(crew: Crew, variables: Variables): void {
  const externals = listCrews(crew).flatMap(([, { settings }]) => settings.external ?? []);
  if (externals.some(({ webhook }) => findMarker(webhook, 0) !== undefined))
    throw new BatonError(
      "secret-not-stored",
      "the crew's webhook has a secret in its address that the stored copy of the crew does not have: resume with the crew's files",
    );
  for (const { webhook, secretEnv } of externals) {
    fillAddress(webhook, variables);
    if (secretEnv !== undefined && !variables[secretEnv])
      throw new BatonError(
        "no-secret",
        `messages to the crew's webhook are signed with the secret in ${secretEnv}, which is not set`,
      );
  }
}

function fillAddress(webhook: string, variables: Variables): string {
  return fillReferences(webhook, variables, (name) => {
    throw new BatonError("no-variable", explainUnset("the crew's webhook", name));
  });
}

/** Posts JSON, signed where there is a secret; tries again where that may help. */
async function post(
  url: string,
  write: () => string,
  secret: string | undefined,
  abort: AbortSignal,
): Promise<string | undefined> {
  let failure = "";
  for (let attempt = 0; attempt < ATTEMPTS && !abort.aborted; attempt++) {
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

function readMessage(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof Error ? `${describeThrown(error)} (${describeThrown(cause)})` : describeThrown(error);
}
