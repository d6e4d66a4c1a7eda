import type { Found } from "../finding.ts";
import { type Detector, locateCrewKey, quoteEnd } from "../scene.ts";
import { getAnswer, type Invocation } from "../story.ts";
import { listWords } from "../words.ts";

/** The longest circle of agents that the search looks for. */
const LONGEST = 4;
/** An answer with a smaller share of new words says nothing new. */
const NEW = 0.2;

/** Finds agents that pass the work around without adding to it. */
export const findPingPong: Detector = ({ story }) => {
  return [...story.lines.values()].flatMap((line) => {
    const answered = line.filter(({ end }) => end?.type === "agent.completed");
    const isNew = markNovelty(answered, story.input);
    for (let period = 2; period <= LONGEST; period++) {
      const round = findLongestRound(answered, isNew, period);
      if (isPingPong(round, period)) return [describeRound(round, period)];
    }
    return [];
  });
};

/** Three laps are enough. Two are enough if every agent says nearly the same again. */
function isPingPong(round: readonly Invocation[], period: number): boolean {
  if (round.length >= 3 * period) return true;
  return (
    round.length >= 2 * period &&
    round.slice(period).every((invocation, index) => {
      const before = new Set(listWords(getAnswer(round[index] ?? invocation)));
      const words = listWords(getAnswer(invocation));
      return words.filter((word) => before.has(word)).length >= 0.6 * words.length;
    })
  );
}

/** Marks for each answer whether it says something new on this line. */
function markNovelty(invocations: readonly Invocation[], input: string): boolean[] {
  const known = new Set(listWords(input));
  for (const word of listWords(invocations[0]?.input ?? "")) known.add(word);
  return invocations.map((invocation) => {
    const words = listWords(getAnswer(invocation));
    const fresh = words.filter((word) => !known.has(word));
    for (const word of words) known.add(word);
    return fresh.some((word) => /\p{N}/u.test(word)) || fresh.length > NEW * words.length;
  });
}

/** Finds the longest part in which the same agents take turns and say nothing new after the first lap. */
function findLongestRound(
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

function describeRound(round: readonly Invocation[], period: number): Found {
  const names = round.slice(0, period).map(({ speaker }) => speaker);
  const circle = [...names, names[0]].join(" → ");
  const [first] = round;
  return {
    code: "ping-pong",
    severity: "medium",
    confidence: "certain",
    title: `${names.join(" and ")} passed the work round without adding to it`,
    agents: names,
    evidence: round.map((invocation) => quoteEnd(invocation)),
    wasted: round.slice(period).flatMap(({ end }) => end?.seq ?? []),
    why: `${circle} went round ${Math.floor(round.length / period)} times, and after the first at most one word in five was new.`,
    where: locateCrewKey(first?.crew, "routing", "signals", first?.agent ?? ""),
    advice: "give one of them a signal that ends the run, and say in its prompt when to use it",
  };
}
