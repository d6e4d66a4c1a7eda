import { describe, expect, it } from "vitest";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { watch } from "./watch-panel.ts";

const stop = "settings: { on_no_signal: stop }";
const answerOf =
  (name: string) =>
  ({ type, agent }: BatonEvent) =>
    type === "agent.completed" && agent === name;

describe("advisors at a terminal", () => {
  const agents = { chair: "advisors: [ann, ben]", ann: "", ben: "" };
  const replies = `
ann: [{ text: "Do it before the winter comes, or not at all.", latency_ms: 400 }]
ben: [{ text: "Wait.", latency_ms: 1200 }]
chair: [{ text: "We wait.", latency_ms: 100 }]`;

  it("stand side by side where there is room", async () => {
    const { screen, peeked } = await watch(stop, agents, replies, { columns: 120, peekAt: answerOf("ann") });
    expect(peeked[0]).toBe(
      `
╭ chair  ⠹ hears its advisors · 0s
│ ann  ✓ 0.4s                                               │ ben  ⠹ thinks · 0s · script
│ Do it before the winter comes, or not at all.             │

panel · 0s · 0 handoffs · 0 tokens · cost unknown`.trimStart(),
    );
    expect(screen).toContain(
      `
╭ chair  ✓ 1.3s
│ ann  ✓ 0.4s                                               │ ben  ✓ 1.2s
│ Do it before the winter comes, or not at all.             │ Wait.
│
│ We wait.
╰──■ end`,
    );
  });

  it("stand one below the other where there is little", async () => {
    const { screen } = await watch(stop, agents, replies, { columns: 60 });
    expect(screen).toContain(
      `
│ • ann  ✓ 0.4s
│   Do it before the winter comes, or not at all.
│ • ben  ✓ 1.2s
│   Wait.
│
│ We wait.`,
    );
  });
});

describe("words beside a transfer at a terminal", () => {
  it("are told once, though they are the answer, too", async () => {
    const agents = { chair: "collaborations: [ann]", ann: "description: knows" };
    const replies = `
chair: [{ text: "That is for Ann.", tools: [{ name: transfer_to_ann, args: { context: {} } }] }]
ann: [{ text: "Done." }]`;
    const { screen } = await watch(stop, agents, replies, { columns: 80 });
    expect(screen.split("That is for Ann.")).toHaveLength(2);
    expect(screen).toContain("│ Done.");
  });
});

describe("a team at a terminal", () => {
  const agents = {
    chair: "team: { members: [ann, ben], supervisor: chair, memberMaxTurns: 2 }",
    ann: "",
    ben: "handoff: cox",
    cox: "",
  };
  const say = (message: string, more = "") =>
    `{ tools: [{ name: team__broadcast, args: { message: ${message}${more} } }], latency_ms: 500 }`;
  const replies = `
ann: [${say("first")}, ${say("second")}]
ben: [to cox]
cox: [${say("mine", ", final: true")}]
chair: [${say("go on")}, ${say("once more")}, { text: Done., latency_ms: 300 }]`;

  it("shows its cycles, what is said in them, and who leaves, as it comes", async () => {
    const { screen, peeked } = await watch(stop, agents, replies, { peekAt: ({ type }) => type === "team.broadcast" });
    expect(peeked[0]).toContain("╭ chair  ⠹ hears its team · 0s\n│ ── cycle 1\n│ • ann  ✓ 0.5s");
    expect(peeked.at(-1)).toContain("── cycle 2");
    expect(screen).toContain(
      `
╭ chair  ✓ 2.3s
│ ── cycle 1
│ • ann  ✓ 0.5s
│   first
│ • ben  ✓ 0.0s
│   to cox
│   left the team
│ • cox  ✓ 0.5s
│   mine
│ all: go on
│ ── cycle 2
│ • ann  ✓ 0.5s
│   second
│ all: once more
│ ! ann left the team: it has no turns left
│
│ Done.
╰──■ end`,
    );
  });
});

describe("a clarification at a terminal", () => {
  it("is shown with its question and its answer, within the one who asks", async () => {
    const agents = { chair: "agents: [ann]", ann: "description: looks\nchat: true" };
    const ask = "{ name: agent__ask_clarification, args: { child: ann-1, question: Begun or finished? } }";
    const replies = `
chair: [{ tools: [{ name: agent__ann, args: { prompt: When? } }] }, { tools: [${ask}] }, In 1889.]
ann: [{ text: In the 1880s., latency_ms: 500 }, { text: Finished in 1889., latency_ms: 700 }]`;
    const { screen, peeked } = await watch(stop, agents, replies, {
      peekAt: ({ type }) => type === "clarification.asked",
    });
    expect(peeked[0]).toContain("asks ann-1");
    expect(screen).toContain(
      `
╭ chair  ✓ 1.2s
│ • ann  ✓ 0.5s
│   In the 1880s.
│ • ann  ✓ 0.7s
│   ? Begun or finished?
│   Finished in 1889.
│
│ In 1889.
╰──■ end`,
    );
  });
});
