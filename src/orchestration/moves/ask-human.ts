import type { Section } from "../../context/frame.ts";
import { append, type History } from "../../context/history.ts";
import type { EventPlace } from "../../vocabulary/events.ts";
import { nameSpeaker } from "../../vocabulary/events.ts";
import type { Paused, PauseReason, PauseTimeout, ResumeAnswer } from "../../vocabulary/pause.ts";
import { isBlank } from "../../vocabulary/wording.ts";
import type { Answer } from "../agent-call.ts";
import { type Baton, handOver } from "../baton.ts";
import type { CrewRun } from "../crew-run.ts";
import { findAgent } from "../crew-run.ts";
import { frameFor } from "../frame-for.ts";
import { givenTo, handedOn, readAsked } from "../given-to.ts";
import type { Move, Pass } from "../move.ts";
import { pass } from "../pass.ts";
import { priorWork } from "../patterns/transfer-sections.ts";
import type { Next, Perform, Round } from "../round.ts";
import { remarksIn } from "../spoken.ts";
import { describeMove } from "./describe-move.ts";
import { goOn } from "./repeat.ts";

/** Waits for a human; the same agent continues with what they say. */
export async function askHuman(crewRun: CrewRun, round: Round, reason: PauseReason, signal?: string): Promise<Next> {
  const { baton, answer, place } = round;
  const behavior = reason === "wait_for_signal" ? crewRun.crew.behaviors.get(baton.agent) : undefined;
  const limit = signal === undefined ? behavior?.pauseTimeout : limitOfBinding(crewRun, baton.agent, signal);
  const question = {
    agent: nameInCrew(crewRun, baton.agent),
    reason,
    prompt: writePrompt(answer, baton.agent),
    options: ["input"],
  };
  const { input = "" } = await ask(crewRun, place, question, limit);
  return goOn(crewRun, afresh(baton), input);
}

/** Waits for the response to an external signal, unless a handler gave it at once; it becomes the agent's input. */
export async function askOutside(crewRun: CrewRun, round: Round, signal: string): Promise<Next> {
  const { baton, answer, place } = round;
  const question = {
    agent: nameInCrew(crewRun, baton.agent),
    reason: "external",
    prompt: writePrompt(answer, baton.agent),
    options: ["external"],
  } as const;
  const given = round.responses.get(signal);
  const said: ResumeAnswer =
    given === undefined
      ? await ask(crewRun, place, question, limitOfBinding(crewRun, baton.agent, signal))
      : { external: given };
  const response = said.external ?? said.input ?? "";
  crewRun.world.run.emit(place, "external.answered", { signal, response });
  return goOn(crewRun, afresh(baton), typeof response === "string" ? response : JSON.stringify(response));
}

/** What the agent said, as the run's reader gets it. */
function writePrompt({ text, shown = text }: Answer, agent: string): string {
  return isBlank(shown) ? `Agent '${agent}' waits for an answer.` : shown;
}

/** Somebody else has spoken: what was tried before does not count any more. */
function afresh(baton: Baton): Baton {
  return { ...baton, retries: 0, isRepaired: false, held: undefined };
}

/** Holds a move until it is approved, rejected with words for the agent, or sent elsewhere. */
export async function holdAtGate(crewRun: CrewRun, round: Round, move: Move, perform: Perform): Promise<Next> {
  const { baton, place } = round;
  const prompt = describeMove(crewRun, round, move);
  const options = ["approve", "reject", "redirect:<agent>"];
  const question = { agent: nameInCrew(crewRun, baton.agent), reason: "gate", prompt, options } as const;
  const said = await ask(crewRun, place, question, crewRun.crew.behaviors.get(baton.agent)?.pauseTimeout);
  const [decision = "", target = ""] = (said.decision ?? "").split(":");
  if (decision === "reject")
    return goOn(crewRun, afresh(baton), said.input ?? `${writeRejection(said)} Try something else.`);
  if (decision === "redirect") return redirect(crewRun, round, move, target, said.input);
  return said.input === undefined
    ? perform(crewRun, round, move)
    : perform(
        crewRun,
        { ...round, baton: { ...baton, history: heardBefore(baton.history, said.input) } },
        addWords(move, said.input),
      );
}

