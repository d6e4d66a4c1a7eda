import { createHmac } from "node:crypto";
import type { Crew } from "../crew.ts";
import { BatonError } from "../errors.ts";
import type { ExternalDelivery, ExternalSignal, World } from "../orchestration/crew-run.ts";
import { allCrews } from "./all-crews.ts";

/** A handler in code. What it returns for a pausing signal is the response; undefined leaves the run waiting. */
export type ExternalHandler = (signal: ExternalSignal, abort: AbortSignal) => unknown;

const ATTEMPTS = 3;
const TIMEOUT_MS = 10_000;
const BACKOFF_MS = 200;

/** Tells the handler in code and the webhook of the crew, or of the run's, of external signals; failures are said, and do not fail the run. */
export function deliverExternals(
  root: Crew,
  handler: ExternalHandler | undefined,
  variables: Readonly<Record<string, string | undefined>>,
): World["external"] {
  return async (signal, abort, crew): Promise<ExternalDelivery> => {
    const external = crew.settings.external ?? root.settings.external;
    const failures: string[] = [];
    let response: unknown;
    try {
      response = await handler?.(signal, abort);
    } catch (error) {
      failures.push(`the handler failed: ${messageOf(error)}`);
    }
    if (external !== undefined) {
      const secret = external.secretEnv === undefined ? undefined : variables[external.secretEnv];
      const failure = await post(external.webhook, signal, secret, abort);
      if (failure !== undefined) failures.push(failure);
    }
    return { failures, ...(response !== undefined && { response }) };
  };
}

/** A webhook that is to be signed is never called unsigned: better no run than one whose messages nobody can trust. */
export function refuseUnsigned(crew: Crew, variables: Readonly<Record<string, string | undefined>>): void {
  const names = allCrews(crew).map(([, { settings }]) => settings.external?.secretEnv);
  const name = names.find((each) => each !== undefined && !variables[each]);
  if (name === undefined) return;
  throw new BatonError(
    "no-secret",
    `messages to the crew's webhook are signed with the secret in ${name}, which is not set`,
  );
}

/** Posts the signal as JSON, signed where there is a secret; tries again where that may help. */
async function post(
  url: string,
  signal: ExternalSignal,
  secret: string | undefined,
  abort: AbortSignal,
): Promise<string | undefined> {
  const body = JSON.stringify(signal);
  const signature =
    secret === undefined
      ? {}
      : { "x-baton-signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}` };
  let failure = "";
  for (let attempt = 0; attempt < ATTEMPTS && !abort.aborted; attempt++) {
    if (attempt > 0) await new Promise((done) => setTimeout(done, BACKOFF_MS * attempt));
    try {
      const headers = { "content-type": "application/json", ...signature };
      const reply = await fetch(url, {
        method: "POST",
        body,
        headers,
        signal: AbortSignal.any([abort, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await reply.body?.cancel();
      if (reply.ok) return undefined;
      failure = `the webhook answered ${reply.status}`;
      if (reply.status < 500 && reply.status !== 429) break;
    } catch (error) {
      failure = `the webhook could not be reached: ${messageOf(error)}`;
    }
  }
  return failure;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
