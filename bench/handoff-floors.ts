import type { Model, ModelRequest } from "../src/models/model.ts";
import type { BatonEvent, EventData, EventType } from "../src/vocabulary/events.ts";
import { toRunId } from "../src/vocabulary/ids.ts";

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
 * of such a crew has, yielded to whoever reads them; no limits, accounts, history, or reading of what the agents say.
 */
export async function* eventLoop(model: Model, hops: number): AsyncGenerator<BatonEvent> {
  const create = eventMaker();
  let input = "go";
  yield create("run.started", "", undefined, { crew: "chain", input });
  for (let hop = 0; hop < hops; hop++) {
    const [agent, path, to] = [`agent_${hop}`, `${hop}`, `agent_${hop + 1}`];
    const callPath = `${path}/t0/m0`;
    yield create("agent.started", path, agent, { input });
    yield create("model.called", callPath, agent, { model: model.name, turn: 0, attempt: 0 });
    const shown: BatonEvent[] = [];
    const onText = (text: string) => void shown.push(create("text.delta", path, agent, { text }));
    const reply = await model.call({ ...requestOf(agent), onText });
    for (const event of shown) yield event;
    yield create("model.completed", callPath, agent, { ...reply, model: model.name });
    yield create("agent.completed", path, agent, { answer: reply.text, turns: 1 });
    if (hop < hops - 1) {
      yield create("signal.emitted", path, agent, { signal: "[GO]", level: "exact", token: "[GO]" });
      yield create("handoff", path, agent, { from: agent, to, via: "signal", reason: "signal [GO]", n: hop + 1 });
    }
    input = reply.text;
  }
  yield create("run.completed", "", undefined, {
    stopReason: "answer",
    output: input,
    finalAgent: `agent_${hops - 1}`,
  });
}

/** The same told to a callback and kept in a list: the least that it can cost. */
export async function callbackLoop(model: Model, hops: number, onEvent: (event: BatonEvent) => void): Promise<number> {
  const create = eventMaker();
  const events: BatonEvent[] = [];
  const emit: EventMaker = (type, path, agent, data) => {
    const event = create(type, path, agent, data);
    events.push(event);
    onEvent(event);
    return event;
  };
  let input = "go";
  emit("run.started", "", undefined, { crew: "chain", input });
  for (let hop = 0; hop < hops; hop++) {
    const [agent, path, to] = [`agent_${hop}`, `${hop}`, `agent_${hop + 1}`];
    const callPath = `${path}/t0/m0`;
    emit("agent.started", path, agent, { input });
    emit("model.called", callPath, agent, { model: model.name, turn: 0, attempt: 0 });
    const onText = (text: string) => onEvent(create("text.delta", path, agent, { text }));
    const reply = await model.call({ ...requestOf(agent), onText });
    emit("model.completed", callPath, agent, { ...reply, model: model.name });
    emit("agent.completed", path, agent, { answer: reply.text, turns: 1 });
    if (hop < hops - 1) {
      emit("signal.emitted", path, agent, { signal: "[GO]", level: "exact", token: "[GO]" });
      emit("handoff", path, agent, { from: agent, to, via: "signal", reason: "signal [GO]", n: hop + 1 });
    }
    input = reply.text;
  }
  emit("run.completed", "", undefined, { stopReason: "answer", output: input, finalAgent: `agent_${hops - 1}` });
  return events.length;
}

type EventMaker = <Type extends EventType>(
  type: Type,
  path: string,
  agent: string | undefined,
  data: EventData[Type],
) => BatonEvent;

function eventMaker(): EventMaker {
  const runId = toRunId("run_floor");
  let seq = 0;
  return (type, path, agent, data) => {
    const number = type === "text.delta" ? undefined : seq++;
    const id = `${runId}.${number ?? "delta"}`;
    const event = { seq: number, id, runId, ts: Date.now(), type, path, agent, crew: undefined, data };
    return event as unknown as BatonEvent;
  };
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
    path: "0/t0/m0",
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
