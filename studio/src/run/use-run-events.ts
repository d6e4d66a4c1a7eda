import { useEffect, useReducer } from "react";
import type { BatonEvent } from "../../../src/vocabulary/events.ts";
import { addTold, type LiveRun, nothingTold } from "./live-events.ts";

/** Reads a run's events, and goes on reading while it runs. What arrives within a frame is shown together. */
export function useRunEvents(runId: string): LiveRun & { readonly reconnect: () => void } {
  const [run, tell] = useReducer(addTold, nothingTold);
  const [version, reconnect] = useReducer((before: number) => before + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version opens the stream again.
  useEffect(() => {
    tell({ type: "begins" });
    const waiting: BatonEvent[] = [];
    let frame = 0;
    const flush = () => {
      frame = 0;
      tell({ type: "events", events: waiting.splice(0) });
    };
    const source = new EventSource(`/v1/runs/${encodeURIComponent(runId)}/events`);
    const read = ({ data }: MessageEvent<string>) => {
      waiting.push(JSON.parse(data));
      if (frame === 0) frame = requestAnimationFrame(flush);
    };
    source.onmessage = read;
    source.addEventListener("end", () => {
      source.close();
      if (frame !== 0) cancelAnimationFrame(frame);
      flush();
      tell({ type: "ended" });
    });
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED)
        tell({
          type: "failed",
          problem: "The server knows no run of this id, or it belongs to a crew that the studio was started without.",
        });
    };
    return () => {
      source.close();
      if (frame !== 0) cancelAnimationFrame(frame);
    };
  }, [runId, version]);
  return { ...run, reconnect };
}
