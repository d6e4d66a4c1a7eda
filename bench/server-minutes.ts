import type { Figure } from "./report.ts";
import { type MeasuredServer, openMeasuredServer } from "./server-readers.ts";

const RUNS = 50;
const SAMPLES = 10;
const headers = { authorization: "Bearer bench" };

/** 50 runs at once for some minutes: the heap stays as it is, and every run that was started ends. */
export async function measureMinutes(minutes: number): Promise<Figure[]> {
  const server = await openMeasuredServer(6, 50);
  try {
    const until = performance.now() + minutes * 60_000;
    let started = 0;
    const keepBusy = async () => {
      while (performance.now() < until) {
        const runId = await server.start("pair");
        started++;
        await waitForEnd(server, runId);
      }
    };
    const busy = Promise.all(Array.from({ length: RUNS }, keepBusy));
    const heaps: number[] = [];
    for (let sample = 0; sample < SAMPLES; sample++) {
      await new Promise((resolve) => setTimeout(resolve, (minutes * 60_000) / SAMPLES));
      heaps.push((await server.figures()).heapMb);
    }
    await busy;
    // The first samples are before everything that is made once has been made.
    const settled = heaps.slice(SAMPLES / 2);
    const change = (Math.max(...settled) / Math.min(...settled) - 1) * 100;
    return [
      { name: `heap over ${minutes} min of 50 runs at once`, value: change, unit: "% change", target: { atMost: 20 } },
      {
        name: "runs that did not end",
        value: started - (await countEnded(server)),
        unit: `of ${started}`,
        target: { from: 0, to: 0 },
      },
    ];
  } finally {
    await server.stop();
  }
}

async function waitForEnd({ url }: MeasuredServer, runId: string): Promise<void> {
  const given = { headers: { ...headers, accept: "text/event-stream" } };
  await (await fetch(`${url}/v1/runs/${runId}/events?deltas=false`, given)).text();
}

async function countEnded({ url }: MeasuredServer): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^baton_runs_total\{crew="pair",status="completed"\} (\d+)/m.exec(text)?.[1] ?? 0);
}
