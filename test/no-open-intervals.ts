import { afterAll, expect } from "vitest";
import { openIntervals } from "./open-intervals.ts";

/**
 * Test files share their processes, and what one leaves running fails in another: a run that nobody ended loses its lease, a
 * server that nobody stopped looks for runs. All of these have intervals, so a file that leaves one fails itself.
 */
afterAll(() => {
  const left = [...openIntervals.values()];
  openIntervals.clear();
  expect(left, "a test file must close its crews, stores and servers").toEqual([]);
});
