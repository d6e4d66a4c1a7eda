import { type SignalMatch, type SignalScope, scanBlock, scanSignals } from "../signals/scan-signals.ts";
import { type IndexedSignal, indexSignals, type SignalIndex } from "../signals/signal-index.ts";
import { isSignalName } from "../signals/signal-name.ts";
import { type SignalScan, SignalStripper } from "../signals/signal-stripper.ts";
import type { Agent, Binding, Crew } from "../vocabulary/crew.ts";

/** A signal that a token may name: bound for the agent, or one it has no way to act on. */
interface KnownSignal extends IndexedSignal {
  readonly binding: Binding | undefined;
  /** What is to be used in its place, where that is known. */
  readonly deprecated: string | undefined;
  readonly problem: { readonly type: "signal.rejected" | "signal.unbound"; readonly message: string } | undefined;
}

/** A token of an answer that names a signal. */
export type FoundSignal = SignalMatch<KnownSignal>;

/** The signals in a text. */
interface Reading {
  readonly text: string;
  readonly index: SignalIndex<KnownSignal>;
  /** In text order. */
  readonly matches: readonly FoundSignal[];
  /** Those of them that are bound for the agent. */
  readonly bound: readonly FoundSignal[];
}

/** Whether an agent's signals stand in its text. A function has no other way to emit one. */
export function writesSignals(agent: Agent, { settings }: Crew): boolean {
  return settings.emit !== "tool" || agent.function !== undefined;
}

/** Reads what agents say in signals. What an agent may say is indexed when it first speaks, once for many runs. */
export class SignalReader {
  readonly #indexes = new WeakMap<Agent, SignalIndex<KnownSignal>>();
  /** The newest reading: most answers are one line, which is read while it streams and again as a whole. */
  #newest: Reading | undefined;
  readonly #readLine: SignalScan<KnownSignal> = (line, blocks, index, scope) =>
    blocks === undefined ? this.#read(line, index, scope).bound : boundIn(scanBlock(line, blocks, index, scope));

  /** The signals in an answer, in text order. */
  find(crew: Crew, agent: Agent, text: string): readonly FoundSignal[] {
    return this.read(crew, agent, text).matches;
  }

  read(crew: Crew, agent: Agent, text: string): Pick<Reading, "matches" | "bound"> {
    return this.#read(text, this.#indexFor(crew, agent), crew.settings.signalScope);
  }

  /** What takes the agent's signals out of its words; undefined where its words can hold none. */
  stripper(crew: Crew, agent: Agent): SignalStripper<KnownSignal> | undefined {
    const { signalScope } = crew.settings;
    if (!writesSignals(agent, crew) || (crew.bindings.get(agent.id) ?? []).length === 0) return undefined;
    return new SignalStripper(this.#indexFor(crew, agent), signalScope, isBound, this.#readLine);
  }

  #read(text: string, index: SignalIndex<KnownSignal>, scope: SignalScope): Reading {
    const newest = this.#newest;
    if (newest !== undefined && newest.index === index && newest.text === text) return newest;
    const matches = scanSignals(text, index, scope);
    const reading = { text, index, matches, bound: boundIn(matches) };
    this.#newest = reading;
    return reading;
  }

  #indexFor(crew: Crew, agent: Agent): SignalIndex<KnownSignal> {
    const known = this.#indexes.get(agent);
    if (known !== undefined) return known;
    const index = indexFor(agent, crew);
    this.#indexes.set(agent, index);
    return index;
  }
}

function isBound({ binding }: KnownSignal): boolean {
  return binding !== undefined;
}

function boundIn(matches: readonly FoundSignal[]): readonly FoundSignal[] {
  // Almost always all of them are.
  for (const { signal } of matches) if (!isBound(signal)) return matches.filter((match) => isBound(match.signal));
  return matches;
}

