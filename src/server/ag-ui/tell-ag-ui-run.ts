import type { Event } from "@ag-ui/core";
import { EventEncoder } from "@ag-ui/encoder";
import type { BatonEvent } from "../../vocabulary/events.ts";
import type { Call } from "../api-route.ts";
import { isHeld } from "../held-words.ts";
import type { ServedCrew } from "../served-crews.ts";
import { readRun } from "../stream-run.ts";
import { readResult } from "../visible.ts";
import { type AgUiIds, AgUiNarration } from "./ag-ui-narration.ts";
import type { BegunPart } from "./begin-ag-ui-run.ts";

/** Streams a part of a run until it ends or pauses. A reader that goes away ends nothing. */
export async function tellAgUiRun(
  { service, outgoing }: Call<unknown, unknown>,
  served: ServedCrew,
  { runId, before, ignored }: BegunPart,
  ids: AgUiIds,
): Promise<void> {
  const narration = new AgUiNarration({ ids, runId, isHeld: isHeld(served.crew.definition) });
  narration.remember(before);
  const encoder = new EventEncoder();
  const headers =
    ignored.length === 0 ? {} : { "baton-ignored": ignored.map(encodeURIComponent).join(", ").slice(0, 1000) };
  const stream = service.streams.open(outgoing, headers);
  const tell = (events: readonly Event[]) => {
    for (const event of events) stream.write(encoder.encodeSSE(event));
  };
  tell(narration.begin(ignored));
  const rest = async (event: BatonEvent) => {
    const events = await service.store.read(runId);
    tell(narration.finish(readResult({ events: events.slice(0, (event.seq ?? events.length) + 1), served })));
    stream.end();
  };
  const reader = {
    tell: (event: BatonEvent) => tell(narration.take(event)),
    rest: (event: BatonEvent) => void rest(event).catch(() => stream.end()),
    onLeave: (leave: () => void) => stream.onClose(leave),
  };
  await readRun(reader, runId, before.length, service.store, service.channels);
}
