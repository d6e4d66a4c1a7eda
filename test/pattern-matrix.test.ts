import { describe, expect, it } from "vitest";
import type { ScriptKeys } from "../src/prepare/build-script.ts";
import { buildResult } from "../src/views/run-result.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { loadWrittenCrew } from "./load-written-crew.ts";
import { around, type Piece, placed, plain } from "./pattern-pieces.ts";
import { play } from "./play.ts";

const patterns = Object.keys(around);
const places = Object.keys(placed);

describe.each(places)("%s,", (place) => {
  it.each(patterns.flatMap((outer) => patterns.map((inner) => [outer, inner])))(
    "%s around %s gives what the rules of both say",
    async (outer, inner) => {
      await check(place, compose(outer, "a", compose(inner, "b", plain("c"))));
    },
  );
});

describe("three patterns, each around the next,", () => {
  it.each(patterns)("%s first", async (first) => {
    for (const second of patterns)
      for (const third of patterns)
        await check("as the entry", compose(first, "a", compose(second, "b", compose(third, "c", plain("d")))));
  });
});

function compose(pattern: string, id: string, inner: Piece): Piece {
  const make = around[pattern];
  if (make === undefined) throw new Error(`there is no pattern '${pattern}'`);
  return make(id, inner);
}

async function check(place: string, piece: Piece): Promise<void> {
  const made = placed[place]?.(piece);
  if (made === undefined) throw new Error(`there is no place '${place}'`);
  const { files, replies, expected } = made;
  const { crew, diagnostics } = loadWrittenCrew(files);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  // Replies as they stand in a scenario.
  const script = new Map(Object.entries(replies)) as unknown as ScriptKeys;
  const events = await play(crew, "go", { script });
  const { status, output, path, handoffs, usage } = buildResult(events);
  expect({ status, output, path, handoffs, inputs: inputsOf(events), input: usage.input, out: usage.output }).toEqual({
    status: "completed",
    output: expected.answer,
    path: expected.path,
    handoffs: expected.handoffs,
    inputs: expected.inputs,
    input: expected.calls,
    out: expected.calls,
  });
  const calls: string[] = [];
  expect(await play(crew, "go", { script, recorded: events, onCall: (what) => calls.push(what) })).toEqual(events);
  expect(calls).toEqual([]);
}

/** What orchestration told each agent, in order. */
function inputsOf(events: readonly BatonEvent[]): Record<string, string[]> {
  const inputs: Record<string, string[]> = {};
  for (const { type, agent = "", data } of events) {
    if (type !== "agent.started" && type !== "agent.told") continue;
    inputs[agent] = [...(inputs[agent] ?? []), data.input];
  }
  return inputs;
}
