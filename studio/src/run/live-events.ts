import type { BatonEvent } from "../../../src/vocabulary/events.ts";

/** A run as far as it has been told, and the answers that are being written. */
export interface LiveRun {
  readonly events: readonly BatonEvent[];
  readonly streams: ReadonlyMap<string, string>;
  /** Whether the server has told everything there is for now. */
  readonly hasEnded: boolean;
  readonly problem: string | undefined;
}

type Told =
  | { readonly type: "events"; readonly events: readonly BatonEvent[] }
  | { readonly type: "ended" }
  | { readonly type: "begins" }
  | { readonly type: "failed"; readonly problem: string };

export const nothingTold: LiveRun = { events: [], streams: new Map(), hasEnded: false, problem: undefined };

/** Adds what was told to a run. Events that are known already, as after a reconnection, change nothing. */
export function addTold(run: LiveRun, told: Told): LiveRun {
  if (told.type === "begins") return nothingTold;
  if (told.type === "ended") return { ...run, hasEnded: true, streams: new Map() };
  if (told.type === "failed") return { ...run, problem: told.problem };
  const newest = run.events.at(-1)?.seq ?? -1;
  const kept = told.events.filter(({ seq }) => seq !== undefined && seq > newest);
  const streams = told.events.reduce(addText, run.streams);
  return { ...run, events: kept.length === 0 ? run.events : [...run.events, ...kept], streams, problem: undefined };
}

/** Text that is being written stands until the event that holds all of it. */
function addText(streams: LiveRun["streams"], event: BatonEvent): LiveRun["streams"] {
  switch (event.type) {
    case "text.delta": {
      const before = event.data.startsOver ? "" : (streams.get(event.path) ?? "");
      return new Map(streams).set(event.path, before + event.data.text);
    }
    case "model.completed":
    case "model.failed":
    case "agent.completed":
      return new Map([...streams].filter(([path]) => !path.startsWith(event.path) && !event.path.startsWith(path)));
    default:
      return streams;
  }
}
