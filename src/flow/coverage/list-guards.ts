import type { Crew } from "../../vocabulary/crew.ts";
import { type Guard, type Guards, runsBeside } from "../../vocabulary/guard.ts";
import { type Ability, type CoverageItem, type DeclaredAt, type GuardOutcome, nameAbility } from "./coverage-item.ts";

/** A guard of an agent, or of the crew if no agent is named. */
export interface DeclaredGuard {
  readonly agent: string | undefined;
  readonly on: "input" | "output";
  readonly guard: Guard;
  /** Its name, with a number if a guard before it on the same side has the same name. */
  readonly label: string;
  readonly at: DeclaredAt;
}

/** Lists the guards of one side of an agent or the crew, in the order in which they are declared. */
export function listGuards(crew: Crew, agent: string | undefined, on: "input" | "output"): DeclaredGuard[] {
  const guards = findGuards(crew, agent)?.[on] ?? [];
  return guards.map((guard, index) => {
    const before = guards.slice(0, index).filter(({ name }) => name === guard.name).length;
    const label = before === 0 ? guard.name : `${guard.name} (${before + 1})`;
    return { agent, on, guard, label, at: { ...(agent !== undefined && { agent }), keys: ["guards", on, index] } };
  });
}

/** Finds a guard by the last part of the path at which it judges: `gi0`, `go1`, `gi0r1`. */
export function findGuardAt(crew: Crew, agent: string | undefined, path: string): DeclaredGuard | undefined {
  const [, letter, index, round] = /(?:^|\/)g([io])(\d+)(?:r(\d+))?$/.exec(path) ?? [];
  if (letter === undefined) return undefined;
  const all = listGuards(crew, agent, letter === "i" ? "input" : "output");
  // Guards that run beside an agent's first model call are numbered on their own.
  const isSplit = letter === "i" && agent !== undefined;
  const numbered = isSplit ? all.filter(({ guard }) => runsBeside(guard) === (round !== undefined)) : all;
  return numbered[Number(index)];
}

/** The outcomes of a guard. Where a function or agent decides what follows, tripping is one of them, whatever follows. */
function listOutcomes({ onTrip }: Guard): readonly GuardOutcome[] {
  return ["passed", onTrip ?? "tripped"];
}

export function createGuardAbility({ agent, on, label: guard }: DeclaredGuard, outcome: GuardOutcome): Ability {
  return { kind: "guard", on, guard, outcome, ...(agent !== undefined && { agent }) };
}

/** Lists what the guards of the crew and its agents can do. */
export function listGuardItems(crew: Crew): CoverageItem[] {
  return [undefined, ...crew.agents.keys()].flatMap((agent) =>
    (["input", "output"] as const).flatMap((on) =>
      listGuards(crew, agent, on).flatMap((declared) =>
        listOutcomes(declared.guard).map((outcome) => {
          const ability = createGuardAbility(declared, outcome);
          return { name: nameAbility(ability), ability, at: declared.at };
        }),
      ),
    ),
  );
}

function findGuards(crew: Crew, agent: string | undefined): Guards | undefined {
  return agent === undefined ? crew.guards : crew.agents.get(agent)?.guards;
}
