import { type Ability, nameAbility } from "../../flow/coverage/coverage-item.ts";
import type { Agent, Crew, Neighbour } from "../../vocabulary/crew.ts";
import { type BatonEvent, type EventOf, hasSucceeded } from "../../vocabulary/events.ts";
import { type CrewLine, CrewLines, findActor, findOuterPath } from "./crew-lines.ts";
import { findReachedLimits } from "./reached-limits.ts";
import { CallReader } from "./shown-calls.ts";
import { findVerdict } from "./shown-guards.ts";
import { PolicyReader } from "./shown-policies.ts";
import { findActing, findDecider } from "./shown-signals.ts";

/** The names of the abilities that a run shows, by the place of the crew that has them: empty for the run's own crew. */
export type ShownAbilities = ReadonlyMap<string, ReadonlySet<string>>;

/** Folds a run's events into what they show of its crew and its sub-crews. */
export function findShownAbilities(crew: Crew, events: readonly BatonEvent[]): ShownAbilities {
  const reader = new AbilityReader(crew);
  for (const event of events) reader.read(event);
  return reader.end();
}

class AbilityReader {
  readonly #lines: CrewLines;
  readonly #calls = new CallReader();
  readonly #policies = new PolicyReader();
  readonly #shown = new Map<string, Set<string>>();
  readonly #emitted = new Map<string, EventOf<"signal.emitted">[]>();
  /** Agents that supervise a team, by the path at which it began. */
  readonly #teams = new Map<string, readonly string[]>();
  #paused: EventOf<"run.paused"> | undefined;

  constructor(crew: Crew) {
    this.#lines = new CrewLines(crew);
  }

  read(event: BatonEvent): void {
    if (event.type === "crew.entered") this.#lines.enter(event);
    const line = this.#lines.of(event);
    this.#note(line, this.#calls.read(event, line));
    if (event.type === "crew.left") this.#leave(event);
    if (event.type === "guard.passed" || event.type === "guard.tripped") this.#note(line, findVerdict(event, line));
    if (!line.isComposed) {
      this.#note(line, this.#policies.read(event, line, this.#lines));
      this.#note(line, this.#find(event, line));
    }
    for (const { line: of, ability } of findReachedLimits(event, this.#lines)) this.#note(of, [ability]);
  }

  end(): ShownAbilities {
    for (const [path, emitted] of this.#emitted) {
      const [first] = emitted;
      const line = this.#lines.around(path);
      if (first?.agent !== undefined) this.#note(line, findActing(line.crew, first.agent, emitted));
    }
    return this.#shown;
  }

  #note({ place }: CrewLine, abilities: readonly Ability[]): void {
    const names = this.#shown.get(place) ?? new Set<string>();
    this.#shown.set(place, names);
    for (const ability of abilities) names.add(nameAbility(ability));
  }

  #find(event: BatonEvent, line: CrewLine): Ability[] {
    const actor = findActor(line, event);
    const agent = event.agent ?? "";
    switch (event.type) {
      case "signal.emitted":
        if (this.#lines.isOnLine(event))
          this.#emitted.set(event.path, [...(this.#emitted.get(event.path) ?? []), event]);
        return [];
      case "handoff":
        return findHandoff(event, line);
      case "handoff.skipped":
        return [{ kind: "condition", agent: event.data.from, to: event.data.to }];
      case "parallel.joined":
        return findOutcomes(event, line.crew);
      case "crew.entered":
        return event.data.composed === undefined ? [] : [{ kind: "compose", agent: event.data.composed.by }];
      case "advisors.gathered":
        return event.data.outcomes.flatMap(({ member: to, status }) =>
          status === "completed" ? [] : [{ kind: "advisor", agent, to }],
        );
      case "team.started":
        this.#teams.set(event.path, findTeams(agent, event.data.members, line.crew));
        return [];
      case "team.cycle":
        return (this.#teams.get(findOuterPath(event.path)) ?? []).map((of) => ({
          kind: "team",
          agent: of,
          part: "cycle",
        }));
      case "agent.completed":
        return (this.#teams.get(event.path) ?? []).map((of) => ({ kind: "team", agent: of, part: "end" }));
      case "function.completed":
        return actor?.function === undefined ? [] : [{ kind: "function", agent }];
      case "external.emitted":
        return [{ kind: "external", agent, signal: event.data.signal }];
      case "run.paused":
        this.#paused = event;
        return this.#findPause(event, line);
      case "run.resumed":
        return this.#findAnswer(event);
      case "run.completed":
        return findEnd(event.data);
      default:
        return [];
    }
  }

