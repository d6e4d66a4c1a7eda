import type { Found } from "../finding.ts";
import { type Detector, locateAgentKey, quoteEnd, quoteEvent } from "../scene.ts";
import { getAnswer, type Invocation, isBefore, type ToolUse } from "../story.ts";
import { listWords, sayTheSame } from "../words.ts";

/** Tools that steer the run. Repeating such a call can be right. */
const STEERING =
  /^(?:signal|handoff-to|transfer_to_.*|team__.*|agent__(?:ask_clarification|dismiss|final_report)|final_report|memory__.*)$/;

/** Finds agents that repeat themselves: the same answer, or the same tool call with the same result. */
export const findRepeatedSteps: Detector = ({ story }) => {
  const bySpeaker = Map.groupBy(story.invocations, ({ speaker }) => speaker);
  const told = new Set(story.events.flatMap((event) => (event.type === "run.resumed" ? [event.data.input] : [])));
  return [...bySpeaker.values()].flatMap((invocations) => [
    ...findRepeatedAnswers(invocations.filter((invocation) => !isAskedAgain(invocation, told))),
    ...findRepeatedCalls(invocations),
  ]);
};

/** Whether the agent was asked the same again: to add a signal, by a human, or because its sub-crew failed. */
function isAskedAgain({ input, path }: Invocation, told: ReadonlySet<string | undefined>): boolean {
  return input.startsWith("Your answer had no signal") || told.has(input) || /(?:^|\/)k\d+\.\d+(?:\/|$)/.test(path);
}

function findRepeatedAnswers(invocations: readonly Invocation[]): Found[] {
  const repeats: Invocation[] = [];
  let previous: Invocation | undefined;
  let short = 0;
  for (const invocation of invocations) {
    const answer = getAnswer(invocation);
    if (answer.trim() === "") continue;
    const isSame = previous !== undefined && isBefore(previous, invocation) && sayTheSame(getAnswer(previous), answer);
    // An answer of a word or two may be right twice.
    short = isSame ? short + 1 : 0;
    if (isSame && (listWords(answer).length > 2 || short > 1)) repeats.push(invocation);
    previous = invocation;
  }
  const [first] = repeats;
  if (first === undefined) return [];
  const count = repeats.length;
  return [
    {
      code: "repeated-step",
      severity: count > 1 ? "medium" : "low",
      confidence: "certain",
      title: `${first.speaker} gave the same answer again`,
      agents: [first.speaker],
      evidence: repeats.map((invocation) => quoteEnd(invocation)),
      wasted: repeats.flatMap(({ end }) => end?.seq ?? []),
      why: `${count} of its ${invocations.length} answers ${count === 1 ? "says" : "say"} what the one before said, in the same words.`,
      where: locateAgentKey(first, "system_prompt"),
      advice: "tell it in its prompt what to do when nothing is left to add, and bind a signal for that",
    },
  ];
}

function findRepeatedCalls(invocations: readonly Invocation[]): Found[] {
  const known = new Map<string, ToolUse[]>();
  for (const { path, tools } of invocations) {
    for (const use of tools) {
      if (STEERING.test(use.called.data.tool)) continue;
      // The agent may not have seen what happened in another invocation.
      const key = `${path}\n${use.called.data.tool}\n${JSON.stringify(use.called.data.args)}\n${readOutcome(use)}`;
      const others = known.get(key);
      if (others === undefined) known.set(key, [use]);
      else if ((others.at(-1)?.end?.seq ?? Number.POSITIVE_INFINITY) < (use.called.seq ?? 0)) others.push(use);
    }
  }
  const [invocation] = invocations;
  if (invocation === undefined) return [];
  return [...known.values()]
    .filter((uses) => uses.length > (uses[0]?.end?.type === "tool.completed" ? 1 : 2))
    .map((uses) => describeRepeat(uses, invocation));
}

function describeRepeat(uses: readonly ToolUse[], invocation: Invocation): Found {
  const tool = uses[0]?.called.data.tool ?? "";
  const hasFailed = uses[0]?.end?.type === "tool.failed";
  return {
    code: "repeated-step",
    severity: uses.length > 2 ? "medium" : "low",
    confidence: "certain",
    title: `${invocation.speaker} called ${tool} ${uses.length} times with the same arguments`,
    agents: [invocation.speaker],
    wasted: uses.slice(1).flatMap(({ called }) => called.seq ?? []),
    evidence: uses.map(({ called }) => quoteEvent(called, `${tool} ${JSON.stringify(called.data.args)}`)),
    why: `Each of the ${uses.length} calls ${hasFailed ? "failed in the same way" : "gave the same result"}: all but the first told it nothing new.`,
    where: locateAgentKey(invocation, "system_prompt"),
    advice: hasFailed
      ? `tell it what to do when ${tool} fails`
      : `tell it to use what ${tool} gave before, or lower 'max_turns'`,
  };
}

function readOutcome({ end }: ToolUse): string {
  if (end === undefined) return "?";
  return end.type === "tool.completed" ? `=${end.data.result}` : `!${end.data.message}`;
}
