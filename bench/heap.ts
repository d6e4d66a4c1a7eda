import { Session } from "node:inspector/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const gc: () => void = runInNewContext("gc");

export function collect(): void {
  gc();
  gc();
}

export function heapUsed(): number {
  return process.memoryUsage().heapUsed;
}

interface ProfileNode {
  readonly selfSize: number;
  readonly children: readonly ProfileNode[];
}

/** Bytes that a call allocates, those that are collected at once included, by sampling many calls. */
export async function bytesPerCall(call: () => Promise<unknown>, calls: number): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.startSampling", {
    samplingInterval: 8192,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  for (let index = 0; index < calls; index++) await call();
  const { profile } = await session.post("HeapProfiler.stopSampling");
  session.disconnect();
  return sumOf(profile.head) / calls;
}

function sumOf({ selfSize, children }: ProfileNode): number {
  return selfSize + children.reduce((sum, child) => sum + sumOf(child), 0);
}
