import type { Found } from "../finding.ts";
import { findPhrase } from "../phrases.ts";
import { type Detector, locateAgentKey, quoteEnd, quoteEvent } from "../scene.ts";
import { getAnswer, type Invocation } from "../story.ts";

const ADMITS =
  /\b(?:fail\w*|errors?|could(?: not|n't)|cannot|can't|unable|sorry|unavailable|timed out|did(?: not|n't) work|without|no access|unfortunately|missing|down)\b/i;

/** Finds runs that ended while work was left: the last answer says so, or it does not mention that a tool just failed. */
export const findEndedEarly: Detector = ({ story: { ending, lines } }) => {
  if (ending?.type !== "run.completed" || ending.data.stopReason.startsWith("max_")) return [];
  const last = lines.get("")?.at(-1);
  if (last === undefined || getAnswer(last) === "") return [];
  const base = {
    code: "ended-early",
    severity: "high",
    confidence: "likely",
    agents: [last.speaker],
    where: locateAgentKey(last, "system_prompt"),
  } as const;
  const sentence = findPhrase(getAnswer(last), "unfinished");
  const found: Found[] = [];
  if (sentence !== undefined)
    found.push({
      ...base,
      title: `the run ended with work that ${last.speaker} says is left`,
      evidence: [
        quoteEnd(last, sentence),
        quoteEvent(ending, `ended by ${ending.data.signal ?? ending.data.stopReason}`),
      ],
      why: `Its last answer speaks of what is still to be done, and ended the run (${ending.data.signal ?? ending.data.stopReason}).`,
      advice: "say in its prompt that it ends the run only when nothing is left, and give it a way to go on",
    });
  const failed = findUnresolved(last);
  if (failed !== undefined && !ADMITS.test(getAnswer(last)))
    found.push({
      ...base,
      title: `the run ended right after ${failed.data.tool} had failed`,
      evidence: [quoteEvent(failed, failed.data.message), quoteEnd(last)],
      why: `${failed.data.tool} failed, was not called again with success, and the answer does not say so.`,
      advice: `say in its prompt what to do when ${failed.data.tool} fails, and to say so`,
    });
  return found;
};

/** The last call of an agent, if it failed. */
function findUnresolved({ tools }: Invocation) {
  const end = tools.at(-1)?.end;
  // The agent may be finished without other agents, and a call that steers the run is not work.
  const isWork =
    end?.type === "tool.failed" && !/^(?:agent__|crew__|team__|memory__|handoff-to$|transfer_to_)/.test(end.data.tool);
  if (!isWork || /^there is no |^not called/.test(end.data.message)) return undefined;
  return end;
}
