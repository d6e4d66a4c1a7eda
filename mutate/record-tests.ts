import { afterEach, beforeEach } from "vitest";
import { beginTest } from "./mutant-switch.ts";

/** Loaded before every test file: tells the switch which test is running. */
beforeEach(({ task }) => beginTest(task.id));
afterEach(() => beginTest(""));
