import type { BatonEvent, EventData, EventType } from "../src/vocabulary/events.ts";
import { toRunId } from "../src/vocabulary/ids.ts";

/** A run of at least so many events in which everything goes wrong: agents in a circle, tools that fail, questions, refusals. */
export function longRun(count: number): BatonEvent[] {
  const events: BatonEvent[] = [];
  const add = <Type extends EventType>(type: Type, path: string, data: EventData[Type], agent?: string) => {
    const seq = events.length;
    // Each type has its own data, which the compiler cannot follow through a type parameter.
    events.push({ seq, id: `e${seq}`, runId: toRunId("run_long"), ts: seq, type, path, agent, data } as BatonEvent);
  };
  add("run.started", "", { crew: "long", input: "Find out why the long road to the old harbour is closed" });
  for (let round = 0; events.length < count; round++) {
    const [agent, next] = [`agent${round % 7}`, `agent${(round + 1) % 7}`];
    const path = String(round);
    add("agent.started", path, { input: `Please look into road ${round % 5} once more` }, agent);
    add("model.called", `${path}/t0/m0`, { model: "m", turn: 0, attempt: 0 }, agent);
    const call = { name: "look", args: { road: round % 3 } };
    add("model.completed", `${path}/t0/m0`, { model: "m", text: "", toolCalls: [call], finish: "tool-calls" }, agent);
    add("tool.called", `${path}/t0/c0`, { tool: "look", args: call.args }, agent);
    if (round % 2 === 0) add("tool.failed", `${path}/t0/c0`, { tool: "look", message: "the map is gone" }, agent);
    else add("tool.completed", `${path}/t0/c0`, { tool: "look", result: `road ${round} was flooded in 2021` }, agent);
    const answer = `I was not told which road is meant; this is not my department. I assume road ${round % 4}. [NEXT]`;
    add("agent.completed", path, { answer, turns: 1 }, agent);
    add("handoff", path, { from: agent, to: next, via: "router", reason: "chosen", n: round + 1 }, agent);
  }
  add("run.completed", "", { stopReason: "max_handoffs", output: "", finalAgent: "agent0" });
  return events;
}
