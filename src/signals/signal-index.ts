import { foldCase, normalizeName } from "./signal-name.ts";
import { hashNormalized } from "./token-hash.ts";

/** How exactly a token names a signal, the most exact level first. */
export type MatchLevel = "exact" | "case_insensitive" | "normalized";

/** A signal that tokens may name. */
export interface IndexedSignal {
  readonly name: string;
  readonly priority: number;
}

/** The signal that a token names, and how exactly. */
export interface ResolvedToken<Signal extends IndexedSignal> {
  readonly signal: Signal;
  readonly level: MatchLevel;
}

/**
 * Finds the signal that a bracket token names, at the first level that matches. It takes the same time for 5 signals as for
 * 500.
 */
export interface SignalIndex<Signal extends IndexedSignal = IndexedSignal> {
  resolve(token: string): ResolvedToken<Signal> | undefined;
  /** False if no token with this hash names a signal. This rules out most brackets of a text quickly. */
  mayResolve(hash: number): boolean;
}

/** If a token matches several signals at one level, the higher priority wins, then the earlier one in the list. */
export function indexSignals<Signal extends IndexedSignal>(signals: readonly Signal[]): SignalIndex<Signal> {
  const exact = new Map<string, ResolvedToken<Signal>>();
  const folded = new Map<string, ResolvedToken<Signal>>();
  const normalized = new Map<string, ResolvedToken<Signal>>();
  const hashes = new Set(signals.map(({ name }) => hashNormalized(normalizeName(name).slice(1, -1))));
  for (const signal of signals.toSorted((a, b) => b.priority - a.priority)) {
    addFirst(exact, signal.name, { signal, level: "exact" });
    addFirst(folded, foldCase(signal.name), { signal, level: "case_insensitive" });
    // The normalised name of `[_]` is empty, and `[ ]` is an empty check box and not a signal.
    const plain = normalizeName(signal.name);
    if (plain !== "[]") addFirst(normalized, plain, { signal, level: "normalized" });
  }
  return {
    resolve: (token) => exact.get(token) ?? folded.get(foldCase(token)) ?? normalized.get(normalizeName(token)),
    mayResolve: (hash) => hashes.has(hash),
  };
}

function addFirst<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (!map.has(key)) map.set(key, value);
}
