import type { Clock } from "../run/clock.ts";
import type { KeptRun } from "../run-storage/keep-runs.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { Release } from "./release.ts";

/** The runs of a crew that this process has in hand. */
export interface OpenRuns {
  /** Does something with a run, and gives the run up however that ends. */
  hold<Result>(
    take: (release: Release) => Promise<KeptRun> | KeptRun,
    go: (kept: KeptRun, release: Release) => Promise<Result>,
  ): Promise<Result>;
  /** Releases every run, and refuses new ones; done when other processes can take them all. */
  close(graceMs: number): Promise<void>;
}

export function createOpenRuns(clock: Clock): OpenRuns {
  const open = new Map<Release, Promise<unknown>>();
  let closedWith: number | undefined;
  const holdOpen = async <Result>(release: Release, take: Parameters<OpenRuns["hold"]>[0], go: Go<Result>) => {
    try {
      const taken = take(release);
      const kept = taken instanceof Promise ? await taken : taken;
      try {
        return await go(kept, release);
      } finally {
        const closed = kept.close();
        if (closed !== undefined) await closed;
      }
    } finally {
      open.delete(release);
    }
  };
  return {
    hold(take, go) {
      if (closedWith !== undefined)
        return Promise.reject(new BatonError("crew-closed", "the crew is closed: it begins and continues no runs"));
      const release = new Release(clock);
      const held = holdOpen(release, take, go);
      open.set(release, held);
      return held;
    },
    async close(graceMs) {
      closedWith ??= graceMs;
      for (const release of open.keys()) release.ask(closedWith);
      await Promise.allSettled(open.values());
    },
  };
}

type Go<Result> = (kept: KeptRun, release: Release) => Promise<Result>;
