import type { RunId } from "../../vocabulary/ids.ts";
import { readRun } from "../stream-run.ts";
import { describeWork } from "./describe-work.ts";
import type { McpHost } from "./mcp-host.ts";

/** How often a client is told that a run is still under way, so that it does not give up. */
const BEAT_MS = 15_000;

interface Awaited {
  readonly runId: RunId;
  /** The number of the first event that is told. */
  readonly fromSeq: number;
  /** Whether somebody has answered the pause before that event, so that the pause says nothing of how the run stands. */
  readonly isAnswered: boolean;
  readonly waitMs: number;
  /** Aborted when the caller does not want the answer any more. */
  readonly signal: AbortSignal;
  readonly tell: (message: string) => void;
}

/**
 * Waits until the caller leaves, or there is something to tell: the run ended or paused, this process let go of it, or the time has
 * passed.
 */
export async function awaitRun(
  { store, channels, supervisor }: McpHost,
  { runId, fromSeq, isAnswered, waitMs, signal, tell }: Awaited,
): Promise<"told" | "left"> {
  const over = Promise.withResolvers<"told" | "left">();
  const leaves: (() => void)[] = [];
  let last = "the run is under way";
  const say = (message: string) => {
    last = message;
    tell(message);
  };
  const onAbort = () => over.resolve("left");
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort);
  const timer = setTimeout(() => over.resolve("told"), waitMs);
  const beat = setInterval(() => tell(`still at it: ${last}`), BEAT_MS);
  try {
    const reader = {
      tell(event: Parameters<typeof describeWork>[0]) {
        const message = describeWork(event);
        if (message !== undefined) say(message);
      },
      rest(event: Parameters<typeof describeWork>[0]) {
        if (!isAnswered || (event.seq ?? 0) >= fromSeq) over.resolve("told");
      },
      onLeave: (leave: () => void) => leaves.push(leave),
    };
    await readRun(reader, runId, fromSeq, store, channels);
    // A run that this process lets go of does not rest, and nobody here will tell more of it.
    const released = () => over.resolve("told");
    supervisor.handleOf(runId)?.result.then(released, released);
    return await over.promise;
  } finally {
    clearTimeout(timer);
    clearInterval(beat);
    signal.removeEventListener("abort", onAbort);
    for (const leave of leaves) leave();
  }
}
