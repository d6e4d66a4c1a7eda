import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "studio/src/**/*.test.ts"],
    globalSetup: ["test/own-folder.ts"],
    setupFiles: ["test/no-printing.ts", "test/own-home.ts", "test/no-open-intervals.ts"],
    // Files share their processes: loading all modules anew for each file takes a quarter of the time of all tests.
    isolate: false,
    // A safety net, and no measure of speed: on a busy machine everything takes several times as long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 180_000,
    expect: { poll: { timeout: 120_000 } },
    // Half of the tests wait for processes that they started: no core need be kept free for the runner itself.
    maxWorkers: "100%",
    // Dates are shown in the time of the place.
    env: { TZ: "UTC" },
  },
});
