import type { Section } from "../../context/frame.ts";
import type { Agent, Crew, Team } from "../../vocabulary/crew.ts";
import { isBlank } from "../../vocabulary/wording.ts";
import type { Choice, Transfer } from "../agent-call.ts";
import type { DeferredHandoff, Pass, Together } from "../move.ts";
import { type Facts, holds } from "./condition.ts";
import { writeReason } from "./transfer.ts";
import { transferSections } from "./transfer-sections.ts";

/** An answer, or a failure, with what its agent's own patterns need to know. */
export interface Spoken {
  readonly agent: Agent;
  readonly facts: Facts;
  /** The answer, or a report that there is none. */
  readonly text: string;
  /** What the user asked for. */
  readonly original: string;
  readonly choice?: Choice | undefined;
  readonly transfers?: readonly Transfer[] | undefined;
  /** What the agent said with its transfer; if that is nothing, what it said before it. */
  readonly work?: string | undefined;
  /** What advisors and members of its team told the agent. */
  readonly heard?: readonly Section[] | undefined;
  /** What the agent was given by those before it; looked up only where it transfers. */
  readonly given?: (() => readonly Section[]) | undefined;
  /** What an agent that had the work before said then. */
  readonly earlier?: ((agent: string) => string | undefined) | undefined;
  /** Newest last. */
  readonly deferred: readonly DeferredHandoff[];
}

/** What an agent's own patterns make of its answer: the team it is the face of, its choice as a router, its handoff. */
export function findPass(spoken: Spoken, crew: Crew): Pass | Together | undefined {
  const { agent, choice, transfers = [], facts } = spoken;
  if (isFace(agent) && facts.status === "completed") return enterTeam(spoken, agent.team);
  if (choice !== undefined) return follow(spoken, choice);
  const [transfer, ...others] = transfers.map((each) => transferPass(spoken, each, crew));
  if (transfer !== undefined) return others.length === 0 ? transfer : together(spoken, [transfer, ...others]);
  const own = ownHandoff(agent);
  return own !== undefined && isDue(own, spoken.facts, crew)
    ? createPass(spoken, own, deferredByOthers(spoken))
    : undefined;
}

function transferPass(spoken: Spoken, transfer: Transfer, { settings }: Crew): Pass {
  const { agent, original: task, text, work = "", given, heard = [], earlier } = spoken;
  return {
    type: "pass",
    to: transfer.to,
    via: "transfer",
    reason: writeReason(transfer, agent),
    sections: transferSections(transfer, {
      from: agent.id,
      task,
      work,
      isSilent: isBlank(text),
      given: [...(given?.() ?? []), ...heard],
      earlier: earlier?.(transfer.to),
      workChars: settings.handoffContextChars,
    }),
    deferred: deferOwn(spoken),
  };
}

/** A group that has no name of its own is known by its members. */
function together(spoken: Spoken, passes: readonly Pass[]): Together {
  return { type: "together", group: passes.map(({ to }) => to).join("+"), passes, deferred: deferOwn(spoken) };
}

/** An agent that declares a team which another supervises. */
export function isFace(agent: Agent): agent is Agent & { readonly team: Team } {
  return agent.team !== undefined && agent.team.supervisor !== agent.id;
}

/** The face of a team only gives it its task. */
export function mayTransfer(agent: Agent, { settings }: Crew): boolean {
  return agent.collaborations.length > 0 && settings.handoffsEnabled && !isFace(agent);
}

function enterTeam(spoken: Spoken, team: Team): Pass {
  return {
    type: "pass",
    to: team.supervisor,
    via: "team",
    reason: `team declared by ${spoken.agent.id}`,
    sections: [{ kind: "answer", agent: spoken.agent.id, text: spoken.text }],
    deferred: deferOwn(spoken),
    team,
  };
}

function follow(spoken: Spoken, { agent: to, message }: Choice): Pass {
  const { agent, original } = spoken;
  return {
    type: "pass",
    to,
    via: "router",
    reason: `chosen by ${agent.id}`,
    sections: [
      { kind: "original_user_request", text: original },
      ...(message === undefined ? [] : [{ kind: "message" as const, agent: agent.id, text: message }]),
    ],
    deferred: deferOwn(spoken),
  };
}

/** The deferred handoffs when an agent passes its work on: its own handoff comes after that. */
function deferOwn(spoken: Spoken): readonly DeferredHandoff[] {
  const own = ownHandoff(spoken.agent);
  return own === undefined ? spoken.deferred : [...deferredByOthers(spoken), own];
}

/** Where the work comes back to an agent, its handoff is deferred once. */
function deferredByOthers({ agent, deferred }: Spoken): readonly DeferredHandoff[] {
  return deferred.some((each) => each.agent === agent.id)
    ? deferred.filter((each) => each.agent !== agent.id)
    : deferred;
}

function ownHandoff({ id, handoff }: Agent): DeferredHandoff | undefined {
  return handoff && { agent: id, handoff };
}

/** The newest deferred handoff that is due now; newer ones that are not are dropped. */
export function passToDeferred(spoken: Spoken, crew: Crew): Pass | undefined {
  const { deferred } = spoken;
  const index = deferred.findLastIndex((each) => isDue(each, spoken.facts, crew));
  const due = deferred[index];
  return due && createPass(spoken, due, deferred.slice(0, index));
}

function isDue({ handoff }: DeferredHandoff, facts: Facts, { settings }: Crew): boolean {
  const isWanted = facts.status === "completed" || handoff.onFailure === "continue";
  return isWanted && holds(handoff.when, facts, settings.signalScope);
}

function createPass(
  { agent, text, original }: Spoken,
  due: DeferredHandoff,
  deferred: readonly DeferredHandoff[],
): Pass {
  const { to, include } = due.handoff;
  const sections = include.map(
    (each): Section =>
      each === "response"
        ? { kind: "response", agent: agent.id, text }
        : { kind: "original_user_request", text: original },
  );
  return {
    type: "pass",
    to,
    via: "handoff",
    reason: `handoff declared by ${due.agent}`,
    sections: sections.length === 0 ? [{ kind: "answer", agent: agent.id, text }] : sections,
    deferred,
  };
}