  #leave({ path, data }: EventOf<"crew.left">): void {
    const callee = this.#lines.at(path);
    if (callee.isComposed) return;
    this.#note(callee, this.#policies.leave(callee, data.error));
    this.#note(callee, findEnd(data));
    if (data.status === "completed")
      this.#note(this.#lines.around(findOuterPath(path)), [{ kind: "sub-crew", crew: data.crew }]);
  }

  #findPause({ path, data }: EventOf<"run.paused">, line: CrewLine): Ability[] {
    const agent = data.agent.slice(data.agent.lastIndexOf("/") + 1);
    if (data.reason === "no_signal") return [{ kind: "fallback", agent }];
    const reason = this.#nameReason(path, data, line);
    return reason === undefined || reason === "gate" ? [] : [{ kind: "pause", agent, reason }];
  }

  /** What the pause of an agent is known by: its signal, where one asked for it. */
  #nameReason(path: string, { agent, reason }: EventOf<"run.paused">["data"], { crew }: CrewLine): string | undefined {
    if (reason === "gate" || reason === "wait_for_signal") return reason;
    if (reason !== "signal" && reason !== "external") return undefined;
    const emitted = this.#emitted.get(findOuterPath(path)) ?? [];
    return findDecider(crew, agent.slice(agent.lastIndexOf("/") + 1), emitted)?.signal;
  }

  #findAnswer({ data }: EventOf<"run.resumed">): Ability[] {
    const paused = this.#paused;
    if (paused === undefined) return [];
    const line = this.#lines.of(paused);
    const agent = paused.data.agent.slice(paused.data.agent.lastIndexOf("/") + 1);
    const reason = this.#nameReason(paused.path, paused.data, line);
    if (reason === undefined) return [];
    const found: Ability[] = [];
    if (data.by === "deadline") found.push({ kind: "deadline", agent, reason });
    const [decision] = (data.decision ?? "").split(":");
    const isDecision = decision === "approve" || decision === "reject" || decision === "redirect";
    if (reason === "gate" && isDecision && data.by === undefined) found.push({ kind: "gate", agent, decision });
    this.#note(line, found);
    return [];
  }
}

function findHandoff({ data: { from, to, via, reason } }: EventOf<"handoff">, { crew }: CrewLine): Ability[] {
  if (reason === "redirected by a human") return [];
  switch (via) {
    case "router":
    case "transfer":
      return [{ kind: via, agent: from, to }];
    case "handoff":
      return [{ kind: "handoff", agent: reason.replace(/^handoff declared by /, ""), to }];
    case "group":
      // Several transfers of one answer run as a group that is known by its members.
      if (reason === `transferred by ${from}`)
        return to
          .split("+")
          .flatMap((each) =>
            isNamed(crew.agents.get(from)?.collaborations ?? [], each)
              ? [{ kind: "transfer", agent: from, to: each }]
              : [],
          );
      return reason === "no signal" && crew.agents.has(from) ? [{ kind: "fallback", agent: from }] : [];
    case "fallback":
      return reason === "no signal" && crew.agents.has(from) ? [{ kind: "fallback", agent: from }] : [];
    case "signal":
    case "sub_crew":
    case "team":
      return [];
  }
}

function isNamed(neighbours: readonly Neighbour[], id: string): boolean {
  return neighbours.some(({ agent }) => agent === id);
}

function findOutcomes({ data: { group, outcomes } }: EventOf<"parallel.joined">, crew: Crew): Ability[] {
  const declared = crew.groups.get(group);
  if (declared === undefined) return [];
  const has = (status: string) => outcomes.some((outcome) => outcome.status === status);
  const isEmpty = declared.forEach !== undefined && outcomes.length === 0;
  return [
    ...(hasSucceeded(outcomes) && !isEmpty ? (["joined"] as const) : []),
    ...(isEmpty ? (["empty list"] as const) : []),
    ...(has("failed") ? (["member failed"] as const) : []),
    ...(has("late") ? (["member late"] as const) : []),
  ].map((outcome) => ({ kind: "group", group, outcome }));
}

/** The agents whose declared team is at work: its supervisor, or the face that passed the task to it. */
function findTeams(supervisor: string, members: readonly string[], { agents }: Crew): string[] {
  const isSame = ({ team }: Agent) => team?.supervisor === supervisor && team.members.join("\n") === members.join("\n");
  return [...agents.values()].filter(isSame).map(({ id }) => id);
}

/** An answer that ended the crew's run without a signal went where answers without a signal go. */
function findEnd(end: { readonly stopReason?: string; readonly finalAgent: string }): Ability[] {
  const isFallback = end.stopReason === "answer" || end.stopReason === "end_of_list";
  return isFallback ? [{ kind: "fallback", agent: end.finalAgent }] : [];
}
