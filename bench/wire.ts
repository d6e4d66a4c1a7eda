import { fork } from "node:child_process";
import { once } from "node:events";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { type BatonEvent, type CrewHandle, defineAgent, defineCrew } from "../src/index.ts";
import { cpuInTurns } from "./cpu-in-turns.ts";
import { collect, heapUsed } from "./heap.ts";
import { type Figure, median, type Report } from "./report.ts";
import { answerOf } from "./wire-server.ts";

/** A turn as a model writes it: 200 tokens, each in a delta of its own. */
const TURN = "200x5";

/** What a streamed turn costs, against the provider's package used bare on the same server. */
export async function measure(): Promise<Report> {
  const server = fork(new URL("./wire-server.ts", import.meta.url));
  try {
    const [port] = await once(server, "message");
    const address = `http://127.0.0.1:${port}/v1`;
    return {
      figures: [
        ...(await turnFigures(address)),
        ...(await concurrencyFigures(address)),
        ...(await throughputFigures(address)),
        await memoryFigure(address),
      ],
    };
  } finally {
    server.disconnect();
  }
}

/** A crew of agents in a line, each of which has one turn. */
function lineCrew(address: string, model: string, agents: number): CrewHandle {
  const line = Array.from({ length: agents }, (_, index) =>
    defineAgent({ id: `agent_${index}`, description: "works", prompt: "Work.", isTerminal: index === agents - 1 }),
  );
  const env = { MOCK_BASE_URL: address };
  const defaults = Object.fromEntries(line.slice(1).map(({ id }, index) => [`agent_${index}`, id]));
  return defineCrew({ name: "line", models: [`mock/${model}`], agents: line, routing: { defaults } }, { env });
}

/** The same turns with the package that Baton uses, read to the end and thrown away. */
function bareTurns(address: string, model: string, turns: number): () => Promise<void> {
  const client = createOpenAICompatible({ name: "mock", baseURL: address, includeUsage: true }).languageModel(model);
  return async () => {
    for (let turn = 0; turn < turns; turn++) {
      const { stream } = await client.doStream({
        prompt: [
          { role: "system", content: "Work." },
          { role: "user", content: [{ type: "text", text: "go" }] },
        ],
      });
      for await (const part of stream) if (part.type === "error") throw part.error;
    }
  };
}

async function turnFigures(address: string): Promise<Figure[]> {
  const crew = lineCrew(address, TURN, 1);
  const ways = [bareTurns(address, TURN, 1), () => crew.run("go", { onEvent: () => {} })] as const;
  const [bare = 0, ours = 0] = await cpuInTurns(ways, 60);
  return [
    { name: "a streamed turn of 200 deltas, bare", value: bare / 1000, unit: "ms of CPU" },
    { name: "a streamed turn of 200 deltas", value: ours / 1000, unit: "ms of CPU" },
    { name: "a streamed turn", value: ours / bare, unit: "× bare", target: { atMost: 1.2 } },
  ];
}

async function concurrencyFigures(address: string): Promise<Figure[]> {
  const runs = 200;
  const crew = lineCrew(address, TURN, 2);
  const before = performance.now();
  const lost = await Promise.all(Array.from({ length: runs }, () => lostEvents(crew, 2)));
  return [
    { name: "200 streamed runs of 2 turns at once", value: performance.now() - before, unit: "ms" },
    {
      name: "events lost in them",
      value: lost.reduce((sum, each) => sum + each, 0),
      unit: "events",
      target: { atMost: 0 },
    },
  ];
}

/** Characters that were never shown, gaps in the numbers, and an end that did not come. */
async function lostEvents(crew: CrewHandle, turns: number): Promise<number> {
  const events: BatonEvent[] = [];
  await crew.run("go", { onEvent: (event) => void events.push(event) });
  const { deltas, characters } = answerOf(TURN);
  const shown = events.reduce((sum, event) => sum + (event.type === "text.delta" ? event.data.text.length : 0), 0);
  const kept = events.filter(({ seq }) => seq !== undefined);
  const gaps = kept.filter(({ seq }, index) => seq !== index).length;
  const completed = events.filter(({ type }) => type === "run.completed").length;
  return Math.abs(deltas * characters * turns - shown) + gaps + (1 - completed);
}

/** A second of text at a megabyte a second from each of five agents, in deltas of 64 characters. */
async function throughputFigures(address: string): Promise<Figure[]> {
  const [agents, megabyte, characters] = [5, 2 ** 20, 64];
  const model = `${megabyte / characters}x${characters}@${megabyte}`;
  const crew = lineCrew(address, model, agents);
  const loads = [bareTurns(address, model, agents), () => crew.run("go", { onEvent: () => {} })].map(
    (way) => () => loadOf(way),
  );
  const rounds: number[][] = [];
  for (let round = 0; round < 3; round++) {
    const measured: number[] = [];
    for (const load of loads) measured.push(await load());
    rounds.push(measured);
  }
  const bare = median(rounds.map(([first = 0]) => first));
  const over = median(rounds.map(([first = 0, second = 0]) => second - first));
  return [
    { name: "1 MB/s of text through five agents, bare", value: bare, unit: "% of a core" },
    { name: "1 MB/s of text through five agents", value: over, unit: "% of a core over bare", target: { atMost: 20 } },
  ];
}

/** How much of a core something took while it lasted. */
async function loadOf(call: () => Promise<unknown>): Promise<number> {
  const [began, before] = [performance.now(), process.cpuUsage()];
  await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 10 / (performance.now() - began);
}

async function memoryFigure(address: string): Promise<Figure> {
  const [turnsOfARun, warmUp, turns] = [5, 1000, 10_000];
  const crew = lineCrew(address, "5x20", turnsOfARun);
  const run = async (count: number) => {
    for (let done = 0; done < count; done += turnsOfARun) await crew.run("go", { onEvent: () => {} });
    collect();
    return heapUsed();
  };
  const before = await run(warmUp);
  const growth = (await run(turns)) - before;
  return { name: "heap after 10,000 more turns", value: growth / 2 ** 20, unit: "MB more", target: { atMost: 1 } };
}
