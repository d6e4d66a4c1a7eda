import type { Chance } from "./chance.ts";

type Keys = Readonly<Record<string, unknown>>;

/** Only with those further down the list: agents that refer to each other do not load. */
export function randomPatterns(chance: Chance, id: string, below: readonly string[]): Omit<RandomAgent, "id"> {
  const [first, second, ...others] = below;
  if (first === undefined) return {};
  const when = () =>
    chance.pick<Keys>([{ contains: "found" }, { turns_over: 1 }, { status: "failed" }, { cost_over: 0.001 }]);
  const handoff = {
    to: chance.anyOf(below),
    ...chance.maybe(50, () => ({ include: chance.pick([["response"], ["original_request", "response"]]) })),
    ...chance.maybe(40, () => ({ on_failure: "continue" })),
    ...chance.maybe(40, () => ({ when: when() })),
  };
  const members = second === undefined ? [first] : chance.percent(50) ? [first] : [first, second];
  const team = {
    members,
    supervisor: chance.percent(60) ? id : (chance.anyOf(others) ?? id),
    ...chance.maybe(50, () => ({ member_max_turns: chance.pick([1, 2, 4]) })),
    ...chance.maybe(50, () => ({ supervisor_max_turns: chance.pick([1, 2, 4]) })),
  };
  const isTeam = chance.percent(12);
  return {
    ...chance.maybe(20, () => ({ handoff: chance.percent(30) ? handoff.to : handoff })),
    ...(isTeam ? { team } : chance.maybe(15, () => ({ router: { destinations: uniqueOf(chance, below) } }))),
    ...chance.maybe(18, () => ({
      advisors: uniqueOf(chance, below),
      ...chance.maybe(50, () => ({ advisor_timeout: chance.pick(["5ms", "20ms", "1s"]) })),
    })),
    ...chance.maybe(30, () => ({ chat: true })),
    ...chance.maybe(25, () => ({ prompt_style: "tagged" })),
  };
}

/** With anybody: the work may go round in circles. */
export function randomCollaborations(chance: Chance, id: string, ids: readonly string[]) {
  const others = ids.filter((each) => each !== id);
  const collaborations = [...new Set(chance.some(others, 3))].map(
    (agent): Collaboration =>
      chance.percent(60)
        ? agent
        : {
            agent,
            ...chance.maybe(30, () => ({ priority: chance.pick([0, 1]) })),
            ...chance.maybe(30, () => ({ cost: "prefer_cheaper" })),
            ...chance.maybe(30, () => ({ when: chance.pick<Keys>([{ contains: "found" }, { turns_over: 1 }]) })),
          },
  );
  return { collaborations, ...chance.maybe(40, () => ({ parallel_handoffs: chance.percent(80) })) };
}

/** A member of a team may not be the handoff target of another, nor the supervisor of another's team have one of its own. */
export function withoutContradictions<Made extends RandomAgent>(agents: readonly Made[]): Made[] {
  const teams = agents.flatMap(({ id, team }) => (team === undefined ? [] : [{ ...team, face: id }]));
  return agents.map((agent) => {
    const { id, handoff } = agent;
    const to = typeof handoff === "object" ? handoff.to : handoff;
    const isTurning = teams.some(({ members }) => members.includes(id) && to !== undefined && members.includes(to));
    const isTorn = teams.some(({ supervisor, face }) => supervisor === id && face !== id);
    return { ...agent, ...(isTurning && { handoff: undefined }), ...(isTorn && { team: undefined }) };
  });
}

interface RandomAgent {
  readonly id: string;
  readonly handoff?: string | { readonly to: string | undefined } | undefined;
  readonly team?: { readonly members: readonly string[]; readonly supervisor: string } | undefined;
}

function uniqueOf(chance: Chance, ids: readonly string[]): string[] {
  const some = chance.some(ids, 3);
  return some.length > 0 ? [...new Set(some)] : ids.slice(0, 1);
}

type Collaboration = string | { readonly agent: string };

export function collaboratorsOf(collaborations: readonly Collaboration[] = []): string[] {
  return collaborations.map((each) => (typeof each === "string" ? each : each.agent));
}
