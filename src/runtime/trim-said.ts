import { append, type History } from "../context/history.ts";
import { trimHistory } from "../context/trim-history.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { ConversationStart, Said } from "../vocabulary/run-start.ts";
import { createSaidMessage } from "./begin-run.ts";

/** As many tokens of what was said as a run takes along, by estimate, and so keeps; a crew with a smaller window takes less. */
const CARRIED_TOKENS = 16_000;

/** What a run takes along of what was said: the first words, and the newest. */
export function trimSaid(
  said: readonly Said[],
  before: number,
  { settings }: Crew,
): Pick<ConversationStart, "said" | "trimmed"> {
  let history: History | undefined;
  for (const words of said) history = append(history, createSaidMessage(words));
  const window = Math.min(CARRIED_TOKENS, settings.maxContextWindow ?? CARRIED_TOKENS);
  const isTooLong = (history?.tokens ?? 0) > window;
  const left = history && isTooLong ? trimHistory(history, window, settings.contextTrimPercent).trimmed : 0;
  const trimmed = before + left;
  return { said: left === 0 ? said : said.toSpliced(1, left), ...(trimmed > 0 && { trimmed }) };
}
