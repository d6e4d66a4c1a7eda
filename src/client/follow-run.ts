import type { BatonEvent } from "../vocabulary/events.ts";
import type { Connection } from "./connection.ts";
import { readFrames } from "./read-frames.ts";

export interface Following {
  /** The number of the first event that is wanted. */
  readonly fromSeq: number;
  readonly hasDeltas: boolean;
  /** Gives the first answer, which may start the run. Later ones continue after its last event. */
  readonly open?: () => Promise<Response>;
}

/**
 * The events of a run until it ends or pauses, each stored event once. It reconnects by itself. Deltas that come while the connection
 * is broken are lost.
 */
export async function* followRun(
  connection: Connection,
  runId: string | undefined,
  { fromSeq, hasDeltas, open }: Following,
): AsyncGenerator<BatonEvent, void, undefined> {
  const patience = connection.patience();
  let id = runId;
  let next = fromSeq;
  const reopen = (known: string) =>
    connection.ask(`v1/runs/${encodeURIComponent(known)}/events`, {
      headers: { accept: "text/event-stream", ...(next > 0 && { "last-event-id": `${next - 1}` }) },
      query: { deltas: hasDeltas },
    });
  for (;;) {
    let broken: unknown = new Error("the stream ended before the run did");
    try {
      const response = id === undefined && open !== undefined ? await open() : await reopen(id ?? "");
      for await (const event of readEvents(response)) {
        patience.reset();
        if (event === "end") return;
        id = event.runId;
        const { seq = next } = event;
        if (seq < next) continue;
        next = event.seq === undefined ? next : seq + 1;
        yield event;
      }
    } catch (error) {
      broken = error;
    }
    await patience.wait(connection.explain(broken));
  }
}

/** The events of one connection; `end` says that the run has ended or pauses, and not only the connection. */
async function* readEvents(response: Response): AsyncGenerator<BatonEvent | "end", void, undefined> {
  for await (const { event, data } of readFrames(response)) {
    if (event === "end") yield "end";
    else if (data !== "") yield JSON.parse(data) as BatonEvent;
  }
}
