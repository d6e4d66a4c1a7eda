import type { Chance } from "./chance.ts";
import { randomNoteCall, randomVerdict } from "./random-guards.ts";

/** What a model does when it is called. */
export interface RandomReply {
  readonly text?: string;
  readonly reasoning?: string;
  /** Arguments that are text are the raw text that a model sent. */
  readonly tools?: readonly { readonly name: string; readonly args: unknown }[];
  readonly usage?: { readonly input: number; readonly output: number };
  readonly latencyMs?: number;
  readonly error?: { readonly status?: number; readonly retryAfterMs?: number };
  /** Throws what is no model's error; never answers; takes no notice of being aborted. */
  readonly fault?: "throws" | "never" | "deaf";
}

/** What an agent's model may name. */
export interface Vocabulary {
  readonly bound: readonly string[];
  readonly known: readonly string[];
  readonly tools: readonly string[];
  readonly subAgents: readonly string[];
  readonly others: readonly string[];
  readonly collaborators: readonly string[];
  readonly givesJson: boolean;
  /** Whether a group works on lists. */
  readonly givesLists: boolean;
  /** Whether it judges for a guard. */
  readonly isJudge: boolean;
  readonly mood: Mood;
}

/** How the models of a crew are, in percent: crews in which everything fails soon show little else. */
export interface Mood {
  readonly fails: number;
  readonly isSlow: number;
  readonly callsTools: number;
}

/** One to six replies, which the agent's model gives again and again. */
export function randomReplies(chance: Chance, vocabulary: Vocabulary): RandomReply[] {
  return chance.list(1 + chance.below(6), () => randomReply(chance, vocabulary));
}

function randomReply(chance: Chance, vocabulary: Vocabulary): RandomReply {
  const { mood } = vocabulary;
  const timing = chance.maybe(mood.isSlow, () => ({
    latencyMs: chance.pick([1, 5, 5, 5, 5, 10, 10, 10, 10, 20, 50, 100, 61_000]),
  }));
  const usage = chance.maybe(70, () => ({ usage: { input: chance.below(500), output: chance.below(90) } }));
  if (chance.percent(mood.fails)) return { error: randomError(chance), ...timing };
  if (chance.percent(mood.fails / 4)) return { fault: chance.pick(["throws", "never"]), ...timing };
  return {
    text: vocabulary.isJudge && chance.percent(75) ? randomVerdict(chance) : randomText(chance, vocabulary),
    ...timing,
    ...usage,
    ...chance.maybe(10, () => ({ reasoning: "thinking [END]" })),
    ...chance.maybe(mood.callsTools, () => ({
      tools: chance.list(1 + chance.below(4), () => randomCall(chance, vocabulary)),
    })),
    ...chance.maybe(mood.fails / 3, () => ({ fault: "deaf" as const })),
  };
}

function randomError(chance: Chance): NonNullable<RandomReply["error"]> {
  return {
    ...chance.maybe(90, () => ({ status: chance.pick([429, 500, 503, 400, 401]) })),
    ...chance.maybe(40, () => ({ retryAfterMs: chance.pick([0, 5, 10, 2000]) })),
  };
}

function randomText(chance: Chance, { bound, known, collaborators, givesJson, givesLists }: Vocabulary): string {
  if (givesJson && chance.percent(75)) {
    return chance.pick(['{"n": 1}', '{"n": "one"}', '```json\n{"n": 2}\n```', "{", `{"n": 3, "s": "${bound[0]}"}`]);
  }
  const parts = chance.list(chance.pick([0, 1, 1, 1, 2, 3]), () => {
    const signal = chance.percent(85) ? chance.anyOf(bound) : chance.anyOf(known);
    return signal === undefined ? "Fine." : writeSignal(chance, signal);
  });
  const list = givesLists && chance.percent(80) ? [randomList(chance)] : [];
  const words = [...list, ...(chance.percent(60) ? ["Here is what I found."] : []), ...parts];
  const said = words.join(chance.pick([" ", "\n", "\n\n"]));
  const isDeclared = collaborators.length > 0 && chance.percent(20);
  return isDeclared ? `${said}\n\n${declareTransfer(chance, collaborators)}` : said;
}

/** Mostly one that a group can work on. */
function randomList(chance: Chance): string {
  const item = () => chance.pick<unknown>(["alpha", "beta [END]", { n: 1 }, 7, null, "", ["x"]]);
  const items = chance.list(chance.pick([0, 1, 2, 2, 3, 4]), item);
  const value = chance.percent(85) ? { items } : chance.pick<unknown>([items, [items]]);
  const text = JSON.stringify(value);
  return chance.pick([text, text, text, `\`\`\`json\n${text}\n\`\`\``, text.slice(0, -1), `as in [1]: ${text}`]);
}

