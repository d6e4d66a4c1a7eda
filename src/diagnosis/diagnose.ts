import { buildResult, type RunStatus } from "../views/run-result.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { type Burnt, findBurntBudget, measureBurnt } from "./burnt.ts";
import { findResets } from "./detectors/conversation-reset.ts";
import { findDerailment } from "./detectors/derailed.ts";
import { findUnasked } from "./detectors/did-not-ask.ts";
import { findEndedEarly } from "./detectors/ended-early.ts";
import { findFailedCrews } from "./detectors/failed-crews.ts";
import { findFailures } from "./detectors/failures.ts";
import { findIgnoredInput } from "./detectors/ignored-input.ts";
import { findIncompleteAnswers } from "./detectors/incomplete-answers.ts";
import { findLostContext } from "./detectors/lost-context.ts";
import { findMissedSignals } from "./detectors/missed-signals.ts";
import { findOutOfBounds } from "./detectors/out-of-bounds.ts";
import { findPingPong } from "./detectors/ping-pong.ts";
import { findRepeatedSteps } from "./detectors/repeated-step.ts";
import { findMismatches } from "./detectors/said-and-did.ts";
import { findStoppages } from "./detectors/stoppages.ts";
import { findUnawareOfEnd } from "./detectors/unaware-of-end.ts";
import { findBadVerification } from "./detectors/verification.ts";
import { findWithheld } from "./detectors/withheld.ts";
import { findWrongHandoffs } from "./detectors/wrong-handoff.ts";
import { type Finding, type FindingCode, type Found, failureModes, findingCodes } from "./finding.ts";
import { createScene, type Detector } from "./scene.ts";

/** What went wrong in a run, and where its tokens and dollars went. */
export interface Diagnosis {
  readonly runId: string;
  readonly status: RunStatus;
  readonly stopReason: string | undefined;
  /** The most serious first. */
  readonly findings: readonly Finding[];
  readonly spending: Burnt;
}

const detectors: readonly Detector[] = [
  findUnawareOfEnd,
  findPingPong,
  findRepeatedSteps,
  findMissedSignals,
  findOutOfBounds,
  findLostContext,
  findWithheld,
  findIgnoredInput,
  findResets,
  findUnasked,
  findDerailment,
  findWrongHandoffs,
  findMismatches,
  findEndedEarly,
  findBadVerification,
  findIncompleteAnswers,
  findFailures,
  findFailedCrews,
  findStoppages,
];

/** Finds what went wrong in a run from its events and its crew as it was. Without the crew, some findings are not possible. */
export function diagnose(events: readonly BatonEvent[], crew?: Crew): Diagnosis {
  const scene = createScene(events, crew);
  const found = removeEchoes(mergeFindings(detectors.flatMap((detect) => detect(scene))));
  const spending = measureBurnt(scene.story, found);
  const findings = [...found, ...findBurntBudget(scene.story, spending)].map(completeFinding).sort(compareGravity);
  const { runId, status, stopReason } = buildResult(events);
  return { runId, status, stopReason, findings, spending };
}

/** Findings that differ only in when they happened become one. */
function mergeFindings(found: readonly Found[]): Found[] {
  const alike = Map.groupBy(found, ({ code, agents, where }) => JSON.stringify([code, agents, where]));
  return [...alike.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined || all.length === 1) return all;
    const why = `${first.why} So it was ${all.length} times.`;
    const wasted = all.flatMap((each) => each.wasted ?? []);
    return [{ ...first, why, wasted, evidence: all.flatMap(({ evidence }) => evidence) }];
  });
}

/** A finding that explains another one of the same agents replaces it. */
const explains: Partial<Record<FindingCode, readonly FindingCode[]>> = {
  "ping-pong": ["repeated-step", "conversation-reset"],
  "repeated-step": ["conversation-reset"],
  withheld: ["lost-context", "ignored-input"],
  "lost-context": ["ignored-input"],
  derailed: ["ignored-input"],
  "wrong-handoff": ["ignored-input", "lost-context"],
};

function removeEchoes(found: readonly Found[]): Found[] {
  return found.filter(
    (each) =>
      !found.some(
        (other) =>
          explains[other.code]?.includes(each.code) === true &&
          (other.code === "derailed" || each.agents.every((agent) => other.agents.includes(agent))),
      ),
  );
}

/** At most this many events are shown. The finding says how many there are. */
const SHOWN = 8;

function completeFinding({ wasted: _, ...found }: Found): Finding {
  const number = findingCodes[found.code];
  const evidence = found.evidence.toSorted((a, b) => a.seq - b.seq);
  return {
    ...found,
    ...(number !== undefined && { mode: { number, name: failureModes[number] } }),
    evidence: evidence.length > SHOWN ? [...evidence.slice(0, SHOWN - 1), ...evidence.slice(-1)] : evidence,
    events: evidence.length,
  };
}

const severities = ["high", "medium", "low"];
const confidences = ["certain", "likely"];

function compareGravity(a: Finding, b: Finding): number {
  return (
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    confidences.indexOf(a.confidence) - confidences.indexOf(b.confidence) ||
    (a.evidence[0]?.seq ?? 0) - (b.evidence[0]?.seq ?? 0)
  );
}
