import { explainUnknownRun } from "../../vocabulary/errors.ts";
import type { BatonEvent } from "../../vocabulary/events.ts";
import { type RunId, toRunId } from "../../vocabulary/ids.ts";
import type { Paused } from "../../vocabulary/pause.ts";
import { isGuarded } from "../guarded-pauses.ts";
import { Refusal } from "../problem.ts";
import type { ServedCrew } from "../served-crews.ts";
import { allows, mayUseCrew, type Token } from "../token.ts";
import { readResult } from "../visible.ts";
import type { McpCaller, McpHost } from "./mcp-host.ts";
import type { Standing } from "./tool-result.ts";

/** A run that the caller may see. */
export interface FoundRun {
  readonly runId: RunId;
  readonly served: ServedCrew;
  readonly events: readonly BatonEvent[];
  /** Whether the caller started it. */
  readonly isOwn: boolean;
}

/** Finds a run: the caller's own, or with the scope `read` any of the crews that it may use. Other runs look like none. */
export async function findRun({ store, crews }: McpHost, { token, about }: McpCaller, id: string): Promise<FoundRun> {
  const runId = toRunId(id.trim());
  const events = await store.read(runId);
  const [started] = events;
  if (started?.type !== "run.started" || !mayUseCrew(token, started.data.crew)) throw explainUnknownRun(runId);
  const served = crews.get(started.data.crew);
  const isOwn = started.data.by === token.name;
  if (served === undefined || !(isOwn || allows(token, "read"))) throw explainUnknownRun(runId);
  about(runId);
  return { runId, served, events, isOwn };
}

/** Refuses to change a run that somebody else started, unless the token may answer for others. */
export function refuseOthers({ isOwn, runId }: FoundRun, { token }: McpCaller): void {
  if (isOwn || allows(token, "answer")) return;
  throw new Refusal("forbidden", `run '${runId}' was started by somebody else: changing it needs the scope 'answer'`);
}

/** Whether a token may answer a pause: questions of its own runs, and with `answer` everything. */
export function mayAnswer(token: Token, { reason }: Pick<Paused, "reason">, isOwn: boolean): boolean {
  return allows(token, "answer") || (isOwn && !isGuarded(reason));
}

/** How a run stands, for the caller. */
export async function readStanding(host: McpHost, caller: McpCaller, found: FoundRun): Promise<Standing> {
  const result = readResult(found);
  const { paused } = result;
  return {
    result,
    isInterrupted: result.status === "running" && (await isInterrupted(host, found)),
    mayAnswer: paused !== undefined && mayAnswer(caller.token, paused, found.isOwn),
  };
}

/** Whether nobody has a run that is under way, and nobody will take it up by itself. */
async function isInterrupted({ store, supervisor, recovers }: McpHost, { runId, served }: FoundRun): Promise<boolean> {
  if (recovers || supervisor.isOurs(runId)) return false;
  const running = await store.list({ status: "running", crew: served.name });
  return running.some((run) => run.runId === runId && !run.isOwned);
}