/** As models write signals: right, nearly right, and in places where they do not count. */
function writeSignal(chance: Chance, signal: string): string {
  const name = signal.slice(1, -1);
  if (chance.percent(70)) return signal;
  return chance.pick([
    `**${signal}**`,
    `\`${signal}\``,
    `[ ${name.toLowerCase().replaceAll("_", " ")} ]`,
    `[${signal}]`,
    `[${name.normalize("NFD")}]`,
    `[${name}X]`,
    `[${name}`,
    `\`\`\`\n${signal}\n\`\`\``,
    `> ${signal}`,
    `${signal}(https://example.org)`,
  ]);
}

function randomCall(
  chance: Chance,
  { tools, subAgents, others, collaborators, bound }: Vocabulary,
): { name: string; args: unknown } {
  const subAgent = chance.percent(50) ? chance.anyOf(subAgents) : undefined;
  if (subAgent !== undefined) {
    const args = chance.percent(90) ? { prompt: "help" } : chance.pick<unknown>([{}, "{", { prompt: 1 }]);
    return { name: `agent__${subAgent}`, args };
  }
  if (collaborators.length > 0 && chance.percent(40)) return randomTransfer(chance, collaborators, others);
  if (chance.percent(15)) return randomNoteCall(chance);
  if (chance.percent(25)) return randomPatternCall(chance, others);
  const named = chance.percent(80) ? chance.anyOf(tools) : undefined;
  if (named !== undefined) return { name: named, args: randomToolArgs(chance) };
  return chance.pick<{ name: string; args: unknown }>([
    { name: "signal", args: { signal: chance.anyOf(bound) ?? "[END]" } },
    { name: "signal", args: { signal: chance.anyOf(bound) ?? "[END]" } },
    { name: "signal", args: { signal: "[NOBODY]" } },
    { name: "final_report", args: { content: `That is it. ${chance.anyOf(bound) ?? ""}` } },
    { name: "final_report", args: { n: 4 } },
    { name: "agent__final_report", args: "not JSON" },
    { name: "nothing", args: {} },
    { name: "look", args: {} },
  ]);
}

function randomTransfer(chance: Chance, collaborators: readonly string[], others: readonly string[]) {
  const to = chance.percent(90) ? chance.anyOf(collaborators) : chance.anyOf(others);
  const context = chance.pick<unknown>([{}, {}, { n: 1 }, { b: ["[END]"], a: null }, { a: null, b: ["[END]"] }]);
  const args = { context, ...chance.maybe(40, () => ({ reason: chance.pick(["no signal", "signal [END]", ""]) })) };
  return {
    name: `transfer_to_${to}`,
    args: chance.percent(92) ? args : chance.pick<unknown>([{}, { context: 1 }, "{"]),
  };
}

/** As a model without tools declares it. */
function declareTransfer(chance: Chance, collaborators: readonly string[]): string {
  const to = chance.percent(90) ? chance.anyOf(collaborators) : "nobody";
  const context = chance.pick(["", "\nContext: notes [END]", '\nContext: {"n": 1}', "\nContext: {"]);
  return `HANDOFF DECLARATION:\nTo: ${to}\nReason: so it is${context}`;
}

/** Calls that only some agents may make, at some times. */
function randomPatternCall(chance: Chance, others: readonly string[]): { name: string; args: unknown } {
  const agent = chance.anyOf(others) ?? "";
  const child = `${agent}-${chance.pick([1, 1, 1, 2])}`;
  return chance.pick<{ name: string; args: unknown }>([
    { name: "handoff-to", args: { agent } },
    { name: "handoff-to", args: { agent, message: "look at this" } },
    { name: "handoff-to", args: chance.pick<unknown>([{}, { agent: "nobody" }, "{"]) },
    { name: "team__broadcast", args: { message: "I have found something" } },
    { name: "team__broadcast", args: { message: "x".repeat(400), status: chance.pick(["success", "failure"]) } },
    { name: "team__broadcast", args: { message: "that is all", final: true } },
    { name: "team__broadcast", args: chance.pick<unknown>([{}, { message: "" }, { message: "a", final: 1 }]) },
    { name: "agent__ask_clarification", args: { child, question: "how so?" } },
    { name: "agent__ask_clarification", args: { child, question: "how so?" } },
    { name: "agent__dismiss", args: { child } },
  ]);
}

/** Says what the tool will do, see `createWorld`. */
function randomToolArgs(chance: Chance): unknown {
  return chance.pick<unknown>([
    {},
    { result: "found [END]" },
    { result: { deep: ["value"] }, ms: 5 },
    { result: "x".repeat(100), ms: chance.pick([1, 5, 10, 50]) },
    { error: "broken", ms: chance.pick([0, 5]) },
    { fault: "never" },
    { fault: "deaf", ms: 20 },
    { problem: "does not fit" },
    null,
    7,
    '{"ms": 5',
    "",
  ]);
}
