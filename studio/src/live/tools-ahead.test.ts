import { expect, it } from "vitest";
import type { BatonEvent } from "../../../src/vocabulary/events.ts";
import { listToolsAhead } from "./tools-ahead.ts";

const at = (seq: number, type: string, data: object, path = "0") =>
  ({ seq, type, data, path }) as unknown as BatonEvent;

it("the tools after the event are listed once each, with those that a person is asked about", () => {
  const events = [
    at(1, "tool.called", { tool: "read" }),
    at(2, "run.started", {}),
    at(3, "tool.called", { tool: "search" }),
    at(4, "tool.called", { tool: "search" }),
    at(5, "run.paused", { reason: "approval" }, "0/t1"),
    at(6, "tool.called", { tool: "pay" }, "0/t1"),
  ];
  expect(listToolsAhead(events, 2)).toEqual([
    { tool: "search", times: 2, isAsked: false },
    { tool: "pay", times: 1, isAsked: true },
  ]);
});
