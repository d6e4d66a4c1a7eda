import type { BatonEvent } from "../../vocabulary/events.ts";
import type { Call } from "../api-route.ts";
import { readOwnRun } from "../own-runs.ts";
import { findVisibleRun, readResult } from "../visible.ts";
import { createRoles } from "./agent-role.ts";
import { Narration } from "./narration.ts";
import {
  formatFailedResponse,
  formatResponse,
  formatUnfinishedResponse,
  type ResponseHead,
} from "./responses-format.ts";
import { cutAfterResponse, readResponseId } from "./thread-of-run.ts";

/** A response by its id, out of the journal: it needs no storage of its own. */
export async function readResponse(call: Call<unknown, unknown>, id: string): Promise<unknown> {
  const { head, result, sayings, breakdown } = await narrateResponse(call, id);
  if (result.status === "running") return formatUnfinishedResponse(head, "in_progress");
  if (result.status === "queued" || result.status === "cancelled") return formatUnfinishedResponse(head, result.status);
  return breakdown === undefined ? formatResponse(head, sayings, result) : formatFailedResponse(head, breakdown);
}

/** What the run of a response says, from the events of its part of the run. */
export async function narrateResponse(call: Call<unknown, unknown>, id: string) {
  const { runId, fromSeq } = readResponseId(id);
  const { served } = await findVisibleRun({ ...call, params: { id: runId } });
  const events = cutAfterResponse(await readOwnRun(call, served, runId), fromSeq);
  const result = readResult({ events, served });
  const roleOf = createRoles(served.crew.definition);
  const narration = new Narration((agent) => (roleOf(agent) === "passes on" ? "passes on" : "may answer"));
  const told = events.slice(fromSeq).flatMap((event) => narration.take(event));
  const { sayings, breakdown } = narration.finish(result);
  return { head: headOf(id, served.name, events, fromSeq), result, sayings: [...told, ...sayings], breakdown };
}

/** Instructions are part of the run's input, and an earlier response is part of its history: neither is stored by itself. */
function headOf(id: string, model: string, events: readonly BatonEvent[], fromSeq: number): ResponseHead {
  const [started] = events;
  const conversation = started?.type === "run.started" ? started.data.session?.id : undefined;
  return {
    id,
    createdAt: Math.floor((events[fromSeq]?.ts ?? 0) / 1000),
    turn: { model, conversation, instructions: undefined, previous: undefined },
    metadata: undefined,
  };
}
