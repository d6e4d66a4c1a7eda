import { describe, expect, it } from "vitest";
import { makeStopKey } from "./explore-flow.ts";
import type { Stop } from "./transitions.ts";

describe("the key of a stop", () => {
  it.each<[Stop, Stop]>([
    [
      { type: "group", group: "a b", emitter: "c" },
      { type: "group", group: "a", emitter: "b c" },
    ],
    [
      { type: "crews", crews: ["a", "b"], returnTo: "c" },
      { type: "crews", crews: ["a b"], returnTo: "c" },
    ],
    [
      { type: "agent", agent: "a", standing: "line" },
      { type: "agent", agent: "a", standing: "passed" },
    ],
  ])("keeps %j apart from %j", (one, other) => expect(makeStopKey(one)).not.toBe(makeStopKey(other)));
});
