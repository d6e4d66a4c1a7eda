import type { BatonEvent, EventData, EventType } from "../src/events.ts";
import { asRunId } from "../src/ids.ts";
import type { Model, ModelRequest } from "../src/models/model.ts";

/** The first floor: a bare loop that calls the model and appends its answers to an array. */
export async function bareLoop(model: Model, hops: number): Promise<number> {
  const answers: string[] = [];
  for (let hop = 0; hop < hops; hop++) {
    const reply = await model.call(requestOf(`agent_${hop}`));
    answers.push(reply.text);
  }
  return answers.length;
}

/**
 * The second floor: the same calls through the same port, each with a signal that can abort it, and the events that a run
 * of such a crew has, kept and told; no limits, accounts, history, or reading of what the agents say.
 */
export async function eventLoop(model: Model, hops: number, onEvent: (event: BatonEvent) => void): Promise<number> {
  const runId = asRunId("run_floor");
  const events: BatonEvent[] = [];
  let seq = 0;
  const create = (type: EventType, path: string, agent: string | undefined, data: unknown, number?: number) => {
    const id = `${runId}.${number ?? "delta"}`;
    const event = { seq: number, id, runId, ts: Date.now(), type, path, agent, crew: undefined, data };
    return event as unknown as BatonEvent;
  };
  const emit = <Type extends EventType>(type: Type, path: string, agent: string | undefined, data: EventData[Type]) => {
    const event = create(type, path, agent, data, seq++);
    events.push(event);
    onEvent(event);
  };
  let input = "go";
  emit("run.started", "", undefined, { crew: "chain", input });
  for (let hop = 0; hop < hops; hop++) {
    const agent = `agent_${hop}`;
    const path = `${hop}`;
    const callPath = `${path}/t0/m0`;
    emit("agent.started", path, agent, { input });
    emit("model.called", callPath, agent, { model: model.name, turn: 0, attempt: 0 });
    const onText = (text: string) => onEvent(create("text.delta", path, agent, { text }));
    const { text, toolCalls, usage, finish } = await model.call({ ...requestOf(agent), onText });
    const tokens = usage === undefined ? {} : { usage };
    emit("model.completed", callPath, agent, { model: model.name, text, toolCalls, finish, ...tokens });
    emit("agent.completed", path, agent, { answer: text, turns: 1 });
    if (hop < hops - 1) {
      emit("signal.emitted", path, agent, { signal: "[GO]", level: "exact", token: "[GO]" });
      const to = `agent_${hop + 1}`;
      emit("handoff", path, agent, { from: agent, to, via: "signal", reason: "signal [GO]", n: hop + 1 });
    }
    input = text;
  }
  emit("run.completed", "", undefined, { stopReason: "answer", output: input, finalAgent: `agent_${hops - 1}` });
  return events.length;
}

const sampling = {
  temperature: undefined,
  topP: undefined,
  topK: undefined,
  maxOutputTokens: undefined,
  reasoning: undefined,
};

function requestOf(agent: string) {
  return {
    agent,
    crew: "",
    calls: 1,
    system: "Work.",
    messages: () => [],
    tools: [],
    sampling,
    json: undefined,
    signal: new AbortController().signal,
    onText: () => {},
    onReasoning: () => {},
  } satisfies ModelRequest;
}
