import type { SubCrewCall } from "../../vocabulary/crew.ts";
import { askWork, isSilentFace, summaryWork } from "./ask-work.ts";
import { joinCalls } from "./call-work.ts";
import { boundsAt, type CrewAt, enterAt } from "./crew-at.ts";
import { listJoint } from "./in-call.ts";
import { capOfQuotas } from "./quota-bounds.ts";
import type { AgentSpot, CrewsSpot, GroupSpot, Spot } from "./spot.ts";
import { addWork, capWork, noWork, repeatWork, type Work } from "./work.ts";

/** How many entries of the crew's path a spot adds: at least, which counts for the limit, and at most. */
export interface SpotRounds {
  readonly least: number;
  readonly most: number;
}

export function countRounds(at: CrewAt, spot: Spot): SpotRounds {
  if (spot.type === "group") return { least: 1, most: 1 };
  if (spot.type === "agent") {
    const isSilent = isSilentFace(boundsAt(at, spot.agent));
    return isSilent ? { least: 0, most: 0 } : { least: 1, most: 1 };
  }
  const call = findCall(at, spot);
  if (call === undefined || at.depth >= at.maxDepth) return { least: 0, most: 0 };
  const { crews, onError, fallbackCrew } = call;
  const others = crews.filter(
    (name) => onError.includes("fallback") && fallbackCrew !== undefined && fallbackCrew !== name,
  );
  return { least: crews.length, most: crews.length + others.length };
}

/** The most that a spot takes, when so much was said before. */
export function spotWork(at: CrewAt, spot: Spot, said: number): Work {
  switch (spot.type) {
    case "agent":
      return agentWork(at, spot, said);
    case "group":
      return groupWork(at, spot, said);
    case "crews":
      return crewsWork(at, spot, said);
  }
}

function agentWork(at: CrewAt, { agent, face, isRepaired, held }: AgentSpot, said: number): Work {
  const team = face === undefined ? undefined : at.crew.agents.get(face)?.team;
  return askWork(at, { agent, said, team, isReminder: isRepaired, isRepeated: held !== undefined });
}

function groupWork(at: CrewAt, { group: name, emitter }: GroupSpot, said: number): Work {
  const { crew, survey } = at;
  const { settings } = crew;
  const agent = crew.agents.get(emitter.agent);
  if (name === undefined) {
    const joint = agent === undefined ? [] : listJoint(agent, crew);
    const summed = summaryWork(at, said, false, settings.history ?? "none");
    const works = joint.map((id) => addWork(summed, survey.callWork(at, { agent: id, said })));
    return joinCalls(works, survey.measure, settings.parallelTimeoutMs);
  }
  const group = crew.groups.get(name);
  if (group === undefined) return noWork;
  const timeoutMs = settings.subCrewTimeoutMs;
  const members = [
    ...group.agents.map((id) => survey.callWork(at, { agent: id, said })),
    ...group.crews.map((each) => calledCrew(at, each, said, timeoutMs)),
  ];
  const summed = group.crews.length === 0 ? noWork : summaryWork(at, said, false, settings.history ?? "summary");
  const works =
    group.forEach === undefined ? members : members.map((work) => repeatWork(group.forEach?.maxItems ?? 1, work));
  return addWork(summed, joinCalls(works, survey.measure, group.timeoutMs));
}

/** A sub-crew that is called once; nothing where calls go no deeper. */
function calledCrew(at: CrewAt, name: string, said: number, timeoutMs: number): Work {
  const { measure } = at.survey;
  const entered = enterAt(at, name);
  if (entered === undefined) return noWork;
  const work = capWork(
    at.survey.crewWork(entered, said),
    capOfQuotas(at.crew.subCrews.get(name)?.quotas ?? [], measure),
  );
  return measure.isTime ? capWork(work, timeoutMs / 1000) : work;
}

function findCall({ crew }: CrewAt, { binding, emitter }: CrewsSpot): SubCrewCall | undefined {
  const move = crew.bindings.get(emitter.agent)?.[binding]?.move;
  return move?.type === "sub_crew" ? move : undefined;
}

/** Sub-crews with all attempts that their policy allows. */
function crewsWork(at: CrewAt, spot: CrewsSpot, said: number): Work {
  const call = findCall(at, spot);
  if (call === undefined) return noWork;
  const summed = summaryWork(at, said, false, call.history);
  const { timeoutMs, onError, maxRetries, fallbackCrew } = call;
  const works = call.crews.map((name) => {
    const once = calledCrew(at, name, said, timeoutMs);
    const more = onError.map((policy) => {
      if (policy === "retry") return repeatWork(maxRetries, once);
      return policy === "fallback" && fallbackCrew !== undefined
        ? calledCrew(at, fallbackCrew, said, timeoutMs)
        : noWork;
    });
    return addWork(once, ...more);
  });
  return addWork(summed, joinCalls(works, at.survey.measure, Number.POSITIVE_INFINITY));
}
