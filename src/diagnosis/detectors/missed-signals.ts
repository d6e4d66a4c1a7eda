import { matchSignal } from "../../signals/match-signal.ts";
import type { Binding } from "../../vocabulary/crew.ts";
import { nameSpeaker } from "../../vocabulary/events.ts";
import type { Found } from "../finding.ts";
import { type Detector, locateAgentKey, locateCrewKey, quoteEvent, type Scene } from "../scene.ts";
import { getAnswer, type Invocation } from "../story.ts";

/** Finds signals that were meant but did not count: misspelt, without brackets, in code, or not bound for the agent. */
export const findMissedSignals: Detector = (scene) => {
  const { story } = scene;
  const found = story.invocations.flatMap((invocation) => findMissed(invocation, scene));
  for (const event of story.events) {
    if (event.type !== "signal.unbound") continue;
    const { crew, agent = "", data } = event;
    const definition = scene.findCrew(crew)?.signals.find(({ name }) => name === data.signal);
    if (definition?.behavior !== "terminate" || !hasGoneOn(story.byPath.get(event.path))) continue;
    found.push({
      ...describeMissed({ crew, agent }, data.signal, true),
      evidence: [quoteEvent(event, data.token)],
      why: `${data.signal} ends a run, but it is not bound for ${agent}: it was journalled and did nothing.`,
      where: locateCrewKey(crew, "routing", "signals", agent),
      advice: `bind ${data.signal} for ${agent}: { signal: "${data.signal}", target: "" }`,
    });
  }
  return [...found, ...findForgotten(scene)];
};

/** Whether the crew continued after an answer in which no signal decided. */
function hasGoneOn(invocation: Invocation | undefined): invocation is Invocation {
  return (
    invocation?.left !== undefined && invocation.isOnLine && invocation.signals.length === 0 && !hasChosen(invocation)
  );
}

/** Whether a tool decided, so that the text does not matter. */
function hasChosen({ replies }: Invocation): boolean {
  return (replies.at(-1)?.data.toolCalls.length ?? 0) > 0;
}

/** An answer without a signal that ends in something like one. */
function findMissed(invocation: Invocation, scene: Scene): Found[] {
  const bindings = scene.findCrew(invocation.crew)?.bindings.get(invocation.agent) ?? [];
  if (
    !invocation.isOnLine ||
    bindings.length === 0 ||
    invocation.signals.length > 0 ||
    invocation.end === undefined ||
    hasChosen(invocation)
  )
    return [];
  const line = findLastLine(getAnswer(invocation));
  const meant = bindings.find(({ signal }) => isMeant(line, signal));
  if (meant === undefined) return [];
  const isEnd = meant.move.type === "terminate";
  // Nothing was lost if the run ended anyway.
  if (isEnd && invocation.left === undefined && scene.story.ending?.type === "run.completed") return [];
  const isCode = matchSignal(meant.signal, line).matched;
  const how = isCode
    ? "stands in code or in a quotation, where signals do not count"
    : "is not written as the signal is";
  const setting = locateCrewKey(invocation.crew, "settings", "signal_scope");
  return [
    {
      ...describeMissed(invocation, meant.signal, isEnd),
      evidence: [quoteEvent(invocation.end, line)],
      why: `Its answer ends in '${line.trim().slice(0, 60)}', which ${how}; the run went on without it.`,
      where: isCode ? setting : locateAgentKey(invocation, "system_prompt"),
      advice: isCode
        ? "tell it to write the signal outside code, or set 'signal_scope: anywhere'"
        : `write ${meant.signal} to the letter in its prompt, with an example; or set 'emit: tool'`,
    },
  ];
}

function describeMissed(invocation: Pick<Invocation, "crew" | "agent">, signal: string, isEnd: boolean) {
  const speaker = nameSpeaker(invocation);
  return {
    code: isEnd ? "unaware-of-end" : "missed-signal",
    severity: "medium",
    confidence: "certain",
    title: isEnd
      ? `${speaker} meant to end the run with ${signal}, and it did not count`
      : `${speaker} meant ${signal}, and it did not count`,
    agents: [speaker],
  } as const;
}

/** Answers without a signal, for which the agent or a human was asked again. */
function findForgotten({ story }: Scene): Found[] {
  const repaired = story.invocations.filter(({ input }) => input.startsWith("Your answer had no signal"));
  const bySpeaker = Map.groupBy(repaired, ({ speaker }) => speaker);
  return [...bySpeaker].flatMap(([speaker, invocations]): Found[] => {
    const [first] = invocations;
    if (first === undefined) return [];
    return [
      {
        code: "missed-signal",
        severity: "low",
        confidence: "certain",
        title: `${speaker} forgot its signal`,
        agents: [speaker],
        evidence: invocations.map((invocation) => quoteEvent(invocation.started, invocation.input)),
        why: `It was asked ${invocations.length === 1 ? "once" : `${invocations.length} times`} to give its answer again with a signal, which cost a call each time.`,
        where: locateAgentKey(first, "system_prompt"),
        advice: "say at the end of its prompt which signals there are and that every answer ends in one",
      },
    ];
  });
}

function findLastLine(answer: string): string {
  const lines = answer
    .slice(-2000)
    .split("\n")
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  return lines.at(-1)?.slice(-200) ?? "";
}

/** Whether the end of a line means a signal and only its form is wrong. */
function isMeant(line: string, signal: Binding["signal"]): boolean {
  const name = simplify(signal);
  const bracketed = [
    ...line.matchAll(/[[({<*`]+\s*([\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} _-]{0,63}?)\s*[\])}>*`]*\s*[.!]?\s*$/gu),
  ];
  const token = bracketed.at(-1)?.[1];
  if (token !== undefined) return isNear(simplify(token), name);
  const word = /(?:^|\s)([\p{Lu}\p{N}_-]{3,64})[.!]?\s*$/u.exec(line)?.[1];
  return word !== undefined && simplify(word) === name;
}

function simplify(name: string): string {
  return name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, "");
}

/** Whether two names are equal, or one is the beginning of the other, or they differ by one slip. */
function isNear(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length < 4 || long.length - short.length > 3) return false;
  return long.startsWith(short) || isSlip(short, long);
}

/** One letter more, one letter different, or two letters exchanged. */
function isSlip(short: string, long: string): boolean {
  let start = 0;
  while (start < short.length && short[start] === long[start]) start++;
  const rest = (text: string, from: number) => text.slice(from);
  if (rest(short, start) === rest(long, start + 1)) return true;
  if (short.length !== long.length) return false;
  if (rest(short, start + 1) === rest(long, start + 1)) return true;
  const isSwapped = short[start] === long[start + 1] && short[start + 1] === long[start];
  return isSwapped && rest(short, start + 2) === rest(long, start + 2);
}
