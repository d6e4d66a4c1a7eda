import { describe, expect, it } from "vitest";
import { computeBackoffMs } from "./compute-backoff.ts";

describe("the wait before a retry", () => {
  it.each([
    ["doubles from half a second to half a minute", {}, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]],
    ["keeps to the limits of the settings", { retryBackoffMinMs: 100, retryBackoffMaxMs: 250 }, [100, 200, 250, 250]],
    ["is never longer than the limit", { retryBackoffMinMs: 9000, retryBackoffMaxMs: 4000 }, [4000, 4000]],
  ])("%s", (_, settings, waits) => {
    expect(waits.map((_, index) => computeBackoffMs(index + 1, settings))).toEqual(waits);
  });
});