/** Bound signals first, at every level; only what fits none of them is looked for among the others. */
function indexFor(agent: Agent, crew: Crew): SignalIndex<KnownSignal> {
  const bindings = crew.bindings.get(agent.id) ?? [];
  const deprecations = new Map(crew.signals.map(({ name, deprecated }) => [name, deprecated]));
  const bound = indexSignals(
    bindings.map((binding): KnownSignal => {
      const { signal: name, priority } = binding;
      return { name, priority, binding, deprecated: deprecations.get(name), problem: undefined };
    }),
  );
  const isBound = new Set(bindings.map(({ signal }) => signal));
  const others = indexSignals(
    crew.signals
      .filter(({ name }) => !isBound.has(name))
      .map(({ name, priority, allowedAgents }): KnownSignal => {
        const isAllowed = allowedAgents === undefined || allowedAgents.includes(agent.id);
        const type = isAllowed ? "signal.unbound" : "signal.rejected";
        const message = isAllowed
          ? notBound(name, agent)
          : `agent '${agent.id}' is not allowed to emit signal '${name}'`;
        return { name, priority, binding: undefined, deprecated: undefined, problem: { type, message } };
      }),
  );
  const isStrict = crew.settings.configMode === "strict";
  return {
    mayResolve: (hash) => isStrict || bound.mayResolve(hash) || others.mayResolve(hash),
    resolve: (token) =>
      bound.resolve(token) ?? others.resolve(token) ?? (isStrict ? unregistered(token, agent) : undefined),
  };
}

function notBound(signal: string, { id }: Agent): string {
  return `${signal} is not bound for agent '${id}': it was recorded and did nothing`;
}

/** In strict mode a token in the form of a signal that nobody registered is worth a word. */
function unregistered(
  token: string,
  agent: Agent,
): { readonly signal: KnownSignal; readonly level: "exact" } | undefined {
  if (!isSignalName(token)) return undefined;
  const problem = { type: "signal.unbound", message: notBound(token, agent) } as const;
  return { signal: { name: token, priority: 0, binding: undefined, deprecated: undefined, problem }, level: "exact" };
}

const levels = ["exact", "case_insensitive", "normalized"];

/** What an answer says in signals: each once, where it is first named, and as exactly as it is named anywhere. */
export function distinctSignals(matches: readonly FoundSignal[]): readonly FoundSignal[] {
  if (matches.length < 2) return matches;
  const found = new Map<string, FoundSignal>();
  for (const match of matches) {
    const before = found.get(match.signal.name);
    if (before === undefined || levels.indexOf(match.level) < levels.indexOf(before.level))
      found.set(match.signal.name, match);
  }
  return [...found.values()];
}

/** Of several signals the higher priority comes first, then the more exact level, then the order in the file. */
export function byDecision(bindings: readonly Binding[]): (a: FoundSignal, b: FoundSignal) => number {
  const position = (found: FoundSignal) => bindings.findIndex(({ signal }) => signal === found.signal.name);
  return (a, b) =>
    b.signal.priority - a.signal.priority ||
    levels.indexOf(a.level) - levels.indexOf(b.level) ||
    position(a) - position(b);
}

/** A text without the signals that it begins and ends with, and these with all that is around them. */
export function signalsAround(
  text: string,
  matches: readonly Pick<FoundSignal, "token" | "offset">[],
): { readonly before: string; readonly body: string; readonly after: string } {
  let [start, end] = [0, text.length];
  for (const { token, offset } of matches) {
    const around = emphasisAround(text, offset, offset + token.length);
    if (text.slice(start, offset - around).trim() !== "") break;
    start = offset + token.length + around;
  }
  for (const { token, offset } of matches.toReversed()) {
    const around = emphasisAround(text, offset, offset + token.length);
    if (offset < start || text.slice(offset + token.length + around, end).trim() !== "") break;
    end = offset - around;
  }
  const body = text.slice(start, end);
  const [left, right] = [body.length - body.trimStart().length, body.trimEnd().length];
  return { before: text.slice(0, start + left), body: body.trim(), after: text.slice(start + right) };
}

/** How many characters of `**`, `__`, `*`, `_` or a backtick stand on both sides of a token alike. */
function emphasisAround(text: string, start: number, end: number): number {
  let width = 0;
  while (
    width < 3 &&
    "*_`".includes(text.charAt(start - width - 1) || " ") &&
    text.charAt(start - width - 1) === text.charAt(end + width)
  ) {
    width++;
  }
  return width;
}
