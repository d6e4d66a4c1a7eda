import { regionLines } from "../src/cli/live/region-lines.ts";
import { summaryLines } from "../src/cli/live/summary-lines.ts";
import { transcriptLines } from "../src/cli/live/transcript-lines.ts";
import { questionLines } from "../src/cli/question.ts";
import { loadCrew } from "../src/library/load-crew.ts";
import { readTypedAnswer } from "../src/library/read-typed-answer.ts";
import { readScript } from "../src/prepare/read-script.ts";
import { createVirtualClock } from "../src/run/virtual-clock.ts";
import type { Tool } from "../src/tools/tool.ts";
import { foldProgress, noProgress } from "../src/views/progress.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";

export interface Watching {
  readonly columns: number;
  readonly rows?: number;
  readonly script: string;
  readonly tools?: readonly Tool[];
  /** What a person types at each pause. */
  readonly answers?: readonly string[];
  /** The foot of the screen is looked at after the first event like this. */
  readonly peekAt?: (event: BatonEvent) => boolean;
}

/** What a run at a terminal leaves on the screen, and what its foot showed on the way; on a clock of its own. */
export async function watchRun(path: string, input: string, watching: Watching) {
  const clock = createVirtualClock();
  const { columns, rows = 24 } = watching;
  const script = readScript(watching.script);
  const crew = await loadCrew(path, { clock, script, env: {}, tools: watching.tools ?? [] });
  const style = (_: unknown, text: string) => text;
  const lines: string[] = [];
  const peeked: string[][] = [];
  let progress = noProgress;
  const look = () => ({ style, now: clock.now(), isPaused: progress.pausedAt !== undefined });
  const onEvent = (event: BatonEvent) => {
    const before = progress;
    progress = foldProgress(before, event);
    lines.push(...transcriptLines(event, before, progress, crew.definition, look(), columns));
    if (!watching.peekAt?.(event)) return;
    peeked.push(regionLines(progress, look(), { columns, rows, leastRows: 0, notice: undefined }));
  };
  let result = await crew.run(input, { onEvent });
  for (const answer of watching.answers ?? []) {
    if (result.paused === undefined) break;
    lines.push(
      ...questionLines(result.paused, crew.definition, progress.lastAnswer, style, columns),
      `❯ ${answer}`,
      "",
    );
    result = await crew.resume(result.runId, readTypedAnswer(answer, result.paused), { onEvent }).result;
  }
  const summary = summaryLines(result, progress, look(), columns);
  return { lines, summary, peeked };
}
