import type { Chance } from "./chance.ts";

interface Keys {
  readonly [key: string]: unknown;
}

export interface RandomGuards extends Keys {
  readonly input: readonly Keys[];
  readonly output: readonly Keys[];
}

/** Guards of an agent, or of the crew if it is nobody's. Judges are agents that do not lead back to it. */
export function randomGuards(chance: Chance, judges: readonly string[], isOfAgent: boolean): RandomGuards {
  return {
    input: chance.list(chance.pick([0, 1, 1, 2]), () => randomGuard(chance, judges, "input", isOfAgent)),
    output: chance.list(chance.pick([0, 1, 1, 2]), () => randomGuard(chance, judges, "output", isOfAgent)),
    ...chance.maybe(25, () => ({ stream: "early" })),
  };
}

/** The agents that judge for guards. */
export function listJudges(guards: RandomGuards | undefined): string[] {
  return [...(guards?.input ?? []), ...(guards?.output ?? [])].flatMap(({ agent }) => agent?.toString() ?? []);
}

/** Of every kind that needs no module. */
function randomGuard(chance: Chance, judges: readonly string[], on: "input" | "output", isOfAgent: boolean): Keys {
  const judge = chance.percent(40) ? chance.anyOf(judges) : undefined;
  const isAnswer = on === "output" && isOfAgent;
  const check =
    judge !== undefined
      ? { agent: judge }
      : chance.pick<Keys>([
          { max_chars: chance.pick([1, 20, 100, 1000]) },
          { matches: chance.pick(["^[A-Z]", "o", "."]) },
          { forbids: chance.pick([["found"], ["nobody", "HERE"]]) },
          { json: chance.pick<unknown>([true, { type: "object" }]) },
          { language: chance.pick(["en", "de", "vi"]) },
          { no_secrets: true },
          ...(isAnswer ? [{ grounded: {} }] : []),
        ]);
  const rewrites = ["agent", "max_chars", "forbids", "no_secrets"].some((kind) => kind in check);
  const actions = [
    "block",
    "ask",
    ...(rewrites ? ["rewrite", "rewrite"] : []),
    ...(isAnswer ? ["retry", "retry"] : []),
  ] as const;
  return {
    ...check,
    ...chance.maybe(75, () => ({ on_trip: chance.pick(actions) })),
    ...chance.maybe(20, () => ({ message: "this cannot be" })),
    ...chance.maybe(40, () => ({ max: chance.pick([1, 2, 3]) })),
    ...chance.maybe(30, () => ({ first: true })),
  };
}

/** What a judge says: mostly a verdict. */
export function randomVerdict(chance: Chance): string {
  return chance.pick([
    '{"verdict": "pass"}',
    '{"verdict": "pass"}',
    '{"verdict": "pass", "reason": "[END]"}',
    '{"verdict": "block", "reason": "rude"}',
    '{"verdict": "ask", "reason": "who knows"}',
    '{"verdict": "retry", "reason": "too long"}',
    '```json\n{"verdict": "rewrite", "reason": "better", "text": "Fine. [END]"}\n```',
    '{"verdict": "rewrite"}',
    '{"verdict": 1}',
  ]);
}

/** What an agent remembers across runs. */
export function randomMemory(chance: Chance): Keys {
  return {
    scope: chance.pick(["crew", "crew", "user", "customer"]),
    ...chance.maybe(60, () => ({ recall: chance.pick(["auto", "tool", "both"]) })),
    ...chance.maybe(40, () => ({ top: chance.pick([1, 2]) })),
  };
}

/** Calls of the tools of a memory and of a plan. */
export function randomNoteCall(chance: Chance): { readonly name: string; readonly args: unknown } {
  const status = chance.pick(["pending", "in_progress", "completed"]);
  return chance.pick<{ readonly name: string; readonly args: unknown }>([
    { name: "remember", args: { text: chance.pick(["ann drinks tea", "[END]", "x".repeat(2100)]) } },
    { name: "remember", args: chance.pick<unknown>([{}, "{", { text: "tea", expires: "30d", tags: ["a"] }]) },
    { name: "recall", args: { query: "tea", ...chance.maybe(40, () => ({ limit: 1 })) } },
    { name: "forget", args: { id: chance.pick(["mem_0123456789abcdef", "nothing"]) } },
    { name: "todo__write", args: { items: [{ text: "do [END]", status }] } },
    { name: "todo__write", args: chance.pick<unknown>([{}, { items: "all" }, { items: [{ text: "a" }] }]) },
    { name: "todo__read", args: {} },
  ]);
}
