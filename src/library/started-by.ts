import type { RunOptions } from "../runtime/run-crew.ts";
import type { RunResult } from "../views/run-result.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { checkRunOptions } from "./check-options.ts";
import { EventStream } from "./event-stream.ts";

/** The two ways to start a run: to wait for it, or to follow it. */
export interface StartedRuns {
  run(input: string, options?: RunOptions): Promise<RunResult>;
  stream(input: string, options?: RunOptions): AsyncIterable<BatonEvent>;
}

export function startedBy(begin: (input: string, options: RunOptions) => Promise<RunResult>): StartedRuns {
  return {
    async run(input, options = {}) {
      checkRunOptions(options);
      return begin(input, options);
    },
    stream: (input, options = {}) =>
      new EventStream(async (tell, left) => {
        checkRunOptions(options);
        const signal = options.signal === undefined ? left : AbortSignal.any([options.signal, left]);
        const onEvent = (event: BatonEvent) => {
          tell(event);
          return options.onEvent?.(event);
        };
        return begin(input, { ...options, signal, onEvent });
      }),
  };
}
