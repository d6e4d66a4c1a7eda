import type { TranscriptEntry } from "../../views/transcript-entry.ts";
import { countCells, cut, wrap } from "../live/cells.ts";
import { cleanLine, cleanText } from "../live/clean-text.ts";
import { formatDuration } from "../live/format-figures.ts";
import { outcomeLines } from "../live/summary-lines.ts";
import { pausedLines, removeAnswer } from "../question.ts";
import type { Terminal } from "../terminal.ts";

/** Longer lines are hard to read, however wide the terminal is. */
const WIDEST = 100;
/** As much of a tool's result as is read rather than scrolled past. */
const RESULT_LINES = 12;

type Style = Terminal["style"];

/** A run as a conversation, in words. */
export function conversationLines(entries: readonly TranscriptEntry[], style: Style, columns: number): string[] {
  const startedAt = entries[0]?.ts ?? 0;
  let lastSaid = "";
  return entries.flatMap((entry, index) => {
    const indent = "│ ".repeat(entry.depth);
    const room = Math.min(WIDEST, columns) - indent.length;
    const after = style("dim", formatDuration(entry.ts - startedAt));
    const lines = isTold(entry, entries[index + 1]) ? formatEntry(entry, after, lastSaid, style, room) : [];
    if (entry.type === "said") lastSaid = entry.shown ?? entry.text;
    const isHead = entry.depth === 0 && index > 0;
    return [...(isHead ? [""] : []), ...lines.map((line) => `${style("dim", indent)}${line}`.trimEnd())];
  });
}

/** What the next line says, or what goes without saying, is left out. */
function isTold(entry: TranscriptEntry, next: TranscriptEntry | undefined): boolean {
  if (entry.type === "joined") return entry.outcomes.some(({ status }) => status !== "completed");
  return entry.type !== "signal" || next?.type !== "handoff" || next.reason !== `signal ${entry.signal}`;
}

function formatEntry(entry: TranscriptEntry, after: string, lastSaid: string, style: Style, room: number): string[] {
  const prose = (text: string) => wrap(cleanText(text).trim(), room);
  const inColour = (colour: Parameters<Style>[0], text: string) => prose(text).map((line) => style(colour, line));
  const head = (name: string) => `${style("bold", cut(cleanLine(name), room - 8))}  ${after}`;
  switch (entry.type) {
    case "began": {
      const { name, asker = "", input } = entry;
      if (input === undefined) return [head(name)];
      const asked = wrap(cleanText(`${asker} › ${input}`).trim(), room - 2);
      return [head(name), ...asked.map((line) => style("dim", `│ ${line}`))];
    }
    case "group":
    case "crew":
      return [head(entry.name)];
    case "said":
      if (entry.from === "user") return [head("you"), ...prose(entry.text)];
      return entry.text.trim() === "" ? [] : prose(entry.text);
    case "thought":
      return inColour("dim", `(${entry.text.trim()})`);
    case "failed":
      if (entry.error.code === "cancelled") return inColour("dim", `■ ${entry.error.message}`);
      return inColour("red", `✗ ${entry.error.message}`);
    case "tool":
      return toolLines(entry, style, room);
    case "signal":
      return inColour("cyan", entry.token);
    case "chosen":
    case "handoff": {
      const to = cut(cleanLine(entry.type === "chosen" ? entry.agent : entry.to), room - 4);
      return [`──▶ ${style("bold", to)}  ${style("dim", cut(cleanLine(entry.reason), room - countCells(to) - 6))}`];
    }
    case "joined":
      return inColour("dim", entry.outcomes.map(({ member, status }) => `${member} ${status}`).join(", "));
    case "paused": {
      const prompt = removeAnswer(entry.prompt, lastSaid);
      return pausedLines({ ...entry, prompt }, [], undefined, style, room);
    }
    case "answered": {
      const { decision, input, args, external, by } = entry;
      return [
        head(by === undefined ? "you" : "nobody, in time"),
        ...prose([decision, input, formatJson(args), formatJson(external)].filter(Boolean).join(" ")),
      ];
    }
    case "note":
      return inColour("yellow", `! ${entry.text}`);
    case "ended":
      return outcomeLines(entry, { style }, room);
  }
}

/** The call on a line, its result below it. */
function toolLines(entry: Extract<TranscriptEntry, { type: "tool" }>, style: Style, room: number): string[] {
  const { ms, result = "", problem } = entry.end;
  const args = formatJson(entry.args);
  const call = cut(cleanLine(`${entry.tool} ${args === "{}" ? "" : args}`), room - 10);
  const lines = wrap(cleanText(problem ?? result).trim(), room - 2).filter((line) => line !== "");
  const more = lines.length - RESULT_LINES;
  const shown = more > 1 ? [...lines.slice(0, RESULT_LINES), `… ${more} more lines`] : lines;
  const [mark, colour] =
    problem === undefined ? [style("cyan", "›"), "dim" as const] : [style("red", "✗"), "red" as const];
  const lasted = ms === undefined ? "" : style("dim", formatDuration(ms));
  return [`${mark} ${call}  ${lasted}`, ...shown.map((line) => `  ${style(colour, line)}`)];
}

function formatJson(value: unknown): string {
  return JSON.stringify(value) ?? "";
}
