import type { z } from "zod";
import type { BeginOptions, BegunRun } from "../../library/begin-stored.ts";
import type { RunResult } from "../../views/run-result.ts";
import { parseDuration } from "../../vocabulary/duration.ts";
import type { BatonEvent } from "../../vocabulary/events.ts";
import { type Call, defineRoute, PROTOCOL_MAX_BODY } from "../api-route.ts";
import { Refusal } from "../problem.ts";
import { collectFiles } from "../read-files.ts";
import { isAtRest } from "../run-standing.ts";
import { resultSchema, startedSchema, startSchema } from "../schemas.ts";
import type { ServedCrew } from "../served-crews.ts";
import type { Service } from "../service.ts";
import { streamRun } from "../stream-run.ts";
import { allows, type Token } from "../token.ts";
import { findCrew, readResult } from "../visible.ts";

const MAX_WAIT_S = 60;
const MAX_KEY = 256;

/** `POST /v1/crews/:crew/runs`: starts a run. */
export const startRunRoute = defineRoute({
  method: "POST",
  path: "/v1/crews/:crew/runs",
  scope: "run",
  summary:
    "Starts a run, with files in base64 or as parts of a form (multipart/form-data, fields first). `Prefer: wait=<seconds>` waits for its end, and `Accept: text/event-stream` streams its events",
  headers: {
    "Idempotency-Key": "The same key and body within a day give the same run.",
    Prefer: "wait=<seconds>: waits up to 60 s for the result.",
    traceparent: "The span that the run's trace continues.",
  },
  body: startSchema,
  takesFiles: true,
  maxBody: PROTOCOL_MAX_BODY,
  result: startedSchema.or(resultSchema),
  status: 202,
  produces: ["text/event-stream"],
  problems: [
    "bad-attachment",
    "attachment-too-large",
    "conversation-active",
    "conversation-interrupted",
    "conversation-paused",
    "idempotency-conflict",
  ],
  async handle(call) {
    const served = findCrew(call);
    const { service, body } = call;
    await service.spending.check(call.token, Date.now());
    const user = chooseUser(call);
    const options = readOptions(call, user, served);
    const { conversation } = body;
    const crew = conversation === undefined ? served.crew : served.crew.conversation(conversation, { user });
    const admitted = refuseTooMany(call);
    if (admitted !== undefined) await admitted;
    const attachments = collectFiles(body.attachments, call.files, served.crew.definition, call.signal);
    const input = attachments === undefined ? body.input : { text: body.input, attachments };
    const begun = await service.supervisor.start(crew, served.name, input, options);
    call.about(begun.id);
    const location = call.locate(`/v1/runs/${begun.id}`);
    if (call.header("accept")?.includes("text/event-stream")) {
      const stream = service.streams.open(call.outgoing, { Location: location });
      await streamRun(stream, { runId: begun.id, fromSeq: 0, hasDeltas: true }, service.store, service.channels);
      return "streamed";
    }
    const waitMs = readWait(call.header("prefer"));
    const result = waitMs > 0 ? await waitForRest(call, begun, served, waitMs) : undefined;
    const headers = { Location: location, ...(waitMs > 0 && { "Preference-Applied": `wait=${waitMs / 1000}` }) };
    if (result !== undefined) return { json: result, headers };
    const status = begun.isQueued ? "queued" : "running";
    return { json: { runId: begun.id, status }, status: 202, headers };
  },
});

/** Refuses a token that has as many runs under way or queued as it may. What is to be waited for comes before the run is counted. */
export function refuseTooMany({
  token,
  service,
}: {
  readonly token: Token;
  readonly service: Pick<Service, "supervisor">;
}): Promise<void> | undefined {
  const { name, maxRuns } = token;
  return maxRuns === undefined ? undefined : service.supervisor.admit(name, maxRuns);
}

type StartCall = Call<unknown, z.output<typeof startSchema>>;

/** For whom a run is: for the token itself, or for somebody whom it may act for. */
function chooseUser({ token, body }: StartCall): string {
  const { user = token.name } = body;
  if (user === token.name || allows(token, "act_as")) return user;
  throw new Refusal(
    "forbidden",
    `naming the user '${user}' needs the scope 'act_as'; without it, the user is '${token.name}'`,
  );
}

function readOptions({ token, body, header }: StartCall, user: string, { name }: ServedCrew): BeginOptions {
  const { history, variables, priority, delay } = body;
  const key = header("idempotency-key");
  const traceparent = header("traceparent");
  if (key !== undefined && (key === "" || key.length > MAX_KEY))
    throw new Refusal("bad-request", `an Idempotency-Key has 1 to ${MAX_KEY} characters`);
  const delayMs = delay === undefined ? 0 : (parseDuration(delay) ?? 0);
  return {
    user,
    by: token.name,
    ...(traceparent !== undefined && { traceparent }),
    ...(history !== undefined && {
      history: history.map(({ role, text, agent }) => ({ role, text, ...(agent !== undefined && { agent }) })),
    }),
    ...(variables !== undefined && { variables }),
    ...((priority !== undefined || delayMs > 0) && { queue: { ...(priority !== undefined && { priority }), delayMs } }),
    ...(key !== undefined && {
      idempotency: { key: JSON.stringify([token.name, name, key]), request: JSON.stringify(body) },
    }),
  };
}

/** `Prefer: wait=30`: how long the caller waits for the result. */
function readWait(prefer: string | undefined): number {
  const seconds = Number(/(?:^|[,;\s])wait=(\d+)/.exec(prefer ?? "")?.[1] ?? 0);
  return Math.min(seconds, MAX_WAIT_S) * 1000;
}

/** The result of the run once it waits or has ended; undefined if the time passes before. */
async function waitForRest(
  { service, signal }: Call<unknown, unknown>,
  { id, handle, isQueued }: BegunRun & { readonly isQueued: boolean },
  served: ServedCrew,
  waitMs: number,
): Promise<RunResult | undefined> {
  const { store, channels } = service;
  const rested = Promise.withResolvers<undefined>();
  const giveUp = () => rested.resolve(undefined);
  const timer = setTimeout(giveUp, waitMs);
  signal.addEventListener("abort", giveUp, { once: true });
  void rested.promise.then(() => clearTimeout(timer));
  if (handle !== undefined && !isQueued) {
    // A run that leaves this server is continued by another one: the caller asks again.
    const result = await Promise.race([handle.result.catch(() => undefined), rested.promise]);
    giveUp();
    return result?.status === "running" ? undefined : result;
  }
  const unsubscribe = channels.subscribe(id, { push: (event) => isAtRest(event) && rested.resolve(undefined) });
  try {
    const before = await store.read(id);
    if (isResting(before)) return readResult({ events: before, served });
    channels.follow(id, before.length);
    await rested.promise;
    const events = [...before, ...(await store.read(id, before.length))];
    return isResting(events) ? readResult({ events, served }) : undefined;
  } finally {
    giveUp();
    unsubscribe();
  }
}

function isResting(events: readonly BatonEvent[]): boolean {
  const last = events.at(-1);
  return last !== undefined && isAtRest(last);
}
