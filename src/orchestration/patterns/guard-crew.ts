import type { Guards } from "../../vocabulary/guard.ts";
import { type CrewOutcome, type CrewRun, setOutput } from "../crew-run.ts";
import { block, type Guarded, type Guarding, passGuards } from "./guards.ts";
import { holdsOutput } from "./speak-guarded.ts";

/** Runs a crew between its own guards: of what it is asked, and of what it gives in the end. */
export async function conductGuarded(
  crewRun: CrewRun,
  guards: Guards,
  input: string,
  conduct: (input: string) => Promise<CrewOutcome>,
): Promise<CrewOutcome> {
  const { scope, place, world } = crewRun;
  const guarding = { scope, place, agent: undefined, round: 0, given: () => [] };
  const ofInput = { ...guarding, on: "input" } as const;
  const asked = await passGuards(guards.input, input, ofInput, crewRun);
  if (asked.type !== "passed") return fail(asked, ofInput);
  const outcome = await conduct(asked.text);
  if (outcome.type === "failed" || guards.output.length === 0) return outcome;
  const ofOutput = { ...guarding, on: "output" } as const;
  // The run's reader gets the text without signal tokens, and that is what must pass.
  const passed = await passGuards(guards.output, crewRun.shown, ofOutput, crewRun);
  if (passed.type !== "passed") {
    const failed = fail(passed, ofOutput);
    setOutput(crewRun, { text: "" });
    if (guards.isEarly) world.run.emit(place, "text.retracted", { guard: "output", reason: failed.failure.message });
    return failed;
  }
  if (passed.text !== crewRun.shown) setOutput(crewRun, { text: passed.text });
  if (holdsOutput(guards)) world.run.show(place, "text.delta", { text: crewRun.shown });
  return outcome;
}

function fail(outcome: Exclude<Guarded, { readonly type: "passed" }>, guarding: Guarding) {
  const blocked = outcome.type === "retry" ? block(outcome.guard, outcome.reason, guarding) : outcome;
  if (blocked.type !== "blocked") throw new Error("a guard that blocks gives a failure");
  return { type: "failed", stopReason: "error", failure: blocked.failure } as const;
}
