import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CrewHandle, defineCrew, openSqliteStore } from "../src/index.ts";
import { chainCrew, fakeModel } from "./handoff-crew.ts";
import { type Figure, median, type Report } from "./report.ts";

const ROUNDS = 15;
const RUNS = 20;
const HOPS = 10;
/** How many runs the long conversation has before it is measured. */
const LONG = 1000;

/** What a conversation adds to a run that is kept: finding its place, what was said so far, and taking the place. */
export async function measure(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "baton-bench-"));
  const store = await openSqliteStore(join(folder, "journal.sqlite"));
  try {
    const model = fakeModel(1, 0);
    const crew = defineCrew(
      {
        name: "desk",
        models: ["fake/instant"],
        agents: [{ id: "agent_0", description: "answers", prompt: "Answer." }],
      },
      { store, models: { "fake/instant": model }, env: {} },
    );
    const long = crew.conversation("long");
    for (let n = 0; n < LONG; n++) await long.run(QUESTION);
    return { figures: await figuresOf(crew) };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

const QUESTION = "And what about the one after that, does it turn as well?";

/** Milliseconds of CPU, which a disk that is busy elsewhere does not change, and of time. */
interface Cost {
  readonly cpu: number;
  readonly wall: number;
}

async function figuresOf(crew: CrewHandle): Promise<Figure[]> {
  const chain = chainCrew(HOPS, fakeModel(HOPS, 0));
  const rounds: { handoff: Cost; alone: Cost; short: Cost; long: Cost }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const short = crew.conversation(`short-${round}`);
    rounds.push({
      handoff: await costOf(() => chain.run("go")),
      alone: await costOf(() => crew.run(QUESTION)),
      short: await costOf(() => short.run(QUESTION)),
      long: await costOf(() => crew.conversation("long").run(QUESTION)),
    });
  }
  const middle = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
  const handoff = middle(({ handoff: { cpu } }) => cpu / HOPS);
  const update = middle(({ short, alone }) => short.cpu - alone.cpu);
  const others = LONG.toLocaleString("en-US");
  return [
    { name: "a bare handoff", value: handoff, unit: "ms of CPU" },
    { name: "a run that is kept", value: middle(({ alone }) => alone.cpu), unit: "ms of CPU" },
    { name: "update of a conversation", value: update, unit: "ms of CPU", target: { atMost: 1 } },
    { name: "update of a conversation", value: update / handoff, unit: "× a bare handoff" },
    {
      name: "run on a conversation, wall",
      value: middle(({ short, alone }) => short.wall / alone.wall),
      unit: "× a run that is kept",
    },
    {
      name: `run after ${others} others, wall`,
      value: middle(({ long, short }) => long.wall / short.wall),
      unit: "× after a few",
      target: { atMost: 3 },
    },
  ];
}

async function costOf(run: () => Promise<unknown>): Promise<Cost> {
  const [cpuBefore, before] = [process.cpuUsage(), performance.now()];
  for (let n = 0; n < RUNS; n++) await run();
  const { user, system } = process.cpuUsage(cpuBefore);
  return { cpu: (user + system) / 1000 / RUNS, wall: (performance.now() - before) / RUNS };
}
