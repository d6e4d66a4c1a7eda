import { addReferences } from "../vocabulary/attachment.ts";
import type { BatonEvent, EventOf, EventPlace, Failure } from "../vocabulary/events.ts";
import {
  fitsQuestion,
  type Paused,
  type PauseTimeout,
  type RecordedAnswer,
  type ResumeAnswer,
} from "../vocabulary/pause.ts";
import type { RunCore } from "./run-core.ts";
import { type Scope, ScopeClosed } from "./scope.ts";

/** Unwinds a run that waits for a human; nothing is lost, since all of it is in the journal. */
export class RunPaused extends Error {
  readonly paused: Paused;

  constructor(paused: Paused) {
    super(`paused: ${paused.reason}`);
    this.name = "RunPaused";
    this.paused = paused;
  }
}

/**
 * Lets what is under way elsewhere in the run finish first, so that nothing is lost. Of several questions that are open then one
 * is asked: the first in declared order, whichever came up first; the others when the run has gone on.
 */
export function ask(
  core: RunCore,
  place: EventPlace,
  within: Scope,
  question: Paused,
  own?: PauseTimeout,
): Promise<ResumeAnswer> {
  const { recording, delivery } = core;
  const limit = findLimit(core, question, own);
  return new Promise((resolve, reject) => {
    const closable = {
      close(reason: string) {
        core.questions = core.questions?.filter((each) => each !== open);
        recording.forget(place.path);
        reject(new ScopeClosed(reason));
      },
    };
    within.add(closable);
    const onAnswer = (paused: Paused, answer: RecordedAnswer) => {
      // The question is closed with all else that the run is at.
      if (answer.by === "deadline" && answer.decision === "fail") return core.fail(createFailure(paused));
      within.remove(closable);
      resolve(withReferences(answer, core));
    };
    const pause = () => reject(new RunPaused(question));
    const open = {
      path: place.path,
      ask() {
        const ts = core.clock.now();
        core.emit(
          place,
          "run.paused",
          limited(question, limit, limit && new Date(ts + limit.afterMs).toISOString()),
          ts,
        );
        pause();
      },
    };
    const askNow = () => {
      core.questions = [...(core.questions ?? []), open];
      delivery.whenIdle(() => askFirst(core));
    };
    const onAsked = (event: BatonEvent) => {
      // Only this type is waited for here, and for its answer below.
      const asked = event as EventOf<"run.paused">;
      core.repeated(asked, limited(question, limit, asked.data.expiresAt));
      const onResult = ({ data }: BatonEvent) => onAnswer(asked.data, data as RecordedAnswer);
      recording.wait(place.path, { type: "run.resumed", onResult, onEnd: pause, onStuck: reject });
    };
    if (recording.isLeft())
      recording.wait(place.path, { type: "run.paused", onResult: onAsked, onEnd: askNow, onStuck: reject });
    else askNow();
  });
}

/** What came with an answer is part of its words. */
function withReferences(answer: RecordedAnswer, { attachments: known }: RunCore): ResumeAnswer {
  const { attachments, input = "" } = answer;
  if (attachments === undefined) return answer;
  known.note(attachments);
  return { ...answer, input: addReferences(input, attachments) };
}

/** The limit of the pause itself, else that of the nearest crew whose decision fits. */
function findLimit(core: RunCore, question: Paused, own: PauseTimeout | undefined): PauseTimeout | undefined {
  const fits = ({ decision }: PauseTimeout) => fitsQuestion(question.options, decision);
  return own !== undefined && fits(own) ? own : core.pauseTimeouts(question.agent).find(fits);
}

/** When a pause ends is on record, as all that a clock says. */
function limited(question: Paused, limit: PauseTimeout | undefined, expiresAt: string | undefined): Paused {
  if (limit === undefined) return question;
  return { ...question, ...(expiresAt !== undefined && { expiresAt }), onExpiry: limit.decision };
}

function createFailure({ agent, reason, expiresAt }: Paused): Failure {
  const message = `nobody answered agent '${agent}' in time: its pause (${reason}) ended at ${expiresAt}`;
  return { code: "pause_timeout", message, agent };
}

function askFirst(core: RunCore): void {
  const [first] = (core.questions ?? []).sort((a, b) => comparePaths(a.path, b.path));
  if (first === undefined || core.isOver()) return;
  core.questions = core.questions?.filter((each) => each !== first);
  first.ask();
}

const SEGMENT = /^(\D*)(\d*)(?:\.(\d+))?/;

/** Sorts places in a run: branches, members and calls in the order in which the crew declares them. */
export function comparePaths(a: string, b: string): number {
  const [ours, theirs] = [a.split("/"), b.split("/")];
  const at = ours.findIndex((segment, index) => segment !== theirs[index]);
  if (at === -1) return ours.length - theirs.length;
  const [, ownLetter = "", ownNumber = "", ownStage = ""] = SEGMENT.exec(ours[at] ?? "") ?? [];
  const [, letter = "", number = "", stage = ""] = SEGMENT.exec(theirs[at] ?? "") ?? [];
  if (ownLetter !== letter) return ownLetter < letter ? -1 : 1;
  return Number(ownNumber) - Number(number) || Number(ownStage) - Number(stage);
}
