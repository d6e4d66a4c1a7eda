import type { BranchOutcome, Failure } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import type { CrewRun } from "./crew-run.ts";
import { pathOfCallee } from "./limits.ts";

/** Failures that the same call meets again: what was asked for is not there, or is used up. */
const LASTING: ReadonlySet<string> = new Set(["quota", "input_too_large", "unknown_crew"]);

/** Whether what failed may go well another time. */
export function mayPass({ code, cause, causes, isLasting }: Failure): boolean {
  if (isLasting === true || LASTING.has(code)) return false;
  if (causes !== undefined && causes.length > 0) return causes.some(mayPass);
  return cause === undefined || mayPass(cause);
}

/** How a sub-crew failed, with all that led to it and, where it stood in for another, how that one had failed. */
export function subCrewFailure(caller: CrewRun, name: string, cause: Failure, earlier?: Failure): Failure {
  // A limit of nesting stays what it is, however many crews are around it.
  if (cause.code === "max_crew_depth" && earlier === undefined) return cause;
  const crew = pathOfCallee(caller, name);
  const message = `sub-crew ${crew} failed: ${cause.message}`;
  const failure = { code: "sub_crew_failed", crew, cause };
  if (earlier === undefined) return { ...failure, message };
  return { ...failure, message: `${message} (before that: ${earlier.message})`, earlier };
}

/** How a group failed, with why each of its members gave nothing. */
export function noSuccess(group: string, outcomes: readonly BranchOutcome[], { place }: CrewRun): Failure {
  const causes = outcomes.map(({ member, status, text, failure }): Failure => {
    const agent = nameSpeaker({ agent: member, crew: place.crew });
    if (failure !== undefined) return failure.agent === undefined ? { ...failure, agent } : failure;
    return { code: status, message: status === "late" ? "did not answer in time" : text, agent };
  });
  const reasons = causes.map(({ message }, index) => `${outcomes[index]?.member}: ${message}`).join("; ");
  return { code: "no_success", message: `no member of group '${group}' succeeded: ${reasons}`, causes };
}
