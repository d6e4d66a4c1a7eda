import { cpuInTurns } from "./cpu-in-turns.ts";
import { chainCrew, fakeModel } from "./handoff-crew.ts";
import { bareLoop } from "./handoff-floors.ts";
import { collect, heapUsed } from "./heap.ts";
import { advisedCrew, answering, childrenCrew, handoffCrew, teamCrew } from "./patterns-crew.ts";
import type { Figure, Report } from "./report.ts";

const PARTICIPANTS = 10;

/** What patterns cost beside the same model calls made by hand, as against handing the work on by a signal. */
export async function measure(): Promise<Report> {
  return { figures: [...(await overheadFigures()), ...(await teamFigures()), await childrenFigure()] };
}

async function overheadFigures(): Promise<Figure[]> {
  const plain = chainCrew(PARTICIPANTS, fakeModel(PARTICIPANTS, 0));
  const [handoff, advised] = [handoffCrew(PARTICIPANTS), advisedCrew(PARTICIPANTS)];
  const onEvent = () => {};
  const ways = [
    () => bareLoop(answering, PARTICIPANTS),
    () => plain.run("go", { onEvent }),
    () => handoff.run("go", { onEvent }),
    () => advised.run("go", { onEvent }),
  ];
  const [byHand = 0, ...cpu] = (await cpuInTurns(ways, 1000)).map((microseconds) => microseconds / PARTICIPANTS);
  const [signal = 0, chain = 0, advice = 0] = cpu.map((microseconds) => microseconds - byHand);
  return [
    { name: "a model call by hand", value: byHand, unit: "µs of CPU" },
    { name: "over that, a plain handoff by signal", value: signal, unit: "µs per participant" },
    { name: "over that, a declared handoff", value: chain, unit: "µs per participant" },
    { name: "over that, advisors", value: advice, unit: "µs per participant" },
    { name: "a declared handoff", value: chain / signal, unit: "× a plain one", target: { atMost: 1.5 } },
    { name: "advisors", value: advice / signal, unit: "× a plain handoff", target: { atMost: 1.5 } },
  ];
}

/** Every message goes to everybody but its author. */
function deliveriesOf(members: number, cycles: number): number {
  return members * members * cycles;
}

async function teamFigures(): Promise<Figure[]> {
  const sizes = [
    [5, 10],
    [10, 10],
    [20, 5],
    [20, 10],
  ] as const;
  const crews = sizes.map(([members, cycles]) => teamCrew(members, cycles));
  const cpu = await cpuInTurns(
    crews.map((crew) => () => crew.run("go", { onEvent: () => {} })),
    40,
  );
  const each = sizes.map(([members, cycles], index) => (cpu[index] ?? 0) / deliveriesOf(members, cycles));
  const whole = each.at(-1) ?? 0;
  const smaller = sizes.slice(0, -1).map(([members, cycles], index) => ({
    name: `a message delivered, against ${members} members and ${cycles} cycles`,
    value: whole / (each[index] ?? 0),
    unit: "× as much",
    target: { atMost: 1.2 },
  }));
  return [{ name: "a message delivered, 20 members and 10 cycles", value: whole, unit: "µs of CPU" }, ...smaller];
}

/** What one that answered and stays available holds, while its parent's next turn is under way. */
async function childrenFigure(): Promise<Figure> {
  const children = 1000;
  const held = async (count: number): Promise<number> => {
    let bytes = 0;
    const crew = childrenCrew(count, async () => {
      collect();
      bytes = heapUsed();
    });
    await crew.run("go");
    return bytes;
  };
  await held(10);
  const none = await held(1);
  const bytes = ((await held(children + 1)) - none) / children;
  return { name: "a live child, of 1,000 in one session", value: bytes / 1024, unit: "KB", target: { atMost: 50 } };
}
