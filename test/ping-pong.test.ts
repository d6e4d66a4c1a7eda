import { describe, expect, it } from "vitest";
import { defineCrew, diagnose, type Finding, type Model } from "../src/index.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";

const input = "red green blue amber ivory olive coral umber";

/** Agents in a circle; each answer is of the next one in it. */
async function findingIn(agents: number, answers: readonly string[]): Promise<Finding | undefined> {
  const ids = Array.from({ length: agents }, (_, index) => `agent_${index}`);
  let calls = 0;
  const model: Model = {
    name: "m/m",
    call: async () => {
      const answer = answers[calls++];
      return {
        text: answer === undefined ? "Here is the result: 42. [END]" : `${answer} [GO]`,
        toolCalls: [],
        finish: "stop",
      };
    },
  };
  const signals = ids.map((id, index) => [
    id,
    [
      { signal: "[GO]", target: ids[(index + 1) % agents] ?? "" },
      { signal: "[END]", target: "" },
    ],
  ]);
  const crew = defineCrew(
    {
      name: "circle",
      models: ["m/m"],
      agents: ids.map((id) => ({ id, description: id, prompt: "Say [GO] or [END]." })),
      routing: { signals: Object.fromEntries(signals) },
      settings: { max_handoffs: 100 },
    },
    { models: { "m/m": model }, env: {} },
  );
  const events: BatonEvent[] = [];
  await crew.run(input, { onEvent: (event) => void (event.seq !== undefined && events.push(event)) });
  return diagnose(events, crew.definition).findings.find(({ code }) => code === "ping-pong");
}

/** Each says the same in each lap. */
const same = (agents: number, laps: number) =>
  Array.from({ length: agents * laps }, (_, index) => `red green blue amber ${"ivory ".repeat(index % agents)}`);
/** Nothing new, and in no lap what was said in the one before. */
const reworded = ["red green", "olive coral", "blue amber", "umber ivory", "ivory olive", "red blue"];

describe("ping-pong", () => {
  it.each([
    ["two agents, two laps of the same words", 2, same(2, 2), 4],
    ["two agents, three laps in other words", 2, reworded, 6],
    ["three agents, two laps", 3, same(3, 2), 6],
    ["four agents, two laps", 4, same(4, 2), 8],
  ])("is found: %s", async (_, agents, answers, evidence) => {
    expect((await findingIn(agents, answers))?.evidence).toHaveLength(evidence);
  });

  it.each([
    ["two agents, a lap and a half of the same words", 2, same(2, 2).slice(0, 3)],
    ["two agents, two laps in other words", 2, reworded.slice(0, 4)],
    ["two agents, two laps and a half in other words", 2, reworded.slice(0, 5)],
    ["five agents, two laps", 5, same(5, 2)],
  ])("is not found: %s", async (_, agents, answers) => {
    expect(await findingIn(agents, answers)).toBeUndefined();
  });
});
