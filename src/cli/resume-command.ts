import type { CrewHandle } from "../library/crew-handle.ts";
import { readTypedAnswer } from "../library/read-typed-answer.ts";
import type { ResumeOptions } from "../runtime/environment.ts";
import { hasExpired } from "../runtime/pause-deadline.ts";
import { buildResult, type RunResult } from "../views/run-result.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { Paused, ResumeAnswer } from "../vocabulary/pause.ts";
import { type ApprovalOptions, askForServers } from "./approve-servers.ts";
import { askUntil, describeExpiry } from "./ask-until.ts";
import { chooseExitCode, type DriveOptions, driveRun } from "./drive-run.ts";
import { askLine, questionLines } from "./question.ts";
import { type FileOptions, listFiles, type ModelOptions } from "./run-command.ts";
import { sendNotices } from "./send-notices.ts";
import { exitCodes, plainStyle, type Terminal } from "./terminal.ts";
import { loadCrewOfRun, withRun } from "./with-run.ts";

export interface ResumeCommandOptions extends DriveOptions, ModelOptions, ApprovalOptions, FileOptions {
  readonly acceptChanges?: boolean;
  readonly original?: boolean;
  /** Waits until no other process has the run. */
  readonly wait?: boolean;
  /** All runs whose deadline has passed, in the place of one. */
  readonly expired?: boolean;
  readonly root?: string;
  readonly crew?: string;
}

/** `baton resume`: shows what a paused run asks and takes the answer; a run whose process died or released it is continued. */
export async function resume(
  name: string,
  words: readonly string[],
  options: ResumeCommandOptions,
  terminal: Terminal,
): Promise<number> {
  return withRun(name, options, terminal, async (runId, store) => {
    const events = await store.read(runId);
    const crew = await loadCrewOfRun(events, store, options, terminal);
    const { acceptChanges = false, original = false, wait = false } = options;
    const readPast = async (seq: number) => (await store.read(runId)).slice(0, seq);
    const drive = (begin: (taking: ResumeOptions) => Promise<RunResult>) => {
      const taking = { acceptChanges, original, wait };
      return askForServers(terminal, () =>
        driveRun(crew, options, terminal, (watching) => begin({ ...watching, ...taking }), readPast),
      ).finally(() => sendNotices(store, terminal));
    };
    const last = events.at(-1);
    if (last?.type !== "run.paused") {
      if (words.length > 0 || options.file !== undefined) throw explainNoQuestion(runId, events);
      return drive((taking) => crew.recover(runId, taking).result).catch(async (error: unknown) => {
        if (!wait || !(error instanceof BatonError) || error.code !== "not-broken") throw error;
        const result = buildResult(await store.read(runId));
        if (result.status === "paused") return resume(runId, [], options, terminal);
        terminal.note(`run '${runId}' has ended in the meantime: ${result.status}`);
        return chooseExitCode(result);
      });
    }
    const expire = () => {
      terminal.note(`${describeExpiry(last.data)}${words.length > 0 ? "; your answer is not used" : ""}`);
      return drive((taking) => crew.expire(runId, taking).result);
    };
    if (hasExpired(last.data, Date.now())) return expire();
    const answer = await answerTo(last.data, words, crew, terminal);
    if (answer === undefined) return hasExpired(last.data, Date.now()) ? expire() : exitCodes.paused;
    const attachments = listFiles(options, terminal);
    const given = attachments === undefined ? answer : { ...answer, attachments };
    return drive((taking) => crew.resume(runId, given, taking).result).catch((error: unknown) => {
      if (error instanceof BatonError && error.code === "pause-expired") return expire();
      throw error;
    });
  });
}

/** An answer to a run that asks nothing is refused, since whoever gave it thinks of another question. */
function explainNoQuestion(runId: RunId, events: readonly BatonEvent[]): BatonError {
  const { status } = buildResult(events);
  const next = status === "running" ? `; continue it without an answer first: baton resume ${runId}` : "";
  return new BatonError(
    "not-paused",
    `run '${runId}' ${status === "failed" ? "has failed" : `is ${status}`} and does not wait for an answer${next}`,
  );
}

async function answerTo(
  paused: Paused,
  words: readonly string[],
  crew: CrewHandle,
  terminal: Terminal,
): Promise<ResumeAnswer | undefined> {
  if (words.length > 0) return readTypedAnswer(joinWords(words, paused), paused);
  terminal.note(questionLines(paused, crew.definition, "", plainStyle, Number.POSITIVE_INFINITY).join("\n"));
  if (!terminal.isInteractive) return undefined;
  const line = await askUntil(paused, [], (abort) => askLine(process.stderr, abort));
  return line === undefined ? undefined : readTypedAnswer(line, paused);
}

function joinWords(words: readonly string[], { options }: Paused): string {
  const said = words.join(" ");
  if (said.trim() === "")
    throw new BatonError("no-input", "the answer is empty; leave it out to see what the run asks");
  // The shell takes the quotes of `happened ""` away, by which a call that gave nothing is told from a forgotten result.
  return options.includes("happened") ? words.map((word) => (word === "" ? '""' : word)).join(" ") : said;
}
