import { append, type History } from "../../context/history.ts";
import type { EventPlace, Paused, PauseReason, ResumeAnswer } from "../../events.ts";
import { speakerOf } from "../../speaker-of.ts";
import { type Baton, handOver } from "../baton.ts";
import type { Next, Perform, Round } from "../conduct.ts";
import { type CrewRun, pass } from "../crew-run.ts";
import type { Move } from "../find-move.ts";
import { goOn } from "./repeat.ts";

/** Waits for a human; the same agent goes on with what they say. */
export async function askHuman(crewRun: CrewRun, round: Round, reason: PauseReason): Promise<Next> {
  const { baton, answer, place } = round;
  const question = { agent: nameOf(crewRun, baton.agent), reason, prompt: answer.text, options: ["input"] };
  const { input = "" } = await ask(crewRun, place, question);
  return goOn(crewRun, afresh(baton), input);
}

/** Waits for the response to an external signal, unless a handler gave it at once; it becomes the agent's input. */
export async function askOutside(crewRun: CrewRun, round: Round, signal: string): Promise<Next> {
  const { baton, answer, place } = round;
  const question = {
    agent: nameOf(crewRun, baton.agent),
    reason: "external",
    prompt: answer.text,
    options: ["external"],
  } as const;
  const given = round.responses.get(signal);
  const said: ResumeAnswer = given === undefined ? await ask(crewRun, place, question) : { external: given };
  const response = said.external ?? said.input ?? "";
  crewRun.world.run.emit(place, "external.answered", { signal, response });
  return goOn(crewRun, afresh(baton), typeof response === "string" ? response : JSON.stringify(response));
}

/** Somebody else has spoken: what was tried before does not count any more. */
function afresh(baton: Baton): Baton {
  return { ...baton, retries: 0, isRepaired: false };
}

/** Holds a move until it is approved, rejected with words for the agent, or sent elsewhere. */
export async function holdAtGate(crewRun: CrewRun, round: Round, move: Move, perform: Perform): Promise<Next> {
  const { baton, answer, place } = round;
  const prompt = `Agent '${baton.agent}' wants to go on to '${goalOf(move)}':\n\n${answer.text}`;
  const options = ["approve", "reject", "redirect:<agent>"];
  const said = await ask(crewRun, place, { agent: nameOf(crewRun, baton.agent), reason: "gate", prompt, options });
  const [decision = "", target = ""] = (said.decision ?? "").split(":");
  if (decision === "reject")
    return goOn(crewRun, afresh(baton), said.input ?? "Your move was rejected. Try something else.");
  // What was chosen for one is told to another in the same words.
  if (decision === "redirect" && move.type === "pass" && said.input === undefined)
    return perform(crewRun, round, { ...move, to: target, reason: "redirected by a human" });
  if (decision === "redirect") {
    const refused = pass(crewRun, place, {
      from: baton.agent,
      to: target,
      via: move.type === "pass" ? move.via : move.type === "together" ? "transfer" : "signal",
      reason: "redirected by a human",
    });
    if (refused !== undefined) return { type: "end", outcome: refused };
    const { input } = said;
    const history = input === undefined ? baton.history : append(baton.history, { role: "user", text: input });
    return { type: "baton", baton: handOver(target, input ?? answer.text, history, "line", baton.owed) };
  }
  return said.input === undefined
    ? perform(crewRun, round, move)
    : perform(
        crewRun,
        { ...round, baton: { ...baton, history: heardBefore(baton.history, said.input) } },
        addWords(move, said.input),
      );
}

/** What a human says to an answer comes before it in what others see of it: the answer is what they are asked. */
function heardBefore(history: History, text: string): History {
  return append(append(history.before, { role: "user", text }), history.message);
}

/** Whoever does not share the crew's history reads the human's words below what it is given. */
function addWords(move: Move, text: string): Move {
  return move.type === "pass" ? { ...move, sections: [...move.sections, { kind: "plain", text }] } : move;
}

function goalOf(move: Move): string {
  if (move.type === "route" || move.type === "pass") return move.to;
  if (move.type === "parallel" || move.type === "together") return move.group;
  return move.type === "sub_crew" ? move.call.crews.join(", ") : move.type;
}

function ask(crewRun: CrewRun, place: EventPlace, question: Paused): Promise<ResumeAnswer> {
  return crewRun.world.run.ask({ ...place, path: `${place.path}/ask` }, crewRun.scope, question);
}

/** In a sub-crew an agent is known by its crew too. */
export function nameOf({ place }: CrewRun, agent: string): string {
  return speakerOf({ agent, crew: place.crew });
}
