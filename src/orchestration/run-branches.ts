import { type Scope, ScopeClosed } from "../run/scope.ts";
import type { BranchOutcome, EventPlace, Failure } from "../vocabulary/events.ts";
import { isBlank } from "../vocabulary/wording.ts";
import type { Asked } from "./agent-call.ts";
import { type CrewRun, type ShownText, shownIn } from "./crew-run.ts";
import type { LeftCrew } from "./enter-crew.ts";

/** One of several that work at once. */
export interface Branch {
  readonly member: string;
  run(scope: Scope, place: EventPlace): Promise<BranchOutcome>;
}

/** When the others are not waited for any more. */
export interface Waiting {
  readonly waitForAll: boolean;
  /** How many successes are enough, where not all are waited for. */
  readonly enough: number;
  /** No limit of time where absent. */
  readonly timeoutMs?: number;
  /** How many work at once, in declared order; all where absent. */
  readonly concurrency?: number;
  /** Whether an outcome ends the whole at once. */
  isEnd?(outcome: BranchOutcome): boolean;
  /** Told as the scope around all of them is closed, with their outcomes until then. */
  onClosed?(outcomes: readonly BranchOutcome[]): void;
}

/** All at once, or as many as may be; ends when enough have succeeded, all have ended, or time is up. The rest are cancelled. */
export async function runBranches(
  crewRun: CrewRun,
  branches: readonly Branch[],
  waiting: Waiting,
  place: EventPlace,
  letter: "b" | "k",
  within = crewRun.scope,
): Promise<BranchOutcome[]> {
  if (branches.length === 0) return [];
  const { run } = crewRun.world;
  const outcomes = new Array<BranchOutcome | undefined>(branches.length);
  const { timeoutMs, waitForAll, enough, isEnd, onClosed, concurrency = branches.length } = waiting;
  let isLate = false;
  const outcomesWith = (missing: "late" | "cancelled") =>
    branches.map(({ member }, index) => outcomes[index] ?? { member, status: missing, text: "" });
  const closable = { close: () => onClosed?.(outcomesWith("cancelled")) };
  within.add(closable);
  const scope = within.open();
  // A branch that is cancelled because the others are enough is no failure; one that goes down with the run is.
  const isOwnClosing = (error: unknown) => error instanceof ScopeClosed && !within.isClosed;
  const rejoin = run.branch();
  await new Promise<void>((resolve, reject) => {
    const onPassed = () => {
      isLate = true;
      resolve();
    };
    const limit = timeoutMs === undefined ? undefined : { place, scope, ms: timeoutMs, what: "group" };
    const deadline = limit && run.deadline(limit, onPassed);
    const waiters = branches.entries();
    const startNext = () => {
      const [index, branch] = waiters.next().value ?? [];
      if (index === undefined || branch === undefined) return;
      branch.run(scope.open(), { ...place, path: `${place.path}/${letter}${index}` }).then(
        (outcome) => {
          outcomes[index] = outcome;
          check(outcome);
        },
        (error: unknown) => (isOwnClosing(error) ? undefined : reject(error)),
      );
    };
    const check = (outcome: BranchOutcome) => {
      const done = outcomes.filter((each) => each !== undefined);
      const successes = done.filter(({ status }) => status === "completed").length;
      const isWaiting = done.length < outcomes.length && (waitForAll || successes < enough);
      if (isWaiting && isEnd?.(outcome) !== true) {
        if (!isLate) startNext();
        return;
      }
      deadline?.callOff();
      resolve();
    };
    for (let started = 0; started < Math.min(concurrency, branches.length); started++) startNext();
  });
  scope.close(isLate ? "the group's time was up" : "enough members of the group have answered");
  within.remove(closable);
  rejoin();
  return outcomesWith(isLate ? "late" : "cancelled");
}

/** What came of a member that is an agent. Signals alone are an answer. */
export function readOutcome(member: string, asked: Asked): BranchOutcome {
  if (asked.type === "failed") return failedMember(member, asked.failure);
  const { text, shown, found } = asked;
  return found.length > 0 ? succeeded(member, text, shown) : answerEvent(member, text, shown);
}

/** What came of a member that is a crew. */
export function readCrewOutcome(member: string, left: LeftCrew): BranchOutcome {
  return left.type === "failed" ? failedMember(member, left.failure) : answerEvent(member, left.output, left.shown);
}

/** Who says nothing has not succeeded: a group that waits for one answer waits for another member's. */
function answerEvent(member: string, text: string, shown: string | undefined): BranchOutcome {
  if (!isBlank(text)) return succeeded(member, text, shown);
  return failedMember(member, { code: "empty_answer", message: "its answer was empty" });
}

function succeeded(member: string, text: string, shown: string | undefined): BranchOutcome {
  return { member, status: "completed", text, ...shownIn(text, shown) };
}

function failedMember(member: string, failure: Failure): BranchOutcome {
  return { member, status: "failed", text: failure.message, failure };
}

/** One message, in declared order, and the same as the run's reader gets it. */
export function joinOutcomes(
  outcomes: readonly BranchOutcome[],
  failureLine: (member: string, reason: string) => string = (_, reason) => `(failed: ${reason})`,
): ShownText {
  const text = joinBlocks(outcomes, failureLine);
  const shown = joinBlocks(
    outcomes.map((outcome) => ({ ...outcome, text: outcome.shown ?? outcome.text })),
    failureLine,
  );
  return { text, ...shownIn(text, shown) };
}

function joinBlocks(
  outcomes: readonly BranchOutcome[],
  failureLine: (member: string, reason: string) => string,
): string {
  const blocks = outcomes.flatMap(({ member, status, text }) => {
    if (status === "completed") return [`[${member}]\n${text}`];
    if (status === "cancelled") return [];
    return [status === "late" ? `[${member}]\n(did not answer in time)` : `[${member}]\n${failureLine(member, text)}`];
  });
  return ["[PARALLEL RESULTS]", ...blocks, "[END PARALLEL RESULTS]"].join("\n\n");
}
