import { describe, expect, it } from "vitest";
import { defineAgent, defineCrew, defineTool, type Model, ModelError, openMemoryStore } from "../src/index.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";

const long = "x".repeat(50 * 2 ** 20);
const cut = `[… cut: ${long.length} characters in all …]`;

const thrown: readonly (readonly [string, () => unknown])[] = [
  ["an error", () => new Error(long)],
  ["a text", () => long],
  ["an object", () => ({ message: { status: 500, body: long } })],
  ["an error of a model", () => new ModelError(long, { isRetryable: false })],
];

/** The events of a run whose tool, model, function or handler throws. */
async function eventsOf(thrower: "tool" | "model" | "function" | "handler", what: () => unknown) {
  const fail = (): never => {
    throw what();
  };
  const model: Model = {
    name: "m/m",
    call({ calls }) {
      if (thrower === "model") fail();
      const toolCalls = thrower === "tool" && calls === 1 ? [{ name: "work", args: {} }] : [];
      return { text: "so it is [TELL]", toolCalls, finish: "stop" };
    },
  };
  const work = defineTool({ name: "work", description: "works", execute: fail });
  const prompt = "Work.";
  const crew = defineCrew(
    {
      name: "desk",
      models: ["m/m"],
      agents: [
        thrower === "function"
          ? defineAgent({ id: "a", description: "works", run: fail })
          : { id: "a", description: "works", prompt, tools: ["work"], maxRetries: 0 },
      ],
      tools: [work],
      routing: { signals: { a: [{ signal: "[TELL]", type: "external" }] } },
    },
    { store: openMemoryStore(), models: { "m/m": model }, env: {} },
  );
  const events: BatonEvent[] = [];
  await crew.run("go", {
    onEvent: (event) => void (event.seq !== undefined && events.push(event)),
    ...(thrower === "handler" && { onExternal: fail }),
  });
  return events;
}

describe("a text of 50 MB that is thrown", () => {
  const throwers = ["tool", "model", "function", "handler"] as const;
  it.each(throwers.flatMap((thrower) => thrown.map(([kind, what]) => [kind, thrower, what] as const)))(
    "as %s by a %s is cut before it is stored",
    async (_, thrower, what) => {
      const written = JSON.stringify(await eventsOf(thrower, what));
      expect(written.length).toBeLessThan(500_000);
      expect(written.includes(cut)).toBe(true);
    },
  );

  it("is not cut within a word that may be a secret", async () => {
    const secret = `ghp_${"aB3dE6gH9j".repeat(4).slice(0, 36)}`;
    const text = `${"word ".repeat(13_104)}${secret} ${"more ".repeat(20_000)}`;
    expect(text.indexOf(secret)).toBeLessThan(64 * 2 ** 10);
    expect(text.indexOf(secret) + secret.length).toBeGreaterThan(64 * 2 ** 10);
    const written = JSON.stringify(await eventsOf("tool", () => new Error(text)));
    expect(written).toContain("characters in all");
    expect(written).not.toContain("ghp_");
  });
});
