import type { BranchOutcome, Failure } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import type { CrewRun } from "./crew-run.ts";
import { pathOfCallee } from "./limits.ts";

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

/** Whether a limit of a crew led to the failure, rather than something that went wrong in it. */
export function isAtLimit({ code, cause }: Failure): boolean {
  return LIMITS.has(code) || (code === "sub_crew_failed" && cause !== undefined && isAtLimit(cause));
}

const LIMITS: ReadonlySet<string> = new Set(["max_handoffs", "max_rounds", "timeout", "quota"]);

/** How a group failed, with why each of its members gave nothing. */
export function noSuccess(group: string, outcomes: readonly BranchOutcome[], crewRun: CrewRun): Failure {
  const crews = crewRun.crew.groups.get(group)?.crews ?? [];
  const failed = outcomes.map(({ member, status, text, failure }) => {
    const message = status === "late" ? "did not answer in time" : text;
    return { member, why: failure ?? { code: status, message } };
  });
  const causes = failed.map(({ member, why }): Failure => {
    if (crews.includes(member)) return subCrewFailure(crewRun, member, why);
    return { agent: nameSpeaker({ agent: member, crew: crewRun.place.crew }), ...why };
  });
  const reasons = failed.map(({ member, why }) => `${member}: ${why.message}`).join("; ");
  return { code: "no_success", message: `no member of group '${group}' succeeded: ${reasons}`, causes };
}
