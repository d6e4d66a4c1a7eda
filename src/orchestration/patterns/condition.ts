import { compileRegex } from "../../regex/compile-regex.ts";
import { matchSignal } from "../../signals/match-signal.ts";
import type { SignalScope } from "../../signals/scan-signals.ts";
import type { Condition } from "../../vocabulary/crew.ts";
import { formatAmount } from "../../vocabulary/wording.ts";

/** What conditions look at: what was said, how it ended, and what it took. */
export interface Facts {
  readonly text: string;
  /** Signals that were emitted, also where their tokens are no longer in the text. */
  readonly signals: readonly string[];
  readonly status: "completed" | "failed";
  /** Of the agent's session. */
  readonly turns: number;
  /** What the run has cost so far at least: the sum of all calls whose cost is known. */
  readonly costUsd: number;
}

/** Whether all that a condition asks for holds; nothing asked for always does. */
export function holds(condition: Condition | undefined, facts: Facts, scope: SignalScope): boolean {
  return whyUnmet(condition, facts, scope) === undefined;
}

/** What a condition asks for first that does not hold. */
export function whyUnmet(condition: Condition | undefined, facts: Facts, scope: SignalScope): string | undefined {
  if (condition === undefined) return undefined;
  const { contains, matches, signal, status, costOver, turnsOver } = condition;
  if (contains !== undefined && !facts.text.includes(contains)) return `'when' asks for the text '${contains}'`;
  if (matches !== undefined && !isMatch(matches, facts.text)) return `'when' asks for a match of /${matches}/`;
  if (signal !== undefined && !facts.signals.includes(signal) && !matchSignal(signal, facts.text, scope).matched)
    return `'when' asks for the signal ${signal}`;
  if (status !== undefined && facts.status !== status) return `'when' asks for the status ${status}`;
  if (costOver !== undefined && facts.costUsd <= costOver) return `'when' asks for a cost over $${costOver}`;
  if (turnsOver !== undefined && facts.turns <= turnsOver)
    return `'when' asks for more than ${formatAmount(turnsOver, "turn")}, and it took ${facts.turns}`;
  return undefined;
}

function isMatch(source: string, text: string): boolean {
  const regex = compileRegex(source);
  if ("problem" in regex) throw new Error(`'${source}' ${regex.problem}; loading should have said so`);
  return regex.test(text);
}
