import { getEventListeners } from "node:events";
import { createRedactor } from "../src/redaction/redactor.ts";
import type { Clock } from "../src/run/clock.ts";
import { createVirtualClock } from "../src/run/virtual-clock.ts";
import { checkAnswer } from "../src/runtime/check-answer.ts";
import { answerEvent } from "../src/runtime/continuation-events.ts";
import { execute } from "../src/runtime/execute.ts";
import { RunControl } from "../src/runtime/run-control.ts";
import type { Crew } from "../src/vocabulary/crew.ts";
import { BatonError } from "../src/vocabulary/errors.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { toRunId } from "../src/vocabulary/ids.ts";
import type { ResumeAnswer } from "../src/vocabulary/pause.ts";
import type { RandomCrew } from "./random-crew.ts";
import { sampleBlobs } from "./random-files.ts";
import type { Interruption } from "./random-surroundings.ts";
import { createWorld } from "./random-world.ts";
import { quiescence, watchClock } from "./watched-clock.ts";

/** A run as far as it came: all its events, what was really called, and what went wrong with the running itself. */
export interface Played {
  readonly events: readonly BatonEvent[];
  readonly calls: readonly string[];
  readonly problems: readonly string[];
}

/** More events than any of these crews can give. */
const MOST_EVENTS = 20_000;

/** How long a human thinks. */
const PAUSE_MS = 3_600_000;

/** Runs a crew from what is recorded to its end, answering its pauses for as long as there are answers. */
export async function playCrew(
  crew: Crew,
  random: RandomCrew,
  recorded: readonly BatonEvent[],
  answers: readonly ResumeAnswer[],
  interruptions: readonly Interruption[],
): Promise<Played> {
  let played = await playLeg(crew, random, recorded, interruptions);
  for (const answer of answers) {
    const paused = played.events.at(-1);
    if (played.problems.length > 0 || paused?.type !== "run.paused") break;
    const refusal = refusalOf(paused.data, answer, crew);
    if (refusal === "bad-answer") continue;
    if (refusal !== undefined) return { ...played, problems: [`an answer was refused with ${refusal}`] };
    const resumed = answerEvent(paused, answer, createVirtualClock(paused.ts + PAUSE_MS));
    const leg = await playLeg(crew, random, [...played.events, resumed], interruptions);
    played = { ...leg, calls: [...played.calls, ...leg.calls] };
  }
  return played;
}

/** Goes over a journal once: to the end of the run, its next pause, or a problem. */
export async function playLeg(
  crew: Crew,
  random: RandomCrew,
  recorded: readonly BatonEvent[],
  interruptions: readonly Interruption[] = [],
): Promise<Played> {
  // Time goes on where the journal ends.
  const virtual = createVirtualClock(recorded.at(-1)?.ts);
  const clock = watchClock(virtual);
  const deafClock = watchClock(virtual);
  const events = [...recorded];
  const calls: string[] = [];
  const problems: string[] = [];
  const interrupting = prepare(interruptions, virtual);
  let isSettled = false;
  const control = new RunControl(clock);
  control.listen({ signal: interrupting.cancel.signal, stop: interrupting.stop.signal });
  const run = execute(
    {
      ...createWorld(random, { clock, deafClock, onCall: (what) => calls.push(what) }),
      crew,
      redactor: createRedactor({}),
      clock,
    },
    {
      id: toRunId("run_fuzz"),
      start: { input: random.input, ...(random.files.length > 0 && { attachments: random.files }) },
      blobs: sampleBlobs,
      recorded,
      control,
      onEvent(event) {
        if (event.seq === undefined) return;
        if (isSettled) problems.push(`${event.type} at ${event.path} came when the run was over`);
        // Agents that call each other twice each make a run long before a limit ends it.
        if (events.length === MOST_EVENTS) interrupting.cancel.abort();
        events.push(event);
        problems.push(...interrupting.see(event));
      },
    },
  ).then(
    () => {
      isSettled = true;
      control.close();
    },
    (error: unknown) => {
      isSettled = true;
      control.close();
      problems.push(`the run threw ${error instanceof Error ? error.stack : String(error)}`);
    },
  );
  for (const each of interruptions) {
    if (each.afterMs !== undefined) deafClock.after(each.afterMs, () => interrupting.now(each));
  }
  // A clock that does not call back any more has nothing left, or was broken by what it called.
  const isStill = async () => {
    const called = clock.calls + deafClock.calls;
    for (let turns = 0; turns < 4; turns++) await quiescence();
    return called === clock.calls + deafClock.calls;
  };
  while (!isSettled) {
    if (!(await isStill()) || isSettled) continue;
    return { events, calls, problems: [...problems, `the run hangs after ${events.at(-1)?.type}`] };
  }
  await run;
  problems.push(...(await leftovers(clock, interrupting)));
  // Whoever does not listen may still speak; nothing must come of it.
  while (!(await isStill()));
  return { events, calls, problems };
}

function refusalOf(paused: Parameters<typeof checkAnswer>[0], answer: ResumeAnswer, crew: Crew): string | undefined {
  try {
    checkAnswer(paused, answer, crew);
    return undefined;
  } catch (error) {
    return error instanceof BatonError ? error.code : String(error);
  }
}

type Interrupting = ReturnType<typeof prepare>;

/** Stops the run when that is due, and sees whether anything goes on that should not. */
function prepare(interruptions: readonly Interruption[], clock: Clock) {
  const cancel = new AbortController();
  const stop = new AbortController();
  let cancelledAt = Number.POSITIVE_INFINITY;
  const now = ({ how }: Interruption) => {
    if (how === "cancel") cancelledAt = Math.min(cancelledAt, clock.now());
    (how === "cancel" ? cancel : stop).abort();
  };
  const nowIf = (isDue: (each: Interruption) => boolean) => interruptions.filter(isDue).forEach(now);
  nowIf(({ atEvent }) => atEvent === -1);
  return {
    cancel,
    stop,
    now,
    see({ seq, type, path, ts }: BatonEvent): string[] {
      const isLate = ts > cancelledAt;
      const isCalled = stop.signal.aborted && (type === "model.called" || type === "external.emitted");
      nowIf(({ atEvent }) => atEvent === seq);
      return [
        ...(isLate ? [`${type} at ${path} came ${ts - cancelledAt} ms after the run was cancelled`] : []),
        ...(isCalled ? [`${type} at ${path} came after the run was asked to stop`] : []),
      ];
    },
  };
}

/** Timers and listeners that a run leaves behind. */
async function leftovers(clock: ReturnType<typeof watchClock>, { cancel, stop }: Interrupting): Promise<string[]> {
  await quiescence();
  const listeners = [cancel.signal, stop.signal].flatMap((signal) => getEventListeners(signal, "abort")).length;
  return [
    ...(clock.left.timers === 0 ? [] : [`${clock.left.timers} timers are left`]),
    ...(listeners === 0 ? [] : [`${listeners} abort listeners are left`]),
  ];
}
