import type { ConversationState } from "../../views/conversation-state.ts";
import type { Exchange } from "../../views/exchange.ts";
import { wrap } from "../live/cells.ts";
import { cleanLine, cleanText } from "../live/clean-text.ts";
import { formatNumber } from "../live/format-figures.ts";
import { outcomeLines, rowLines } from "../live/summary-lines.ts";
import type { Terminal } from "../terminal.ts";
import { formatDate, formatShortDate } from "./format-date.ts";

/** As much of a conversation as is read rather than scrolled past, and of what was said at a time. */
const NEWEST = 10;
const TEXT_LINES = 6;
const WIDEST = 100;

type Style = Terminal["style"];

interface ShownConversation {
  readonly id: string;
  readonly crew: string;
  readonly state: ConversationState;
  /** Its runs, the oldest first. */
  readonly exchanges: readonly Exchange[];
  /** Whether somebody is at work on the last of them. */
  readonly isOwned: boolean;
}

/** A conversation: who has it, and what was asked and answered in its newest runs. */
export function conversationOverviewLines(
  shown: ShownConversation,
  style: Style,
  now: number,
  columns: number,
): string[] {
  const { id, crew, state, exchanges, isOwned } = shown;
  const room = Math.min(WIDEST, columns);
  const rows = {
    conversation: id,
    crew: cleanLine(crew),
    began: formatDate(Date.parse(state.session_start)),
    runs: formatNumber(exchanges.length),
    handoffs: formatNumber(state.handoff_chain.length),
  };
  const newest = exchanges.slice(-NEWEST);
  const earlier = exchanges.length - newest.length;
  const more = `… ${formatNumber(earlier)} earlier: baton runs --conversation ${id} --limit ${exchanges.length}`;
  return [
    `${style("bold", cleanLine(state.current_agent))} has the conversation`,
    "",
    ...rowLines(rows, { style }, room),
    ...(earlier > 0 ? ["", style("dim", more)] : []),
    ...newest.flatMap((exchange, index) => {
      const isInterrupted = exchange.result.status === "running" && !(isOwned && index === newest.length - 1);
      return exchangeLines(exchange, isInterrupted, style, now, room);
    }),
  ];
}

/** A run: what was asked, who answered what and, where that is not all, how it ended. */
function exchangeLines({ input, result }: Exchange, isInterrupted: boolean, style: Style, now: number, room: number) {
  const { runId, output, finalAgent, status, startedAt, path } = result;
  const head = (name: string, about: string) => `${style("bold", cleanLine(name))}  ${style("dim", cleanLine(about))}`;
  const way = path.length > 1 ? path.join(" → ") : "";
  const answer = output === "" ? [] : ["", head(finalAgent, way).trimEnd(), ...formatText(output, style, room)];
  const hint = status === "paused" ? [style("dim", `  To answer: baton resume ${runId}`)] : [];
  const ending = isInterrupted
    ? [
        `${style("yellow", "■")} interrupted: no process works on it any more`,
        style("dim", `  To go on: baton resume ${runId}`),
      ]
    : [...outcomeLines(result, { style }, room), ...hint];
  return [
    "",
    head("you", `${formatShortDate(Date.parse(startedAt), now)}  ${runId}`),
    ...formatText(input, style, room),
    ...answer,
    ...(status === "completed" ? [] : ["", ...ending]),
  ];
}

/** The beginning of a text. */
function formatText(words: string, style: Style, room: number): string[] {
  const lines = wrap(cleanText(words).trim(), room);
  const more = lines.length - TEXT_LINES;
  return more > 1 ? [...lines.slice(0, TEXT_LINES), style("dim", `… ${more} more lines`)] : lines;
}
