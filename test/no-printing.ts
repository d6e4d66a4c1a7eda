import { afterEach, beforeEach, expect, type MockInstance, vi } from "vitest";

/** A test that prints fails: output nobody asserts on is noise that hides the output that matters. */
const writes: MockInstance[] = [];

beforeEach(() => {
  for (const stream of [process.stdout, process.stderr]) {
    writes.push(vi.spyOn(stream, "write").mockReturnValue(true));
  }
  for (const method of ["log", "info", "warn", "error", "debug"] as const) {
    writes.push(vi.spyOn(console, method).mockReturnValue(undefined));
  }
});

afterEach(() => {
  const printed = writes.flatMap((write) => write.mock.calls.map((call) => String(call[0])));
  for (const write of writes.splice(0)) write.mockRestore();
  expect(printed, "a test must not print").toEqual([]);
});
