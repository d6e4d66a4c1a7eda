import { expect, it } from "vitest";
import { type BatonEvent, defineAgent, defineCrew, defineTool, type Model } from "../src/index.ts";
import { keepRuns } from "./kept-runs.ts";
import { inOrder, treeOf } from "./span-tree.ts";
import { registerTracer } from "./traced-runs.ts";

const model: Model = {
  name: "fake/m",
  call: ({ calls }) =>
    calls === 1
      ? { text: "", toolCalls: [{ name: "saw", args: {} }], finish: "tool-calls" }
      : { text: "Done.", toolCalls: [], finish: "stop" },
};

it("a run whose process was killed goes on in a new trace that is linked to its first, and ends what was under way", async () => {
  await using tracer = await registerTracer();
  const { sent } = tracer;
  const saw = defineTool({ name: "saw", description: "saws", execute: () => "sawn" });
  const agents = [defineAgent({ id: "lead", prompt: "Lead.", tools: ["saw"] })];
  const open = (store?: Awaited<ReturnType<typeof keepRuns>>) =>
    defineCrew(
      { name: "desk", models: ["fake/m"], tools: [saw], agents },
      { models: { "fake/m": model }, ...(store !== undefined && { store }) },
    );
  const events: BatonEvent[] = [];
  await open().run("go", { onEvent: (event) => void (event.seq !== undefined && events.push(event)) });
  const [first] = inOrder(await sent());
  const until = (type: BatonEvent["type"]) => events.slice(0, events.findIndex((event) => event.type === type) + 1);
  const store = await keepRuns({ run_calling: until("model.called"), run_sawing: until("tool.called") });
  const crew = open(store);

  await crew.recover("run_calling").result;
  const called = await sent();
  expect(treeOf(called)).toEqual([
    "invoke_workflow desk",
    "  invoke_agent lead",
    "    chat m ERROR lost",
    "    chat m",
    "    execute_tool saw",
    "    chat m",
  ]);
  expect(inOrder(called)[0]?.links).toMatchObject([{ traceId: first?.traceId, spanId: first?.spanId }]);
  expect(inOrder(called).map(({ attributes }) => attributes["baton.resumed"])).toEqual([
    undefined,
    true,
    true,
    undefined,
    undefined,
    undefined,
  ]);

  const paused = await crew.recover("run_sawing").result;
  expect(paused).toMatchObject({ status: "paused", paused: { reason: "ambiguous" } });
  const asked = await sent();
  expect(treeOf(asked)).toEqual(["invoke_workflow desk", "  invoke_agent lead", "    execute_tool saw"]);
  expect(new Set(asked.map(({ attributes }) => attributes["baton.status"]))).toEqual(new Set(["paused"]));
  await crew.resume(paused.runId, { decision: "happened", result: "sawn" }).result;
  expect(treeOf(await sent())).toEqual([
    "invoke_workflow desk",
    "  invoke_agent lead",
    "    execute_tool saw",
    "    chat m",
  ]);
  await store.close();
});
