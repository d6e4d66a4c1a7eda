import type { Scenario } from "../src/scenario/read-scenario.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import type { Paused, ResumeAnswer } from "../src/vocabulary/pause.ts";
import { nameOfCall, noteInWorld, readCall, readWorld, type WorldLine } from "./world.ts";

/**
 * What a process answers where nobody saw the end of a call: what is true, or always the same. `cancel` ends a run at
 * whatever it asks.
 */
export type Answering = "truth" | "happened" | "not_happened" | "cancel";

/** The words that are given for a call of which it is only claimed that it happened. */
const CLAIMED = "as somebody says";

/** What is said to a paused run; undefined where nothing is. */
export function answerTo(
  paused: Paused,
  events: readonly BatonEvent[],
  {
    scenario,
    folder,
    answering,
  }: { readonly scenario: Scenario; readonly folder: string; readonly answering: Answering },
): ResumeAnswer | undefined {
  if (paused.reason !== "ambiguous") {
    const given = events.filter((event) => event.type === "run.resumed" && !isAboutCall(event));
    const answer = scenario.resume?.[given.length];
    return answer && Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined));
  }
  const call = callInQuestion(events);
  const [result] = [scenario.tools?.get(call.tool ?? "")].flat();
  const truth = truthOf(call, events, folder);
  const decision = answering === "happened" || answering === "not_happened" ? answering : truth;
  const said = readWorld(folder, "effects").findLast((line) => nameOfCall(line) === nameOfCall(call))?.words;
  const words = decision === truth ? (said ?? String(result?.result)) : CLAIMED;
  noteInWorld(folder, "answers", { ...call, decision, isTrue: decision === truth, words });
  return decision === "not_happened" ? { decision } : { decision, result: words };
}

/** Whether an event asks, or says, whether a call happened. */
export function isAboutCall({ path }: BatonEvent): boolean {
  return /\/happened\d+$/.test(path);
}

function callInQuestion(events: readonly BatonEvent[]): WorldLine {
  const path = events.at(-1)?.path.replace(/\/happened\d+$/, "");
  const called = events.findLast(({ type, path: at }) => /^(tool|function)\.called$/.test(type) && at === path);
  const call = readCall(called, events);
  if (call === undefined) throw new Error(`nothing was called at ${path}`);
  return call;
}

/** More effects than results in the journal: one of them is that of the call. */
function truthOf(call: WorldLine, events: readonly BatonEvent[], folder: string): "happened" | "not_happened" {
  const isIt = (line: WorldLine) => nameOfCall(line) === nameOfCall(call);
  const places = new Set(
    events.flatMap((event) => {
      const made = readCall(event, events);
      return made !== undefined && isIt(made) ? [event.path] : [];
    }),
  );
  const ended = events.filter(
    ({ type, path }) => /^(tool|function)\.(completed|failed)$/.test(type) && places.has(path),
  );
  return readWorld(folder, "effects").filter(isIt).length > ended.length ? "happened" : "not_happened";
}
