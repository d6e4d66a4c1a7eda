import type { Scope } from "../run/scope.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { EventPlace } from "../vocabulary/events.ts";
import type { CrewRun, SharedByCrews, Within, World } from "./crew-run.ts";
import { limitCrew } from "./limit-crew.ts";

/** A crew within another has limits of its own; only its depth and its quotas come on top of the other's. */
export function openCrewRun(crew: Crew, world: World, scope: Scope, place: EventPlace, within?: Within): CrewRun {
  const { settings } = crew;
  const depth = within?.depth ?? 0;
  const ownDepth = depth + settings.maxCrewDepth;
  const isOwnDepth = within === undefined || ownDepth < within.maxDepth;
  const crewRun: CrewRun = {
    crew,
    world,
    scope,
    place,
    broadcasts: new Map(),
    path: [],
    depth,
    maxDepth: isOwnDepth ? ownDepth : within.maxDepth,
    depthLimit: isOwnDepth ? { limit: settings.maxCrewDepth, crew: place.crew } : within.depthLimit,
    maxHandoffs: settings.maxHandoffs,
    maxRounds: settings.maxRounds,
    shared: within?.shared ?? sharedBy(crew),
    grants: within?.grants,
    composer: within?.composer,
    original: "",
    results: undefined,
    lastResult: "",
    handoffs: 0,
    transfers: undefined,
    transferredAt: 0,
    rounds: 0,
    output: "",
    shown: "",
    finalAgent: "",
    budget: within?.budget,
    stopped: undefined,
  };
  // Whoever composes a crew counts in the crew's quotas already.
  if (settings.quotas.length > 0 && within?.composer === undefined) limitCrew(crewRun, settings.quotas, crew.name);
  return crewRun;
}

function sharedBy({ name, settings }: Crew): SharedByCrews {
  return {
    rootName: name,
    handoffs: 0,
    maxRunHandoffs: settings.maxRunHandoffs,
    ended: undefined,
    levels: undefined,
    memory: undefined,
    plan: undefined,
    composed: 0,
    noted: undefined,
    showsSignals: settings.stripSignals === "none",
  };
}
