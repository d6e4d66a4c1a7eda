import type { TextCleaner } from "../session/open-request.ts";
import type { Session, SessionOutcome } from "../session/session.ts";
import { stripTokens } from "../signals/stripped-lines.ts";
import type { Agent } from "../vocabulary/crew.ts";
import { isBlank } from "../vocabulary/wording.ts";
import type { Asked, Question } from "./agent-call.ts";
import type { CrewRun } from "./crew-run.ts";
import { choiceIn } from "./patterns/router.ts";
import { broadcastIn } from "./patterns/team-talk.ts";
import { transfersIn } from "./patterns/transfer.ts";
import { distinctSignals, type FoundSignal, writesSignals } from "./read-signals.ts";
import { tellSignals } from "./tell-signals.ts";

const none: readonly never[] = [];
const nothing = { matches: none, bound: none };
const nothingChosen = { choice: undefined, transfers: undefined, broadcast: undefined };

/** The outcome of an agent's session, as others see it, with the signals in it. */
export function takeAnswer(
  outcome: SessionOutcome,
  { lastWords = "" }: Question,
  session: Session,
  before: number,
  crewRun: CrewRun,
): Asked {
  const { run, signalReader } = crewRun.world;
  const { agent, place } = session;
  if (outcome.type === "failed") {
    run.emit(place, "agent.failed", outcome.failure);
    return { ...outcome, turns: session.turns - before };
  }
  const { traffic, turns } = outcome;
  const { choice, transfers, broadcast } = outcome.type === "exit" ? readExit(outcome) : nothingChosen;
  const isSignalled = choice === undefined && transfers === undefined && broadcast === undefined;
  // In a reply that calls such a tool, the tool decides: its text is not read. One that declares a transfer is an answer.
  const isRead = isSignalled || transfers?.[0]?.isWritten === true;
  const { stripSignals } = crewRun.crew.settings;
  const said = broadcast?.message ?? (isBlank(outcome.text) ? lastWords || outcome.text : outcome.text);
  const inText = writesSignals(agent, crewRun.crew) ? signalReader.read(crewRun.crew, agent, said) : nothing;
  const matches = isRead && said === outcome.text ? inText.matches : none;
  // What was given by the tool counts wherever the text would have put it.
  const given =
    outcome.type === "exit" && isSignalled ? signalReader.find(crewRun.crew, agent, String(outcome.value)) : none;
  const found = distinctSignals(given.length === 0 ? matches : [...matches, ...given]);
  const clean = broadcast === undefined ? withoutTokens(said, inText.bound, crewRun) : undefined;
  const text = stripSignals === "all" ? (clean ?? said) : said;
  const shown = clean === text ? undefined : clean;
  run.emit(place, "agent.completed", shown === undefined ? { answer: text, turns } : { answer: text, shown, turns });
  tellSignals(found, place, crewRun);
  return { type: "answer", text, shown, found, traffic, turns, choice, transfers, broadcast, session };
}

/** What the tool that ended a session says: a router's choice, a transfer, or words to a team. */
function readExit(outcome: Extract<SessionOutcome, { type: "exit" }>) {
  return { choice: choiceIn(outcome), transfers: transfersIn(outcome), broadcast: broadcastIn(outcome) };
}

/** An answer without the tokens that are bound for its agent; undefined where it has none, or they stay. */
function withoutTokens(text: string, bound: readonly FoundSignal[], crewRun: CrewRun): string | undefined {
  if (bound.length === 0 || showsTokens(crewRun)) return undefined;
  return stripTokens(text, bound);
}

/** What takes tokens out of what an agent says; undefined where they stay. */
export function createStripper(agent: Agent, crewRun: CrewRun): TextCleaner | undefined {
  return showsTokens(crewRun) ? undefined : crewRun.world.signalReader.stripper(crewRun.crew, agent);
}

function showsTokens({ crew, shared }: CrewRun): boolean {
  return shared.showsSignals && crew.settings.stripSignals !== "all";
}