/**
 * Hands the answer to another agent than the one it was meant for, and nothing of what was written for that one. The agent sees what
 * was said before the answer, so that it knows what the answer is about; a human's words come last.
 */
function redirect(
  crewRun: CrewRun,
  { baton, answer, place }: Round,
  move: Move,
  to: string,
  words: string | undefined,
): Next {
  const via = move.type === "pass" ? move.via : move.type === "together" ? "transfer" : "signal";
  const refused = pass(crewRun, place, { from: baton.agent, to, via, reason: "redirected by a human" });
  if (refused !== undefined) return { type: "end", outcome: refused };
  const isSilent = isBlank(answer.text);
  // An agent that chose without a word leaves the next one what it was asked itself, and what it said before.
  const text = words ?? handedOn(baton, answer);
  if (via === "signal")
    return { type: "baton", baton: handOver(to, text, addInput(baton.history, text), "line", baton.deferred) };
  const isLeft = isSilent && words === undefined;
  const remarks = priorWork(baton.agent, remarksIn(answer.traffic), crewRun.crew.settings.handoffContextChars);
  const sections = isLeft ? [...readAsked(baton), ...remarks] : [createSection(words, baton.agent, text)];
  const input = frameFor(findAgent(crewRun.crew, to), sections, place, crewRun);
  const history = isLeft ? baton.history : addInput(baton.history, text);
  const deferred = move.type === "pass" || move.type === "together" ? move.deferred : baton.deferred;
  // The call that chose stands among what was said with the answer: it was written for another.
  const before = answer.traffic.reduce<History | undefined>((at) => at?.before, baton.history.before);
  const said = append(before, baton.history.message);
  const own = (isSilent ? addInput(before, text) : addInput(said, text)).before;
  const given = isLeft ? [...givenTo(baton, crewRun.original), ...remarks] : sections;
  return { type: "baton", baton: { ...handOver(to, input, history, "passed", deferred, undefined, given), own } };
}

function createSection(words: string | undefined, agent: string, text: string): Section {
  return words === undefined ? { kind: "answer", agent, text } : { kind: "plain", text };
}

/** What is asked is the newest message of a history. */
function addInput(history: History | undefined, text: string): History {
  return history?.message.text === text ? history : append(history, { role: "user", text });
}

/** What a human says to an answer comes before it in what others see of it: the answer is what they are asked. */
function heardBefore(history: History, text: string): History {
  return append(append(history.before, { role: "user", text }), history.message);
}

/** Whoever does not share the crew's history reads the human's words below what it is given. */
function addWords(move: Move, text: string): Move {
  const add = (pass: Pass): Pass => ({ ...pass, sections: [...pass.sections, { kind: "plain", text }] });
  if (move.type === "pass") return add(move);
  return move.type === "together" ? { ...move, passes: move.passes.map(add) } : move;
}

function writeRejection({ by }: ResumeAnswer): string {
  return by === "deadline" ? "Nobody approved your move in time." : "Your move was rejected.";
}

function limitOfBinding({ crew }: CrewRun, agent: string, signal: string): PauseTimeout | undefined {
  return crew.bindings.get(agent)?.find((binding) => binding.signal === signal)?.pauseTimeout;
}

function ask(
  crewRun: CrewRun,
  place: EventPlace,
  question: Paused,
  limit: PauseTimeout | undefined,
): Promise<ResumeAnswer> {
  return crewRun.world.run.ask({ ...place, path: `${place.path}/ask` }, crewRun.scope, question, limit);
}

/** In a sub-crew an agent is known by its crew too. */
export function nameInCrew({ place }: CrewRun, agent: string): string {
  return nameSpeaker({ agent, crew: place.crew });
}
