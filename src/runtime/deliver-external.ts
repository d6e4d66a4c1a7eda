import { listCrews } from "../flow/list-crews.ts";
import type { ExternalDelivery, ExternalSignal, World } from "../orchestration/crew-run.ts";
import { findMarker } from "../redaction/marker.ts";
import type { Clock } from "../run/clock.ts";
import { formatIsoTime } from "../views/format-iso-time.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { explainUnset, fillReferences } from "../vocabulary/environment-references.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { findJsonProblem } from "../vocabulary/find-json-problem.ts";
import { MAX_TOLD_KB, sizeProblem } from "./check-input.ts";
import { postSigned, readMessage } from "./post-signed.ts";

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
      const failure = await postSigned(fillAddress(external.webhook, variables), write, secret, abort);
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
  if (problem !== undefined) return `${problem}, which is not JSON`;
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
