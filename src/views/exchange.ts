import { addReferences } from "../vocabulary/attachment.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { Said } from "../vocabulary/run-start.ts";
import { buildResult, findAnswer, isOwn, type RunResult } from "./run-result.ts";

/** What a run adds to its conversation. */
export interface Exchange {
  readonly input: string;
  readonly result: RunResult;
  /** The messages on the crew's line, oldest first; empty if no agent spoke. */
  readonly said: readonly Said[];
  /** The last agent that spoke or was about to speak, and how it was reached; absent if there is none. */
  readonly holder: { readonly agent: string; readonly standing: "line" | "passed" } | undefined;
  /** The confidence of the last classification. */
  readonly confidence: number | undefined;
}

const passing: ReadonlySet<string> = new Set(["handoff", "router", "transfer", "team"]);

/** Folds the events of a run into what its conversation needs of it. */
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

/** What an event adds to the history of the run's own crew. Tool calls and their results are not part of it. */
function findWords(event: BatonEvent): Said | undefined {
  if (event.type === "run.started") return { text: addReferences(event.data.input, event.data.attachments) };
  if (event.type === "run.resumed")
    return event.crew === undefined && /^\d+\/ask$/.test(event.path)
      ? { text: addReferences(event.data.input ?? "", event.data.attachments) }
      : undefined;
  if (event.type === "external.answered") {
    const { response } = event.data;
    return isOwn(event) ? { text: typeof response === "string" ? response : JSON.stringify(response) } : undefined;
  }
  const answer = findAnswer(event);
  if (answer === undefined) return undefined;
  const { output: text, agent } = answer;
  return agent === undefined ? { text } : { agent, text };
}

/** The answer to an external signal is recorded twice: when it arrives and when the run continues with it. */
function isSame(words: Said, last: Said | undefined): boolean {
  return words.agent === undefined && last?.agent === undefined && words.text === last?.text;
}
