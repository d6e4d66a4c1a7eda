import type { TranscriptEntry } from "../../../src/views/transcript-entry.ts";

/** How an entry of the transcript reads: a sign, who acts, and what was said. */
export interface EntryWords {
  readonly sign: string;
  readonly who: string;
  readonly text: string;
  /** Whether it is beside the conversation. */
  readonly isQuiet: boolean;
}

const CUT = 2_000;

export function describeEntry(entry: TranscriptEntry): EntryWords {
  const words = readEntry(entry);
  return words.text.length > CUT ? { ...words, text: `${words.text.slice(0, CUT)}…` } : words;
}

function readEntry(entry: TranscriptEntry): EntryWords {
  const quiet = (sign: string, who: string, text = ""): EntryWords => ({ sign, who, text, isQuiet: true });
  const loud = (sign: string, who: string, text = ""): EntryWords => ({ sign, who, text, isQuiet: false });
  switch (entry.type) {
    case "began":
      return quiet("╭", entry.asker === undefined ? entry.name : `${entry.name}, asked by ${entry.asker}`, entry.input);
    case "group":
      return quiet("∥", `${entry.name}: ${entry.members.join(", ")}`);
    case "crew":
      return quiet("▣", `crew ${entry.name}`);
    case "said":
      return loud("›", entry.to === undefined ? entry.from : `${entry.from} → ${entry.to}`, entry.text);
    case "thought":
      return quiet("…", `${entry.from} thinks`, entry.text);
    case "failed":
      return loud("✕", `${entry.from} failed`, entry.error.message);
    case "tool":
      return quiet("⚙", `${entry.from} calls ${entry.tool} ${shorten(entry.args)}`, readToolEnd(entry.end));
    case "signal":
      return quiet("⚑", `${entry.from} emits ${entry.signal}`);
    case "handoff":
      return loud("→", `${entry.from} hands off to ${entry.to}`, `by ${entry.via.replace("_", "-")}: ${entry.reason}`);
    case "chosen":
      return quiet("◎", `${entry.agent} begins`, entry.reason);
    case "joined":
      return quiet(
        "∥",
        `${entry.group} joined`,
        entry.outcomes.map(({ member, status }) => `${member}: ${status}`).join(", "),
      );
    case "paused":
      return loud("‖", `waits for an answer (${entry.reason.replaceAll("_", " ")})`, entry.prompt);
    case "answered":
      return loud("▶", `answered: ${entry.decision ?? "continue"}`, entry.input ?? "");
    case "note":
      return quiet("·", entry.text);
    case "ended":
      return loud("■", entry.status, entry.error?.message ?? entry.stopReason ?? "");
  }
}

function shorten(args: unknown): string {
  const text = JSON.stringify(args) ?? "";
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

function readToolEnd({ result, problem }: { readonly result?: string; readonly problem?: string }): string {
  return problem === undefined ? (result ?? "") : `failed: ${problem}`;
}
