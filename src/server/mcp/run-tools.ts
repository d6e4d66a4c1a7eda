import { z } from "zod";
import { readTypedAnswer } from "../../library/read-typed-answer.ts";
import { BatonError } from "../../vocabulary/errors.ts";
import { Refusal } from "../problem.ts";
import { listVisibleCrews } from "../visible.ts";
import { followCall, type ToolAnswer } from "./follow-call.ts";
import { type FoundRun, findRun, mayAnswer, readStanding, refuseOthers } from "./found-run.ts";
import type { McpCaller, McpHost } from "./mcp-host.ts";
import { type Exchange, traceOf } from "./tool-exchange.ts";
import { toToolResult } from "./tool-result.ts";

const runId = z.string().min(1).max(256);
/** Clients give up after a minute. */
const MAX_WAIT_S = 50;
/** How many runs are listed, newest first, and among how many they are looked for. */
const LISTED = 10;
const SEARCHED = 200;

export const getRunInput = z.strictObject({
  runId: runId.optional().meta({ description: "The run. Without it, your newest runs are listed." }),
  wait: z
    .number()
    .min(0)
    .max(MAX_WAIT_S)
    .optional()
    .meta({ description: "How many seconds to wait for the run to end or pause." }),
});
export const cancelRunInput = z.strictObject({ runId });
export const resumeRunInput = z.strictObject({
  runId,
  answer: z
    .string()
    .optional()
    .meta({ description: "The answer to what the run asks. Leave it out to continue a run that was interrupted." }),
});

/** `get_run`: how a run stands, now or as soon as it ends or pauses. */
export async function getRun(
  host: McpHost,
  caller: McpCaller,
  { runId: id, wait = 0 }: z.output<typeof getRunInput>,
  exchange: Exchange,
): Promise<ToolAnswer> {
  if (id === undefined) return listOwnRuns(host, caller);
  const found = await findRun(host, caller, id);
  const patience = { ...host, waitMs: wait * 1000 };
  // Whoever only looks ends nothing by looking away.
  const onlooker: McpCaller = { ...caller, onLeave: () => "keep" };
  return followCall({ host: patience, caller: onlooker, exchange: silent(exchange), id }, found.events.length);
}

/** A client that lost its connection finds its runs again. */
async function listOwnRuns(host: McpHost, { token }: McpCaller): Promise<ToolAnswer> {
  const { store, crews } = host;
  const crew = listVisibleCrews({ service: { crews }, token });
  const own = [];
  for (const run of await store.list({ crew, limit: SEARCHED })) {
    const [started] = await store.read(run.runId, 0, 1);
    if (started?.type === "run.started" && started.data.by === token.name) own.push(run);
    if (own.length === LISTED) break;
  }
  const lines = own.map(
    ({ runId: id, crew: name, status, input }) => `${id}  ${name}  ${status}  ${input.slice(0, 80)}`,
  );
  const text = own.length === 0 ? "You have started no runs." : `Your newest runs:\n${lines.join("\n")}`;
  return { content: [{ type: "text", text }] };
}

/** `cancel_run`: ends a run, whether it is under way, waits for an answer, or was interrupted. */
export async function cancelRun(
  host: McpHost,
  caller: McpCaller,
  { runId: id }: z.output<typeof cancelRunInput>,
): Promise<ToolAnswer> {
  const found = await findRun(host, caller, id);
  refuseOthers(found, caller);
  await host.supervisor.cancel(found.served.crew, found.runId, false);
  const { isError: _, ...result } = toToolResult(await readStanding(host, caller, await findRun(host, caller, id)));
  return result;
}

/** `resume_run`: answers a paused run, or continues one that was interrupted, and waits as the crew's own tool does. */
export async function resumeRun(
  host: McpHost,
  caller: McpCaller,
  { runId: id, answer }: z.output<typeof resumeRunInput>,
  exchange: Exchange,
): Promise<ToolAnswer> {
  const found = await findRun(host, caller, id);
  refuseOthers(found, caller);
  const { result, isInterrupted } = await readStanding(host, caller, found);
  if (isInterrupted && answer === undefined) await recover(host, caller, found);
  else if (result.paused === undefined)
    throw new BatonError("not-paused", `run '${found.runId}' is ${result.status}; it does not wait for an answer`);
  else {
    if (!mayAnswer(caller.token, result.paused, found.isOwn))
      throw new Refusal(
        "forbidden",
        `a person must decide this pause (${result.paused.reason}): ask the user to run 'baton resume ${found.runId}'`,
      );
    if (answer === undefined) throw new BatonError("bad-answer", "give the answer as 'answer'");
    const options = { by: caller.token.name, ...traceOf(exchange, caller) };
    await host.supervisor.resume(found.served.crew, found.runId, readTypedAnswer(answer, result.paused), options);
  }
  return followCall({ host, caller, exchange: silent(exchange), id }, found.events.length, true);
}

async function recover({ supervisor }: McpHost, { token }: McpCaller, { served, runId: id }: FoundRun): Promise<void> {
  // A run is continued with the crew as it was when it began.
  await supervisor.recover(served.crew, id, { by: token.name });
}

/** Only the tool of a crew asks people: the others tell what is asked. */
function silent(exchange: Exchange): Exchange {
  return { ...exchange, asking: "never" };
}
