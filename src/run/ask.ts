import type { BatonEvent, EventPlace, Paused, ResumeAnswer } from "../events.ts";
import { comparePaths } from "./compare-paths.ts";
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
export function ask(core: RunCore, place: EventPlace, within: Scope, question: Paused): Promise<ResumeAnswer> {
  const { recording, delivery } = core;
  return new Promise((resolve, reject) => {
    const closable = {
      close(reason: string) {
        core.questions = core.questions?.filter((each) => each !== open);
        recording.forget(place.path);
        reject(new ScopeClosed(reason));
      },
    };
    within.add(closable);
    const onAnswer = (event: BatonEvent) => {
      within.remove(closable);
      resolve(event.data as ResumeAnswer);
    };
    const pause = () => reject(new RunPaused(question));
    const open = {
      path: place.path,
      ask() {
        core.emit(place, "run.paused", question);
        pause();
      },
    };
    const askNow = () => {
      core.questions = [...(core.questions ?? []), open];
      delivery.whenIdle(() => askFirst(core));
    };
    const onAsked = (asked: BatonEvent) => {
      core.repeated(asked, question);
      recording.wait(place.path, { type: "run.resumed", onResult: onAnswer, onEnd: pause, onStuck: reject });
    };
    if (recording.isLeft())
      recording.wait(place.path, { type: "run.paused", onResult: onAsked, onEnd: askNow, onStuck: reject });
    else askNow();
  });
}

function askFirst(core: RunCore): void {
  const [first] = (core.questions ?? []).sort((a, b) => comparePaths(a.path, b.path));
  if (first === undefined || core.isOver()) return;
  core.questions = core.questions?.filter((each) => each !== first);
  first.ask();
}
