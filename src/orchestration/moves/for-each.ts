import { findItems, parseItemPath } from "../../template/item-path.ts";
import { itemScope, parseTemplate } from "../../template/parse-template.ts";
import { renderTemplate } from "../../template/render-template.ts";
import type { ForEach } from "../../vocabulary/crew.ts";
import type { Failure } from "../../vocabulary/events.ts";
import { nameSpeaker } from "../../vocabulary/events.ts";
import { formatAmount, isBlank } from "../../vocabulary/wording.ts";
import type { CrewRun } from "../crew-run.ts";
import { findAgent } from "../crew-run.ts";
import { findJsonBlock } from "../find-json-block.ts";
import { handedOn } from "../given-to.ts";
import type { Move } from "../move.ts";
import type { Next, Round } from "../round.ts";
import { goOn } from "./repeat.ts";

type Entering = Extract<Move, { type: "parallel" }>;

/**
 * What the members of a group get that works on each item of its emitter's list. An answer without such a list is repaired once: its agent
 * is asked for it again. The run fails if that does not help, or if the list is too long.
 */
export function readInputs(crewRun: CrewRun, round: Round, move: Entering, forEach: ForEach): readonly string[] | Next {
  const { baton, answer } = round;
  const from = move.from ?? baton.agent;
  const speaker = nameSpeaker({ agent: from, crew: crewRun.place.crew });
  const text = handedOn(baton, answer);
  const found = findList(text, forEach);
  if ("problem" in found) {
    if (mayRepair(crewRun, round, move)) return askAgain(crewRun, round, move, forEach, found.problem);
    const message = `group '${move.group}' found no list in the answer of '${speaker}': ${found.problem}; ask in its prompt for JSON with a list at ${forEach.items}`;
    return fail("bad_items", message, speaker);
  }
  const { items } = found;
  if (items.length > forEach.maxItems) {
    const message = `group '${move.group}' got ${formatAmount(items.length, "item")} from '${speaker}' (${forEach.items}), and takes at most ${forEach.maxItems}: raise 'max_items', or let '${speaker}' write fewer`;
    return fail("too_many_items", message, speaker);
  }
  return items.map((item, index) => writeInput(item, index, text, forEach));
}

function findList(text: string, forEach: ForEach): ReturnType<typeof findItems> {
  const block = findJsonBlock(text);
  return "problem" in block ? block : findItems(block.value, parseItemPath(forEach.items) ?? []);
}

/** A function would give the same answer again, and a group that hands over to this one has no words of its own. */
function mayRepair({ crew }: CrewRun, { baton }: Round, { from }: Entering): boolean {
  return baton.held === undefined && from === undefined && findAgent(crew, baton.agent).function === undefined;
}

function askAgain(crewRun: CrewRun, { baton }: Round, move: Entering, { items }: ForEach, problem: string): Next {
  const what = items === "$" ? "a JSON list" : `JSON with a list at ${items}`;
  const input = `Your answer cannot be used: ${problem}. Answer again with ${what}.`;
  return goOn(crewRun, { ...baton, held: move }, input);
}

/** A text is the input as it is, unless there is nothing to read in it. */
function writeInput(item: unknown, index: number, text: string, { inputTemplate }: ForEach): string {
  if (inputTemplate === undefined)
    return typeof item === "string" && !isBlank(item) ? item : (JSON.stringify(item) ?? "");
  return renderTemplate(parseTemplate(inputTemplate, itemScope), { Item: item, Index: index, Input: text });
}

function fail(code: string, message: string, agent: string): Next {
  const failure: Failure = { code, message, agent };
  return { type: "end", outcome: { type: "failed", stopReason: "error", failure } };
}
