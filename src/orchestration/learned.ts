import type { Agent } from "../vocabulary/crew.ts";
import type { EventPlace } from "../vocabulary/events.ts";
import type { LearnedTarget } from "../vocabulary/run-start.ts";
import type { CrewRun } from "./crew-run.ts";
import type { Move } from "./move.ts";

/** After this many handoffs, the figures of a path may change the declared order. */
const ENOUGH = 10;

/** The statistics of the targets that an agent hands off to; empty if they were not read, or if nothing is known. */
function learnedFor({ world, place }: CrewRun, from: string): readonly LearnedTarget[] {
  return world.learned?.find((each) => each.crew === place.crew && each.from === from)?.targets ?? [];
}

/** A hint for the model: how earlier handoffs to a target went. Empty if the crew does not set `learning.hints`. */
export function writeHint(crewRun: CrewRun, from: string, to: string): string {
  if (!crewRun.crew.settings.learning.hints) return "";
  const target = learnedFor(crewRun, from).find((each) => each.to === to);
  if (target === undefined || target.successes + target.failures === 0) return "";
  const { successes, failures, expected } = target;
  return ` (${successes} of ${successes + failures} earlier handoffs went well; ${percent(expected)} expected for this request)`;
}

/** Puts what declares no order among its targets into that of their prospects, where the crew leaves routes to that. */
export function byProspects(crewRun: CrewRun, from: string): (a: string, b: string) => number {
  if (!crewRun.crew.settings.learning.auto) return () => 0;
  const expected = new Map(learnedFor(crewRun, from).map((each) => [each.to, each.expected]));
  return (a, b) => (expected.get(b) ?? 0) - (expected.get(a) ?? 0);
}

/**
 * Where no signal matched and the declared order of `handoff_targets` would decide, takes one that has clearly done better.
 * On record, with the figures; signals and defaults are never overridden.
 */
export function preferLearned(crewRun: CrewRun, agent: Agent, move: Move, place: EventPlace): Move {
  const { crew, world } = crewRun;
  if (!crew.settings.learning.auto || move.type !== "route" || move.via !== "fallback") return move;
  if (crew.defaults.has(agent.id) || !agent.handoffTargets.includes(move.to)) return move;
  const targets = learnedFor(crewRun, agent.id).filter(({ to }) => agent.handoffTargets.includes(to));
  const declared = targets.find(({ to }) => to === move.to);
  const best = targets.find(isTried);
  if (declared === undefined || best === undefined || !isTried(declared) || best.low <= declared.expected) return move;
  const reason = `${best.to} is expected to do well in ${percent(best.expected)} of cases, ${declared.to} in ${percent(declared.expected)}`;
  world.run.emit(place, "route.learned", { from: agent.id, declared: move.to, chosen: best.to, reason, targets });
  return { ...move, to: best.to, reason: `no signal; ${reason}` };
}

function isTried({ successes, failures }: LearnedTarget): boolean {
  return successes + failures >= ENOUGH;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
