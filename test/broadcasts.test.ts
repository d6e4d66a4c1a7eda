import { expect, it } from "vitest";
import { defineCrew, type Model } from "../src/index.ts";

it("an agent hears an answer once, however many of its broadcasts are for it", async () => {
  const heard: string[] = [];
  const model: Model = {
    name: "m/m",
    call: ({ agent, messages }) => {
      if (agent === "risk") heard.push(...messages().map((each) => ("text" in each ? each.text : "")));
      return { text: agent === "a" ? "It rains. [NEWS] [ALERT] [GO]" : "Fine.", toolCalls: [], finish: "stop" };
    },
  };
  const crew = defineCrew(
    {
      name: "desk",
      models: ["m/m"],
      agents: [
        { id: "a", prompt: "Say [NEWS], [ALERT] and [GO]." },
        { id: "b", prompt: "Work.", advisors: ["risk"], is_terminal: true },
        { id: "risk", description: "d", prompt: "Advise." },
      ],
      routing: {
        signals: {
          a: [
            { signal: "[NEWS]", type: "broadcast" },
            { signal: "[ALERT]", type: "broadcast", targets: ["risk"] },
            { signal: "[GO]", target: "b" },
          ],
        },
      },
    },
    { models: { "m/m": model } },
  );
  expect((await crew.run("Go")).status).toBe("completed");
  // What it advises on is the answer as well.
  expect(heard.filter((text) => text.includes("[ALERT]"))).toHaveLength(2);
});
