import { BatonError } from "../errors.ts";
import type { EventOf, ResumeAnswer } from "../events.ts";
import type { CrewHandle } from "../host/crew-handle.ts";
import type { ResumeOptions } from "../host/crew-versions.ts";
import type { RunOptions } from "../host/run-crew.ts";
import type { RunResult } from "../views/run-result.ts";
import { type ApprovalOptions, askingForServers } from "./approve-servers.ts";
import { type DriveOptions, driveRun } from "./drive-run.ts";
import { askLine, questionLines, readAnswer } from "./question.ts";
import type { ModelOptions } from "./run.ts";
import { exitCodes, plainStyle, type Terminal } from "./terminal.ts";
import { crewOf, withRun } from "./with-run.ts";

export interface ResumeCommandOptions extends DriveOptions, ModelOptions, ApprovalOptions {
  readonly acceptChanges?: boolean;
  readonly original?: boolean;
  readonly root?: string;
  readonly crew?: string;
}

/** `baton resume`: shows what a paused run asks and takes the answer; a run whose process died goes on where it broke off. */
export async function resume(
  name: string,
  words: readonly string[],
  options: ResumeCommandOptions,
  terminal: Terminal,
): Promise<number> {
  return withRun(name, options, terminal, async (runId, store) => {
    const events = await store.read(runId);
    const crew = await crewOf(events, store, options, terminal);
    const paused = events.at(-1);
    const { acceptChanges = false, original = false } = options;
    const taking: ResumeOptions = { acceptChanges, original };
    const drive = (begin: (watching: RunOptions) => Promise<RunResult>) =>
      askingForServers(terminal, () => driveRun(crew, options, terminal, begin));
    if (paused?.type !== "run.paused") return drive((watching) => crew.recover(runId, { ...watching, ...taking }));
    const answer = await answerTo(paused, words, crew, terminal);
    if (answer === undefined) return exitCodes.paused;
    return drive((watching) => crew.resume(runId, answer, { ...watching, ...taking }));
  });
}

async function answerTo(
  { data }: EventOf<"run.paused">,
  words: readonly string[],
  crew: CrewHandle,
  terminal: Terminal,
): Promise<ResumeAnswer | undefined> {
  if (words.length > 0) return readAnswer(saidIn(words), data);
  terminal.note(questionLines(data, crew.definition, "", plainStyle, Number.POSITIVE_INFINITY).join("\n"));
  const line = terminal.isInteractive ? await askLine(process.stderr) : undefined;
  return line === undefined ? undefined : readAnswer(line, data);
}

function saidIn(words: readonly string[]): string {
  const said = words.join(" ");
  if (said.trim() !== "") return said;
  throw new BatonError("no-input", "the answer is empty; leave it out to see what the run asks");
}
