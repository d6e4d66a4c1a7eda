import type { Ability } from "../../flow/coverage/coverage-item.ts";
import { createGuardAbility, findGuardAt } from "../../flow/coverage/list-guards.ts";
import type { EventOf } from "../../vocabulary/events.ts";
import type { CrewLine } from "./crew-lines.ts";

/** What a guard's verdict shows. Where a function or agent decides what follows, tripping counts, whatever follows. */
export function findVerdict(
  event: EventOf<"guard.passed"> | EventOf<"guard.tripped">,
  { crew, isComposed }: CrewLine,
): Ability[] {
  // A composed crew has agents of its caller, but not its caller's guards.
  if (isComposed && event.agent === undefined) return [];
  const declared = findGuardAt(crew, event.agent, event.path);
  if (declared === undefined) return [];
  if (event.type === "guard.passed") return [createGuardAbility(declared, "passed")];
  const { onTrip } = declared.guard;
  return [createGuardAbility(declared, onTrip === undefined ? "tripped" : event.data.action)];
}
