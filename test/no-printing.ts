import { afterEach, expect, type MockInstance, vi } from "vitest";

/**
 * A test that prints fails: output nobody asserts on is noise that hides the output that matters. Watched from the
 * moment a test file is loaded, so that what it prints on the way to its tests counts too.
 */
const writes: readonly MockInstance[] = [
  ...[process.stdout, process.stderr].map((stream) => vi.spyOn(stream, "write").mockReturnValue(true)),
  ...(["log", "info", "warn", "error", "debug"] as const).map((method) =>
    vi.spyOn(console, method).mockReturnValue(undefined),
  ),
];

afterEach(() => {
  const printed = writes.flatMap((write) => write.mock.calls.map((call) => String(call[0])));
  for (const write of writes) write.mockClear();
  expect(printed, "a test must not print").toEqual([]);
});
