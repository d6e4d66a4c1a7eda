import { describe, expect, it } from "vitest";
import type { RunResult } from "../../views/run-result.ts";
import type { BatonEvent, EventPlace, EventType } from "../../vocabulary/events.ts";
import type { AgentRole } from "./agent-role.ts";
import { Narration } from "./narration.ts";

let seq = 0;
const event = (type: EventType, place: EventPlace, data: object = {}) =>
  ({ type, seq: seq++, id: "e", runId: "run_1", ts: 0, ...place, data }) as unknown as BatonEvent;
const delta = (path: string, agent: string, text: string, more: object = {}) =>
  event("text.delta", { path, agent }, { text, ...more });
const done = (path: string, agent: string, text = "") =>
  event("model.completed", { path: `${path}/t0/m0`, agent }, { text });
const failed = (path: string, agent: string) => event("model.failed", { path: `${path}/t0/m0`, agent }, {});
const completed = (output: string) => ({ status: "completed", output }) as RunResult;

const roles: Readonly<Record<string, AgentRole>> = { writer: "answers", triage: "may answer", reader: "passes on" };

function narrate(events: readonly BatonEvent[], result: RunResult) {
  const narration = new Narration((agent) => roles[agent] ?? "may answer");
  const sayings = events.flatMap((each) => narration.take(each));
  const early = sayings.map(({ type, text }) => `${type}: ${text}`);
  const { sayings: rest, breakdown } = narration.finish(result);
  return { early, rest: rest.map(({ type, text }) => `${type}: ${text}`), code: breakdown?.code };
}

describe("what a chat client is told of a run", () => {
  it("is the certain answer as it comes, and nothing of it again at the end", () => {
    const events = [delta("0", "writer", "On"), delta("0", "writer", "e."), done("0", "writer", "One. [DONE]")];
    expect(narrate(events, completed("One."))).toEqual({
      early: ["words: On", "words: e."],
      rest: [],
      code: undefined,
    });
  });

  it("is an answer that may go elsewhere when it is known where it goes", () => {
    const first = [delta("0", "triage", "Mo"), delta("0", "triage", "ney."), done("0", "triage", "Money.")];
    expect(narrate(first, completed("Money."))).toMatchObject({ early: [], rest: ["words: Money."] });
    const passed = [...first, event("handoff", { path: "0", agent: "triage" }), delta("1", "writer", "Five.")];
    expect(narrate(passed, completed("Five.")).early).toEqual(["thinking: triage: Money.", "words: Five."]);
  });

  it("is one agent after another where several speak at once", () => {
    const events = [
      delta("0/p0", "a", "A1"),
      delta("0/p1", "b", "B1"),
      delta("0/p0", "a", "A2"),
      done("0/p1", "b"),
      done("0/p0", "a"),
    ];
    expect(narrate(events, completed("X"))).toMatchObject({
      early: ["thinking: a: A1", "thinking: A2", "thinking: \n\nb: B1"],
      rest: ["words: X"],
    });
  });

  it("is whole replies of models that do not stream", () => {
    expect(narrate([done("0/k0/0", "a", "Hm.")], completed("X")).early).toEqual(["thinking: a: Hm."]);
    const answered = (path: string, agent: string, answer: string, shown?: string) => [
      done(path, agent, answer),
      event("agent.completed", { path, agent }, { answer, ...(shown !== undefined && { shown }) }),
    ];
    const passed = event("handoff", { path: "0", agent: "triage" });
    const events = [...answered("0", "triage", "Money. [GO]", "Money."), passed, ...answered("1", "writer", "Five.")];
    expect(narrate(events, completed("Five."))).toMatchObject({
      early: ["thinking: triage: Money."],
      rest: ["words: Five."],
    });
    expect(narrate(answered("0", "reader", "Read."), completed("X")).early).toEqual(["thinking: reader: Read."]);
  });

  it.each([
    ["the model fails in the middle of it", [delta("0", "writer", "On"), failed("0", "writer")]],
    ["it turns out to be reasoning", [delta("0", "writer", "Hm"), delta("0", "writer", "One.", { startsOver: true })]],
    ["it is taken back", [delta("0", "writer", "On"), event("text.retracted", { path: "0", agent: "writer" })]],
    ["the output is another text", [delta("0", "writer", "Two.")]],
  ])("is an error, and never text twice, where %s", (_, events) => {
    const { early, rest, code } = narrate(events, completed("One."));
    expect([early.length, rest, code]).toEqual([1, [], "stream-broken"]);
  });

  it("is an attempt that failed before its first word as if it had not been", () => {
    const events = [failed("0", "writer"), delta("0", "writer", "One."), done("0", "writer", "One.")];
    expect(narrate(events, completed("One."))).toMatchObject({ early: ["words: One."], code: undefined });
  });
});
