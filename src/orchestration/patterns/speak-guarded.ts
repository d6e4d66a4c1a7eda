import { type Scope, ScopeClosed } from "../../run/scope.ts";
import { turnsLeft } from "../../session/run-session.ts";
import type { Session, SessionOutcome } from "../../session/session.ts";
import type { Failure } from "../../vocabulary/events.ts";
import { type Guard, type Guards, runsBeside } from "../../vocabulary/guard.ts";
import { isBlank } from "../../vocabulary/wording.ts";
import type { Question } from "../agent-call.ts";
import type { CrewRun } from "../crew-run.ts";
import { block, type Guarded, type Guarding, passGuards } from "./guards.ts";

/** Lets the session speak on an input, in a scope. */
type Speak = (input: string, scope: Scope) => Promise<SessionOutcome>;

/** Keeps text from the run's reader until it may be shown. */
export class HeldText {
  readonly #shows: (() => void)[] = [];
  #isOpen = false;

  hold(show: () => void): void {
    if (this.#isOpen) show();
    else this.#shows.push(show);
  }

  release(): void {
    this.#isOpen = true;
    for (const show of this.#shows.splice(0)) show();
  }
}

/** An agent's answer between its guards: those of its input, before or beside its first call, and those of its output. */
export async function speakGuarded(
  guards: Guards,
  {
    input,
    question,
    session,
    held,
  }: { input: string; question: Question; session: Session; held: HeldText | undefined },
  speak: Speak,
  crewRun: CrewRun,
): Promise<SessionOutcome> {
  const { agent, place, scope } = question;
  const guarding = { place, scope, agent, round: 0, given: () => listGiven(session, input) };
  const before = guards.input.filter((guard) => !runsBeside(guard));
  const beside = guards.input.filter(runsBeside);
  const checked = await passGuards(before, input, { ...guarding, on: "input" }, crewRun);
  if (checked.type !== "passed")
    return { type: "failed", failure: explainFailure(checked, { ...guarding, on: "input" }) };
  const spoken =
    beside.length === 0
      ? await speak(checked.text, scope)
      : await speakBeside(
          beside,
          checked.text,
          { ...guarding, on: "input", round: 1 },
          { session, held: holdsOutput(guards) || holdsOutput(crewRun.crew.guards) ? undefined : held, speak },
          crewRun,
        );
  return passOutput(guards, spoken, { ...guarding, on: "output" }, { session, speak }, crewRun);
}

/** Whether text is shown only when the guards of the output let it pass. */
export function holdsOutput(guards: Guards | undefined): boolean {
  return guards !== undefined && guards.output.length > 0 && !guards.isEarly;
}

/** Whether an agent's text waits for something before it is shown. */
export function holdsText(guards: Guards | undefined, ofCrew: Guards | undefined): boolean {
  return holdsOutput(guards) || holdsOutput(ofCrew) || (guards?.input ?? []).some(runsBeside);
}

/** Runs guards that only block beside the first model call: until they pass, no tool starts and no text is shown. */
async function speakBeside(
  guards: readonly Guard[],
  input: string,
  guarding: Guarding,
  { session, held, speak }: { session: Session; held: HeldText | undefined; speak: Speak },
  crewRun: CrewRun,
): Promise<SessionOutcome> {
  const scope = guarding.scope.open();
  const rejoin = crewRun.world.run.branch();
  let failure: Failure | undefined;
  const judged = passGuards(guards, input, { ...guarding, scope }, crewRun);
  session.gate = judged.then((outcome) => {
    if (outcome.type === "passed") {
      held?.release();
      return;
    }
    failure = explainFailure(outcome, guarding);
    scope.close(failure.message, failure);
    throw new ScopeClosed(failure.message);
  });
  try {
    const [spoken] = await Promise.all([speak(input, scope), session.gate]);
    scope.close("done");
    return spoken;
  } catch (error) {
    if (failure === undefined || guarding.scope.isClosed || !(error instanceof ScopeClosed)) throw error;
    return { type: "failed", failure };
  } finally {
    session.gate = undefined;
    rejoin();
  }
}

function explainFailure(outcome: Exclude<Guarded, { readonly type: "passed" }>, guarding: Guarding): Failure {
  if (outcome.type === "blocked") return outcome.failure;
  const blocked = block(outcome.guard, outcome.reason, guarding);
  if (blocked.type !== "blocked") throw new Error("a guard that blocks gives a failure");
  return blocked.failure;
}

/** The answer as its guards let it pass. With `retry` the agent is told why and answers again. */
async function passOutput(
  guards: Guards,
  spoken: SessionOutcome,
  guarding: Guarding,
  { session, speak }: { session: Session; speak: Speak },
  crewRun: CrewRun,
): Promise<SessionOutcome> {
  let outcome = spoken;
  const tries = new Map<Guard, number>();
  for (let round = 0; guards.output.length > 0; round++) {
    if (outcome.type === "failed" || isBlank(outcome.text)) return outcome;
    const at = { ...guarding, round };
    const passed = await passGuards(guards.output, outcome.text, at, crewRun);
    if (passed.type === "passed") return { ...outcome, text: passed.text };
    if (guards.isEarly) retract(passed, guarding, crewRun);
    const tried = passed.type === "retry" ? (tries.get(passed.guard) ?? 0) : 0;
    if (passed.type === "blocked" || tried >= passed.guard.maxRetries || turnsLeft(session) === 0)
      return { type: "failed", failure: explainFailure(passed, at) };
    tries.set(passed.guard, tried + 1);
    const words = `Your answer cannot be used: ${passed.reason}. Answer again.`;
    const again = await speak(words, guarding.scope);
    outcome = again.type === "failed" ? again : { ...again, traffic: [...outcome.traffic, ...again.traffic] };
  }
  return outcome;
}

function retract(passed: Guarded, { place }: Guarding, { world }: CrewRun): void {
  const guard = passed.type === "retry" ? passed.guard.name : "guard";
  const reason = passed.type === "retry" ? passed.reason : passed.type === "blocked" ? passed.failure.message : "";
  world.run.emit(place, "text.retracted", { guard, reason });
}

/** All that the agent was given: what it was asked, what it was told of others, and what its tools gave. */
function listGiven({ conversation }: Session, input: string): string[] {
  const texts = [input];
  for (let at = conversation; at !== undefined; at = at.before)
    if (at.message.role !== "agent") texts.push(at.message.text);
  return texts;
}
