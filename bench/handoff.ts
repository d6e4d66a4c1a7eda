import { setTimeout as sleep } from "node:timers/promises";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { cpuInTurns } from "./cpu-in-turns.ts";
import { footprintFigures } from "./footprint.ts";
import { chainCrew, fakeModel, groupCrew, historyOf, runWithHistory } from "./handoff-crew.ts";
import { bareLoop, callbackLoop, eventLoop } from "./handoff-floors.ts";
import { bytesPerCall, collect, heapUsed } from "./heap.ts";
import { measurePeers } from "./peers/measure-peers.ts";
import { type Figure, median, type Report } from "./report.ts";

const HOPS = 10;
/** Of what is measured by the wall clock. */
const ROUNDS = 21;

/** What a handoff costs, of all that a run does around its models: against floors, and the peers that are installed. */
export async function measure(): Promise<Report> {
  const cost = await costFigures();
  return {
    figures: [
      ...cost.figures,
      ...(await historyFigures()),
      await fanOutFigure(),
      ...(await concurrencyFigures()),
      ...footprintFigures(),
      ...(await peerFigures(cost.microseconds)),
    ],
  };
}

async function costFigures(): Promise<{ readonly figures: readonly Figure[]; readonly microseconds: number }> {
  const model = fakeModel(HOPS, 0);
  const crew = chainCrew(HOPS, model);
  const ignore = () => {};
  const ways = [
    () => bareLoop(model, HOPS),
    () => readAll(eventLoop(model, HOPS)),
    () => readAll(crew.stream("go")),
    () => callbackLoop(model, HOPS, ignore),
    () => crew.run("go", { onEvent: ignore }),
  ] as const;
  const cpu = (await cpuInTurns(ways, 700)).map((microseconds) => microseconds / HOPS);
  const bytes = await inTurn(ways, async (way) => (await bytesPerCall(way, 2000)) / HOPS);
  const [bare = 0, floor = 0, streamed = 0, least = 0, told = 0] = cpu;
  const [, floorBytes = 0, streamedBytes = 0, leastBytes = 0, toldBytes = 0] = bytes;
  const target = { atMost: 3 };
  return {
    microseconds: told,
    figures: [
      { name: "bare loop", value: bare, unit: "µs of CPU" },
      { name: "loop that yields the same events", value: floor, unit: "µs of CPU" },
      { name: "a handoff, its events streamed", value: streamed, unit: "µs of CPU" },
      { name: "a handoff, its events streamed", value: streamed / floor, unit: "× that loop", target },
      { name: "bytes allocated by that loop", value: floorBytes, unit: "bytes" },
      { name: "bytes allocated by a handoff", value: streamedBytes, unit: "bytes" },
      { name: "bytes", value: streamedBytes / floorBytes, unit: "× that loop", target },
      { name: "loop that tells a callback", value: least, unit: "µs of CPU" },
      { name: "a handoff, told to a callback", value: told, unit: "µs of CPU" },
      { name: "a handoff, told to a callback", value: told / least, unit: "× that loop" },
      { name: "bytes allocated by that loop", value: leastBytes, unit: "bytes" },
      { name: "bytes allocated by a handoff", value: toldBytes, unit: "bytes" },
      { name: "bytes", value: toldBytes / leastBytes, unit: "× that loop", target },
    ],
  };
}

async function readAll(events: AsyncIterable<BatonEvent>): Promise<number> {
  const read: BatonEvent[] = [];
  for await (const event of events) read.push(event);
  return read.length;
}

async function historyFigures(): Promise<Figure[]> {
  const model = fakeModel(HOPS, 0);
  const { definition } = chainCrew(HOPS, model);
  const lengths = [10, 100, 1000, 10_000];
  const runs = lengths.map((length) => {
    const history = historyOf(length);
    return () => runWithHistory(definition, model, history);
  });
  const [least = 1, ...more] = await cpuInTurns(runs, 350);
  return more.map((microseconds, index) => ({
    name: `a handoff with ${lengths[index + 1]?.toLocaleString("en-US")} messages of history`,
    value: microseconds / least,
    unit: "× one with 10",
    ...(index === 2 && { target: { atMost: 1.2 } }),
  }));
}

