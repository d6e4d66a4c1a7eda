import type { Found } from "../finding.ts";
import { crewKey, type Detector, evidence } from "../scene.ts";
import { answerOf, type Stint } from "../story.ts";
import { wordsOf } from "../words.ts";

/** The longest circle of agents that is looked for. */
const LONGEST = 4;
/** New words in a hundred, at most, of an answer that brings nothing new. */
const NEW = 0.2;

/** Agents that pass the work round without adding to it. */
export const findPingPong: Detector = ({ story }) => {
  return [...story.lines.values()].flatMap((line) => {
    const answered = line.filter(({ end }) => end?.type === "agent.completed");
    const isNew = noveltyOf(answered, story.input);
    for (let period = 2; period <= LONGEST; period++) {
      const round = longestRound(answered, isNew, period);
      if (isPingPong(round, period)) return [roundOf(round, period)];
    }
    return [];
  });
};

/** Three times round is enough; twice, where everybody says nearly the same again. */
function isPingPong(round: readonly Stint[], period: number): boolean {
  if (round.length >= 3 * period) return true;
  return (
    round.length >= 2 * period &&
    round.slice(period).every((stint, index) => {
      const before = new Set(wordsOf(answerOf(round[index] ?? stint)));
      const words = wordsOf(answerOf(stint));
      return words.filter((word) => before.has(word)).length >= 0.6 * words.length;
    })
  );
}

/** Of each answer, whether it says something that nobody has said before on this line. */
function noveltyOf(stints: readonly Stint[], input: string): boolean[] {
  const known = new Set(wordsOf(input));
  for (const word of wordsOf(stints[0]?.input ?? "")) known.add(word);
  return stints.map((stint) => {
    const words = wordsOf(answerOf(stint));
    const fresh = words.filter((word) => !known.has(word));
    for (const word of words) known.add(word);
    return fresh.some((word) => /\p{N}/u.test(word)) || fresh.length > NEW * words.length;
  });
}

/** The longest stretch in which the same agents take turns, and after the first lap nothing new is said. */
function longestRound(stints: readonly Stint[], isNew: readonly boolean[], period: number): readonly Stint[] {
  let best: readonly Stint[] = [];
  let start = 0;
  for (let index = period; index <= stints.length; index++) {
    const stint = stints[index];
    const goesOn =
      stint !== undefined &&
      stint.speaker === stints[index - period]?.speaker &&
      stint.speaker !== stints[index - 1]?.speaker &&
      isNew[index] === false;
    if (goesOn) continue;
    if (index - start > best.length) best = stints.slice(start, index);
    start = Math.max(start, index - period + 1);
  }
  return best;
}

function roundOf(round: readonly Stint[], period: number): Found {
  const names = round.slice(0, period).map(({ speaker }) => speaker);
  const circle = [...names, names[0]].join(" → ");
  const [first] = round;
  return {
    code: "ping-pong",
    severity: "medium",
    confidence: "certain",
    title: `${names.join(" and ")} passed the work round without adding to it`,
    agents: names,
    evidence: round.map((stint) => evidence(stint.end ?? stint.started, answerOf(stint))),
    wasted: round.slice(period).flatMap(({ end }) => end?.seq ?? []),
    why: `${circle} went round ${Math.floor(round.length / period)} times; after the first, no answer has a word in five that was not said before.`,
    where: crewKey(first?.crew, "routing", "signals", first?.agent ?? ""),
    advice: "give one of them a signal that ends the run, and say in its prompt when to use it",
  };
}
