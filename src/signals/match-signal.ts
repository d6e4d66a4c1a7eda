import { type SignalScope, scanSignals } from "./scan-signals.ts";
import { indexSignals, type MatchLevel } from "./signal-index.ts";
import { isSignalName } from "./signal-name.ts";

/** Whether a text emits a signal, and how exactly it names the signal. */
export type SignalVerdict = { readonly matched: true; readonly level: MatchLevel } | { readonly matched: false };

/** Whether `text` emits the signal `name`, and at which level. Of several tokens, the most exact one counts. */
export function matchSignal(name: string, text: string, scope: SignalScope = "outside_code"): SignalVerdict {
  if (!isSignalName(name)) return { matched: false };
  const levels = scanSignals(text, indexSignals([{ name, priority: 0 }]), scope).map((match) => match.level);
  const level = (["exact", "case_insensitive", "normalized"] as const).find((candidate) => levels.includes(candidate));
  return level === undefined ? { matched: false } : { matched: true, level };
}
