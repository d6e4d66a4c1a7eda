import type { StoredRun } from "../../journal/store.ts";
import { listAttachments, nameFiles } from "../../views/list-attachments.ts";
import { foldProgress, noProgress } from "../../views/progress.ts";
import { buildResult } from "../../views/run-result.ts";
import { formatBytes } from "../../vocabulary/attachment.ts";
import type { BatonEvent, Failure } from "../../vocabulary/events.ts";
import type { ConversationStart } from "../../vocabulary/run-start.ts";
import { wrap } from "../live/cells.ts";
import { cleanLine, cleanText } from "../live/clean-text.ts";
import { listRows, outcomeLines, rowLines } from "../live/summary-lines.ts";
import { pausedLines } from "../question.ts";
import type { Terminal } from "../terminal.ts";
import { formatCalls } from "./format-calls.ts";
import { formatDate } from "./format-date.ts";
import { isInterrupted } from "./status-mark.ts";

/** As much of an input or output as leaves room for the rest of the screen. */
const TEXT_LINES = 6;
const WIDEST = 100;

/** A run on one screen: how it stands, what it took, what it was asked and what it gave. */
export function overviewLines(
  events: readonly BatonEvent[],
  run: StoredRun,
  style: Terminal["style"],
  now: number,
  columns: number,
): string[] {
  const room = Math.min(WIDEST, columns);
  const result = buildResult(events);
  const progress = events.reduce(foldProgress, noProgress);
  const started = events[0]?.type === "run.started" ? events[0].data : undefined;
  const { forkedFrom, session } = started ?? {};
  const until = run.isOwned ? now : run.updatedAt;
  const rows = {
    run: result.runId,
    crew: cleanLine(run.crew),
    ...(session !== undefined && { conversation: describeConversation(session, forkedFrom !== undefined) }),
    ...(forkedFrom !== undefined && { "forked at": `event ${forkedFrom.seq} of ${cleanLine(forkedFrom.runId)}` }),
    started: formatDate(run.startedAt),
    ...(result.endedAt !== undefined && { ended: formatDate(Date.parse(result.endedAt)) }),
    calls: formatCalls(events),
    ...listRows(result, progress, until),
  };
  const text = (title: string, words: string) => textLines(title, words, style, room);
  const isAsked = result.paused?.prompt.includes(result.output);
  const brokenOff = [
    `${style("yellow", "■")} interrupted: no process works on it any more`,
    `  ${style("dim", `To go on: baton resume ${result.runId}`)}`,
  ];
  const hint = `To answer: baton resume ${result.runId}`;
  return [
    ...(isInterrupted(run) ? brokenOff : outcomeLines(result, { style }, room)),
    ...causeLines(result.error?.cause, room),
    "",
    ...rowLines(rows, { style }, room),
    ...text("input", started?.input ?? ""),
    ...fileLines(events, style, room),
    ...text(result.status === "completed" ? "output" : "last answer", isAsked ? "" : result.output),
    ...(result.paused === undefined ? [] : ["", ...pausedLines(result.paused, [], hint, style, room)]),
  ];
}

/** The files of the run, by the name under which `--save` writes them. */
function fileLines(events: readonly BatonEvent[], style: Terminal["style"], room: number): string[] {
  const files = nameFiles(listAttachments(events));
  if (files.length === 0) return [];
  const lines = files.map(({ file, mediaType, bytes }) => `${cleanLine(file)} (${mediaType}, ${formatBytes(bytes)})`);
  const title = wrap("files (--save <folder> writes them)", room - 2).map((line) => style("dim", line));
  return ["", ...[...title, ...lines.flatMap((line) => wrap(line, room - 2))].map((line) => `  ${line}`)];
}

function describeConversation({ id, n }: ConversationStart, isFork: boolean): string {
  return isFork ? `none: it left '${cleanLine(id)}'` : `${cleanLine(id)}, run ${n} of it`;
}

function causeLines(cause: Failure | undefined, room: number): string[] {
  if (cause === undefined) return [];
  const lines = wrap(`because: ${cleanText(cause.message)}`, room - 2).map((line) => `  ${line}`);
  return [...lines, ...causeLines(cause.cause, room)];
}

/** The beginning of a text under its title. */
function textLines(title: string, words: string, style: Terminal["style"], room: number): string[] {
  const lines = wrap(cleanText(words).trim(), room - 2);
  if (lines.join("") === "") return [];
  const more = lines.length - TEXT_LINES;
  const shown = more > 1 ? [...lines.slice(0, TEXT_LINES), style("dim", `… ${more} more lines`)] : lines;
  return ["", `  ${style("dim", title)}`, ...shown.map((line) => `  ${line}`.trimEnd())];
}
