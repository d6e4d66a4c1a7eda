import type { BatonEvent } from "../vocabulary/events.ts";
import type { Said } from "../vocabulary/run-start.ts";
import { buildResult, findAnswer, isOwn, type RunResult } from "./run-result.ts";

/** What a run adds to the conversation it is part of. */
export interface Exchange {
  readonly input: string;
  readonly result: RunResult;
  /** What was said on the crew's line, the oldest first; nothing where nobody came to speak. */
  readonly said: readonly Said[];
  /** Who spoke last, or was about to, and how it came to; absent where nobody did. */
  readonly holder: { readonly agent: string; readonly standing: "line" | "passed" } | undefined;
  /** How sure the last choice of an agent by classification was. */
  readonly confidence: number | undefined;
}

const passing: ReadonlySet<string> = new Set(["handoff", "router", "transfer", "team"]);

/** Folds the events of a run into what a conversation keeps of it. */
export function buildExchange(events: readonly BatonEvent[]): Exchange {
  const [started] = events;
  if (started?.type !== "run.started") throw new Error("a run begins with run.started");
  const { input, session } = started.data;
  const said: Said[] = [];
  let holder: Exchange["holder"];
  let confidence: number | undefined;
  let standing = session?.holder?.standing ?? "line";
  for (const event of events) {
    const words = findWords(event);
    if (words !== undefined && words.text !== "" && !isSame(words, said.at(-1))) said.push(words);
    if (event.type === "handoff" && event.crew === undefined)
      standing = passing.has(event.data.via) ? "passed" : "line";
    if (event.type === "agent.started" && isOwn(event) && event.agent !== undefined)
      holder = { agent: event.agent, standing };
    if (event.type === "classification" && event.crew === undefined) confidence = event.data.confidence;
  }
  return { input, result: buildResult(events), said: holder === undefined ? [] : said, holder, confidence };
}

/** What an event adds to the history of the run's own crew; tool calls and their results stay in the run that made them. */
function findWords(event: BatonEvent): Said | undefined {
  if (event.type === "run.started") return { text: event.data.input };
  if (event.type === "run.resumed")
    return event.crew === undefined && /^\d+\/ask$/.test(event.path) ? { text: event.data.input ?? "" } : undefined;
  if (event.type === "external.answered") {
    const { response } = event.data;
    return isOwn(event) ? { text: typeof response === "string" ? response : JSON.stringify(response) } : undefined;
  }
  const answer = findAnswer(event);
  if (answer === undefined) return undefined;
  const { output: text, agent } = answer;
  return agent === undefined ? { text } : { agent, text };
}

/** Words that answer an external signal are told as an answer, and as what came of it. */
function isSame(words: Said, last: Said | undefined): boolean {
  return words.agent === undefined && last?.agent === undefined && words.text === last?.text;
}
