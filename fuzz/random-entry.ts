import type { Chance } from "./chance.ts";
import type { RandomReply } from "./random-replies.ts";

/** Who begins, as crew.yaml says it, and what a classifier answers. */
export interface RandomEntry {
  readonly entry: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly replies: Readonly<Record<string, readonly RandomReply[]>>;
}

/** Most often an agent; else one that is chosen, by words or by a classifier that does not always know what it is asked. */
export function randomEntry(chance: Chance, ids: readonly string[]): RandomEntry {
  if (chance.percent(75)) return { entry: chance.anyOf(ids) ?? "", settings: {}, replies: {} };
  const classifier = chance.percent(60) ? chance.anyOf(ids) : undefined;
  const settings = {
    ...(classifier !== undefined && { classifier }),
    ...chance.maybe(50, () => ({ min_confidence: chance.pick([0, 0.2, 0.9, 1]) })),
  };
  if (classifier === undefined || chance.percent(20)) return { entry: "auto", settings, replies: {} };
  const agent = () => chance.anyOf(ids) ?? "";
  const texts = chance.list(1 + chance.below(3), () =>
    chance.pick([
      agent(),
      JSON.stringify({ agent: agent(), confidence: chance.pick([0, 0.3, 0.9]) }),
      `\`\`\`json\n${JSON.stringify({ agent: agent() })}\n\`\`\``,
      '{"agent": null}',
      '{"agent": 7, "confidence": "high"}',
      "[END]",
      "",
    ]),
  );
  const usage = { input: 10, output: 2 };
  return { entry: "auto", settings, replies: { [classifier]: texts.map((text) => ({ text, usage, latencyMs: 5 })) } };
}
