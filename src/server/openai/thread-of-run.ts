import type { HistoryMessage } from "../../runtime/environment.ts";
import { buildResult } from "../../views/run-result.ts";
import { BatonError } from "../../vocabulary/errors.ts";
import type { BatonEvent, EventData } from "../../vocabulary/events.ts";
import { type RunId, toRunId } from "../../vocabulary/ids.ts";

/** What user and crew said, up to the end of a run or its newest pause. */
export function threadOfRun(events: readonly BatonEvent[]): readonly HistoryMessage[] {
  return events.flatMap((event): readonly HistoryMessage[] => {
    switch (event.type) {
      case "run.started":
        return [...saidBefore(event.data), { role: "user", text: event.data.input }];
      case "run.paused":
        return [{ role: "assistant", text: event.data.prompt }];
      case "run.resumed":
        return [{ role: "user", text: event.data.input ?? event.data.decision ?? "" }];
      case "run.completed":
        return answerOf(events);
      default:
        return [];
    }
  });
}

function saidBefore({ history = [], session }: EventData["run.started"]): readonly HistoryMessage[] {
  return [...(session?.said ?? []), ...history].map(({ agent, text }) =>
    agent === undefined ? { role: "user", text } : { role: "assistant", text, agent },
  );
}

function answerOf(events: readonly BatonEvent[]): readonly HistoryMessage[] {
  const { output, finalAgent } = buildResult(events);
  if (output === "") return [];
  return [{ role: "assistant", text: output, ...(finalAgent !== "" && { agent: finalAgent }) }];
}

/** The id of a response says which run it belongs to, and with which event its part of the run begins. */
export function nameResponse(runId: RunId, fromSeq: number): string {
  return `resp_${runId.replace(/^run_/, "")}_${fromSeq}`;
}

export function readResponseId(id: string): { readonly runId: RunId; readonly fromSeq: number } {
  const [, run, seq] = /^resp_([A-Za-z0-9-]+)_(\d{1,9})$/.exec(id) ?? [];
  if (run === undefined || seq === undefined) throw new BatonError("unknown-run", `there is no response '${id}'`);
  return { runId: toRunId(`run_${run}`), fromSeq: Number(seq) };
}

/** The events of a run up to the end of one response. */
export function cutAfterResponse(events: readonly BatonEvent[], fromSeq: number): readonly BatonEvent[] {
  const end = events.findIndex(({ type, seq = 0 }) => type === "run.paused" && seq >= fromSeq);
  return end === -1 ? events : events.slice(0, end + 1);
}