async function fanOutFigure(): Promise<Figure> {
  const crew = groupCrew(10, fakeModel(0, 50));
  const over: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const floor = await wallOf(async () => {
      // The agents before and after the group, and its ten members at once.
      await sleep(50);
      await Promise.all(Array.from({ length: 10 }, () => sleep(50)));
      await sleep(50);
    });
    over.push((await wallOf(() => crew.run("go"))) - floor);
  }
  return {
    name: "ten members at once, models of 50 ms",
    value: median(over),
    unit: "ms over the floor",
    target: { atMost: 2 },
  };
}

async function concurrencyFigures(): Promise<Figure[]> {
  const [runs, hops, latencyMs] = [1000, 5, 20];
  const model = fakeModel(hops, latencyMs);
  const crew = chainCrew(hops, model);
  const all = (one: () => Promise<unknown>) => () => Promise.all(Array.from({ length: runs }, one));
  const ratios: number[] = [];
  let walls: readonly number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const floor = await wallOf(all(() => bareLoop(model, hops)));
    const ours = await wallOf(all(() => crew.run("go")));
    ratios.push(ours / floor);
    walls = [floor, ours];
  }
  const [floorMs = 0, oursMs = 0] = walls;
  return [
    { name: "1,000 runs of 5 hops at once, bare", value: floorMs, unit: "ms" },
    { name: "1,000 runs of 5 hops at once", value: oursMs, unit: "ms" },
    { name: "1,000 runs of 5 hops at once", value: median(ratios), unit: "× bare", target: { atMost: 1.5 } },
    await liveHeapFigure(runs, hops),
  ];
}

/** What a run holds while its third agent is at work. */
async function liveHeapFigure(runs: number, hops: number): Promise<Figure> {
  const answer = fakeModel(hops, 0);
  const waiting: (() => void)[] = [];
  const model: typeof answer = {
    name: answer.name,
    async call(request) {
      if (request.agent === "agent_2") await new Promise<void>((resolve) => waiting.push(resolve));
      return answer.call(request);
    },
  };
  const crew = chainCrew(hops, model);
  await Promise.all([crew.run("go"), sleep(10).then(() => waiting.splice(0).forEach((go) => void go()))]);
  collect();
  const before = heapUsed();
  const all = Array.from({ length: runs }, () => crew.run("go"));
  while (waiting.length < runs) await sleep(1);
  collect();
  const bytes = (heapUsed() - before) / runs;
  for (const go of waiting) go();
  await Promise.all(all);
  return { name: "live heap of a run at its third hop", value: bytes / 1024, unit: "KB", target: { atMost: 50 } };
}

async function peerFigures(ours: number): Promise<Figure[]> {
  const peers = await measurePeers();
  const fastest = Math.min(...peers.map(({ microsecondsPerHandoff }) => microsecondsPerHandoff));
  return peers.flatMap((peer) => {
    const { name, version, microsecondsPerHandoff, microsecondsPerHandoffWithHistory, concurrentMs, importMs } = peer;
    const isFastest = microsecondsPerHandoff === fastest;
    return [
      {
        name: `${name} ${version}, a handoff`,
        value: microsecondsPerHandoff / ours,
        unit: "× ours",
        ...(isFastest && { target: { atLeast: 2 } }),
      },
      { name: `${name}, with 1,000 messages`, value: microsecondsPerHandoffWithHistory / ours, unit: "× ours" },
      { name: `${name}, 1,000 runs at once`, value: concurrentMs, unit: "ms" },
      { name: `${name}, import`, value: importMs, unit: "ms over node -e 0" },
    ];
  });
}

async function inTurn<Item, Value>(items: readonly Item[], each: (item: Item) => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (const item of items) values.push(await each(item));
  return values;
}

async function wallOf(call: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await call();
  return performance.now() - before;
}
