import type { RunResult } from "../../views/run-result.ts";
import type { Call } from "../api-route.ts";
import type { ServedCrew } from "../served-crews.ts";
import { readRun } from "../stream-run.ts";
import { readResult } from "../visible.ts";
import { createRoles } from "./agent-role.ts";
import type { BegunTurn } from "./begin-turn.ts";
import { type Breakdown, Narration, type Saying } from "./narration.ts";

/** How a run's part of a request ended. */
export interface Ending {
  readonly result: RunResult;
  readonly breakdown: Breakdown | undefined;
}

/** Tells what a run says until it ends or pauses. If the caller goes away before, a run that nobody else knows is cancelled. */
export async function listen(
  call: Call<unknown, unknown>,
  served: ServedCrew,
  { runId, fromSeq, isLoose, isStreamed }: BegunTurn,
  tell: (saying: Saying) => void,
): Promise<Ending | undefined> {
  const { store, channels, supervisor } = call.service;
  const roleOf = createRoles(served.crew.definition);
  // Nobody reads an answer before it is whole, so nothing of it has to be certain before.
  const narration = new Narration(
    isStreamed ? roleOf : (agent) => (roleOf(agent) === "passes on" ? "passes on" : "may answer"),
  );
  const over = Promise.withResolvers<"rest" | "left" | "broken">();
  const leaves: (() => void)[] = [];
  const onClose = () => over.resolve("left");
  if (call.outgoing.destroyed) onClose();
  call.outgoing.once("close", onClose);
  const reader = {
    tell(event: Parameters<Narration["take"]>[0]) {
      for (const saying of narration.take(event)) tell(saying);
      if (narration.breakdown !== undefined) over.resolve("broken");
    },
    rest: () => over.resolve("rest"),
    onLeave: (leave: () => void) => leaves.push(leave),
  };
  try {
    await readRun(reader, runId, fromSeq, store, channels);
    const how = await over.promise;
    if (how !== "rest" && isLoose && !supervisor.isStopping) await supervisor.cancel(served.crew, runId, false);
    if (how === "left") return undefined;
    const result = readResult({ events: await store.read(runId), served });
    const { sayings, breakdown } = narration.finish(result);
    for (const saying of sayings) tell(saying);
    return { result, breakdown };
  } finally {
    call.outgoing.off("close", onClose);
    for (const leave of leaves) leave();
  }
}

/** What Baton adds to OpenAI's answers. */
export function describeRun({ runId, status, path, cost, stopReason, paused }: RunResult): unknown {
  return { runId, status, path, cost, stopReason, ...(paused !== undefined && { paused }) };
}
