import type { Found } from "../finding.ts";
import { crewKey, type Detector, endOf } from "../scene.ts";
import { answerOf, type Invocation } from "../story.ts";
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
function isPingPong(round: readonly Invocation[], period: number): boolean {
  if (round.length >= 3 * period) return true;
  return (
    round.length >= 2 * period &&
    round.slice(period).every((invocation, index) => {
      const before = new Set(wordsOf(answerOf(round[index] ?? invocation)));
      const words = wordsOf(answerOf(invocation));
      return words.filter((word) => before.has(word)).length >= 0.6 * words.length;
    })
  );
}

/** Of each answer, whether it says something that nobody has said before on this line. */
function noveltyOf(invocations: readonly Invocation[], input: string): boolean[] {
  const known = new Set(wordsOf(input));
  for (const word of wordsOf(invocations[0]?.input ?? "")) known.add(word);
  return invocations.map((invocation) => {
    const words = wordsOf(answerOf(invocation));
    const fresh = words.filter((word) => !known.has(word));
    for (const word of words) known.add(word);
    return fresh.some((word) => /\p{N}/u.test(word)) || fresh.length > NEW * words.length;
  });
}

/** The longest part in which the same agents take turns, and after the first lap nothing new is said. */
function longestRound(
  invocations: readonly Invocation[],
  isNew: readonly boolean[],
  period: number,
): readonly Invocation[] {
  let best: readonly Invocation[] = [];
  let start = 0;
  for (let index = period; index <= invocations.length; index++) {
    const invocation = invocations[index];
    const goesOn =
      invocation !== undefined &&
      invocation.speaker === invocations[index - period]?.speaker &&
      invocation.speaker !== invocations[index - 1]?.speaker &&
      isNew[index] === false;
    if (goesOn) continue;
    if (index - start > best.length) best = invocations.slice(start, index);
    start = Math.max(start, index - period + 1);
  }
  return best;
}

function roundOf(round: readonly Invocation[], period: number): Found {
  const names = round.slice(0, period).map(({ speaker }) => speaker);
  const circle = [...names, names[0]].join(" → ");
  const [first] = round;
  return {
    code: "ping-pong",
    severity: "medium",
    confidence: "certain",
    title: `${names.join(" and ")} passed the work round without adding to it`,
    agents: names,
    evidence: round.map((invocation) => endOf(invocation)),
    wasted: round.slice(period).flatMap(({ end }) => end?.seq ?? []),
    why: `${circle} went round ${Math.floor(round.length / period)} times, and after the first at most one word in five was new.`,
    where: crewKey(first?.crew, "routing", "signals", first?.agent ?? ""),
    advice: "give one of them a signal that ends the run, and say in its prompt when to use it",
  };
}
