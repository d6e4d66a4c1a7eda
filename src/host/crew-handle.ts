import type { Crew } from "../crew.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { BatonError } from "../errors.ts";
import type { BatonEvent, ResumeAnswer } from "../events.ts";
import { asRunId, createRunId, type RunId } from "../ids.ts";
import { type Clock, systemClock } from "../run/clock.ts";
import type { Tool } from "../tools/tool.ts";
import { type RunResult, resultOf } from "../views/run-result.ts";
import { checkAnswer } from "./check-answer.ts";
import { deliverExternals, type ExternalHandler } from "./deliver-external.ts";
import { type ExecuteOptions, execute } from "./execute.ts";
import { fillVariables } from "./fill-variables.ts";
import { type ModelSource, prepareModels } from "./prepare-models.ts";
import { prepareTools } from "./prepare-tools.ts";

/** How a run is started, resumed or watched. */
export interface RunOptions {
  /** Stops the run at once. */
  readonly signal?: AbortSignal;
  /** Lets what is under way finish, and stops the run before its next model or tool call. */
  readonly stop?: AbortSignal;
  /** Told of external signals; what it returns for one that pauses is the response. */
  readonly onExternal?: ExternalHandler;
  /** Told of every event as it happens, those that are not kept included. */
  readonly onEvent?: (event: BatonEvent) => void;
}

/** A crew that can be run. */
export interface CrewHandle {
  readonly definition: Crew;
  readonly diagnostics: readonly Diagnostic[];
  /** Runs the crew on an input, to its end or its next pause. */
  run(input: string, options?: RunOptions): Promise<RunResult>;
  /** The same run, event by event; its result is what the last event says. */
  stream(input: string, options?: RunOptions): AsyncIterable<BatonEvent>;
  /** Goes on with a paused run. */
  resume(runId: string, answer: ResumeAnswer, options?: RunOptions): Promise<RunResult>;
}

/** What a crew's runs need from outside; all of it has a default. */
export interface CrewEnvironment {
  readonly clock?: Clock;
  /** Tools by name, besides those that the crew names. */
  readonly tools?: readonly Tool[];
  readonly models?: ModelSource;
  /** What `{{name}}` stands for in the agents' prompts. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Makes a crew runnable. Its runs are kept in memory for as long as the handle is. */
export function openCrew(
  definition: Crew,
  diagnostics: readonly Diagnostic[],
  environment: CrewEnvironment,
): CrewHandle {
  const journal = new Map<RunId, readonly BatonEvent[]>();
  const active = new Set<RunId>();
  const clock = environment.clock ?? systemClock;
  const crew = fillVariables(definition, environment.variables ?? {});

  async function go(
    runId: RunId,
    input: string,
    recorded: readonly BatonEvent[],
    options: RunOptions,
  ): Promise<RunResult> {
    active.add(runId);
    try {
      const events = [...recorded];
      const world: Pick<ExecuteOptions, "models" | "tool" | "external"> = {
        models: await prepareModels(crew, environment.models ?? {}, clock),
        tool: await prepareTools(crew, environment.tools ?? []),
        external: deliverExternals(crew, options.onExternal, environment.models?.variables ?? {}),
      };
      await execute(crew, input, {
        ...world,
        runId,
        clock,
        recorded,
        signal: options.signal,
        stop: options.stop,
        onEvent: (event) => {
          if (event.seq !== undefined) events.push(event);
          options.onEvent?.(event);
        },
      });
      journal.set(runId, [...events]);
      return resultOf(events);
    } finally {
      active.delete(runId);
    }
  }

  return {
    definition,
    diagnostics,
    run: (input, options = {}) => go(newRunId(), input, [], options),
    stream: (input, options = {}) =>
      streamOf((tell, left) => {
        const signal = options.signal === undefined ? left : AbortSignal.any([options.signal, left]);
        const onEvent = (event: BatonEvent) => {
          tell(event);
          options.onEvent?.(event);
        };
        return go(newRunId(), input, [], { ...options, signal, onEvent });
      }),
    resume: async (id, answer, options = {}) => {
      const runId = asRunId(id);
      const { input, paused, events } = pausedRun(runId, journal, active);
      checkAnswer(paused.data, answer, crew);
      const resumed = answered(paused, answer, clock);
      options.onEvent?.(resumed);
      return go(runId, input, [...events, resumed], options);
    },
  };
}

function newRunId(): RunId {
  return createRunId(crypto.getRandomValues(new Uint8Array(20)));
}

/** The journal of a run that waits for an answer; anything else is refused, and changes nothing. */
function pausedRun(runId: RunId, journal: ReadonlyMap<RunId, readonly BatonEvent[]>, active: ReadonlySet<RunId>) {
  const events = journal.get(runId);
  const [started] = events ?? [];
  const paused = events?.at(-1);
  if (events === undefined || started?.type !== "run.started")
    throw new BatonError("unknown-run", `there is no run '${runId}'`);
  if (active.has(runId)) throw new BatonError("run-active", `run '${runId}' is being resumed already`);
  if (paused?.type !== "run.paused")
    throw new BatonError("not-paused", `run '${runId}' is not paused: it is ${resultOf(events).status}`);
  return { input: started.data.input, paused, events };
}

/** The event that records an answer, where the run asked for it. */
export function answered(paused: BatonEvent, answer: ResumeAnswer, clock: Clock): BatonEvent {
  const seq = (paused.seq ?? 0) + 1;
  return { ...paused, seq, id: `${paused.runId}.${seq}`, ts: clock.now(), type: "run.resumed", data: answer };
}

/** Events as they come, for a reader that may be slower than the run; a reader that leaves stops it. */
async function* streamOf(
  start: (tell: (event: BatonEvent) => void, left: AbortSignal) => Promise<unknown>,
): AsyncIterable<BatonEvent> {
  const waiting: BatonEvent[] = [];
  const left = new AbortController();
  let wake = () => {};
  let isDone = false;
  const run = start((event) => {
    waiting.push(event);
    wake();
  }, left.signal).finally(() => {
    isDone = true;
    wake();
  });
  // A failure is thrown to the reader below; until then it is not unhandled.
  run.catch(() => {});
  try {
    while (!isDone || waiting.length > 0) {
      const event = waiting.shift();
      if (event !== undefined) yield event;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    await run;
  } finally {
    left.abort();
  }
}
