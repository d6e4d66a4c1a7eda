import type { Ability } from "../../flow/coverage/coverage-item.ts";
import type { Binding, Crew } from "../../vocabulary/crew.ts";
import type { EventOf } from "../../vocabulary/events.ts";

const levels = ["exact", "case_insensitive", "normalized"];

/** The signals of one answer on a crew's line, in the order of the text. */
export type Emitted = readonly EventOf<"signal.emitted">[];

/** The binding that decided what followed an answer; undefined if none of its signals decides. */
export function findDecider(crew: Crew, agent: string, emitted: Emitted): Binding | undefined {
  const bindings = crew.bindings.get(agent) ?? [];
  const found = emitted.flatMap(({ data }) => {
    const index = bindings.findIndex(({ signal }) => signal === data.signal);
    const binding = bindings[index];
    return binding === undefined || !decides(binding) ? [] : [{ binding, index, level: levels.indexOf(data.level) }];
  });
  const [first] = found.toSorted(
    (a, b) => b.binding.priority - a.binding.priority || a.level - b.level || a.index - b.index,
  );
  return first?.binding;
}

/** Bindings that acted after an answer: the one that decided, and those that act beside it. */
export function findActing(crew: Crew, agent: string, emitted: Emitted): Ability[] {
  const of = crew.agents.get(agent);
  // The face of a team only gives it its task.
  if (of === undefined || (of.team !== undefined && of.team.supervisor !== agent)) return [];
  const decider = findDecider(crew, agent, emitted);
  const beside = (crew.bindings.get(agent) ?? []).filter(
    (binding) => !decides(binding) && emitted.some(({ data }) => data.signal === binding.signal),
  );
  return [...(decider === undefined ? [] : [decider]), ...beside].map(({ signal }) => ({
    kind: "binding",
    agent,
    signal,
  }));
}

function decides({ move }: Binding): boolean {
  return !(move.type === "broadcast" || move.type === "status" || (move.type === "external" && !move.pause));
}
